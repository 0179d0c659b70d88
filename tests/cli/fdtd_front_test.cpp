// `umov fdtd`: what pictures, files and flags mean, and that the resolved case repeats the run.
#include "cli/fdtd_front.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "fdtd/monitors/snapshot.hpp"

namespace {

using namespace umov;
using namespace umov::fdtd;
using Args = std::vector<std::string>;
namespace fs = std::filesystem;

class FdtdFront : public test::FdtdFrontFolder {};

/// Every section and almost every key, none at its default.
constexpr const char* full_case_of_front = R"([domain]
size = [16, 8]
polarization = "te"
resolution = 12
courant = 0.5
unit_um = 0.3
background = "water"
averaging = false

[boundary]
all = "pec"
x = ["pml", "mirror_odd"]
y = "bloch"
bloch = [0, 0.3]

[pml]
layers = 8
order = 4
sigma_scale = 0.9
kappa_max = 2
alpha_max = 0.1
alpha_order = 2

[stop]
decay = 1e-5
max_time = 900

[run]
normalize = true
force = true

[output]
folder = "there"
hdf5 = false
pictures = false
animation = true
csv = false
frames = 33
fields = ["Ex", "Hz"]

[checkpoint]
interval = "15m"

[machine]
backend = "cuda"
device = 3
threads = 0
precision = "double"
tuned = false

[[material]]
name = "water"
index = 1.33
extinction = 0.01
at_wavelength = 2

[[material]]
name = "metal"
eps = [2, 3, 4]
mu = 1.5
sigma = 0.25
sigma_magnetic = [0, 0, 1]
[[material.pole]]
kind = "drude"
strength = 4
gamma = 0.1
[[material.pole]]
kind = "debye"
strength = 1
tau = 0.7

[[material]]
name = "mirror"
perfect_conductor = true

[[body]]
material = "metal"
center = [1, 2]
size = [inf, 0.5]
in_reference = true

[[body]]
shape = "prism"
material = "mirror"
vertices = [[0, 0], [1, 0], [0, 1]]
height = 2
axis = [0, 1, 0]
rotation = 30

[[source]]
kind = "plane_wave"
waveform = "gaussian"
wavelength_um = 0.6
width = 0.3
delay = 4
phase = 90
amplitude = 2
phi = 10

[[source]]
name = "drive"
kind = "line"
component = "Hz"
hard = true
center = -3
size = [0, "inf"]
wavelength = 4
ramp = 5
end = 60

[[monitor]]
kind = "flux"
center = 3
size = [0, 4]
direction = -1
frequency_from = 0.1
frequency_to = 0.5
frequency_count = 9

[[monitor]]
kind = "snapshot"
name = "film"
fields = "Ey"
every = 2.5

[[monitor]]
kind = "near_to_far"
size = [4, 4]
wavelengths_um = [0.6, 0.3]
phi = [0, 90, 180]
)";

TEST_F(FdtdFront, EverySectionFillsItsFields) {
  const auto s = parse_file(full_case_of_front);
  EXPECT_EQ(s.size, (Vec3{16, 8, 0}));
  EXPECT_TRUE(s.te && !s.averaging && s.normalize && s.force && s.outputs.animation);
  EXPECT_FALSE(s.outputs.hdf5 || s.outputs.pictures || s.outputs.csv || s.tuned);
  EXPECT_EQ(s.resolution, 12);
  EXPECT_EQ(s.background, "water");
  EXPECT_EQ(s.walls[0], (std::array{WallKind::pml, WallKind::mirror_odd}));
  EXPECT_EQ(s.walls[1], (std::array{WallKind::bloch, WallKind::bloch}));
  EXPECT_EQ(s.walls[2], (std::array{WallKind::pec, WallKind::pec}));
  EXPECT_EQ(s.bloch, (Vec3{0, 0.3, 0}));
  EXPECT_EQ(s.pml.layers, 8);
  EXPECT_EQ(machine_of({"case.toml"}).checkpoint.interval, 900);
  EXPECT_EQ(s.precision, Precision::double_);
  EXPECT_EQ(s.outputs.fields, (std::vector<Component>{Ex, Hz}));
  EXPECT_FALSE(s.picture);

  ASSERT_EQ(s.materials.size(), 3u);
  EXPECT_EQ(s.materials[0].index, 1.33);
  EXPECT_EQ(s.materials[1].constants.eps, (Vec3{2, 3, 4}));
  EXPECT_EQ(s.materials[1].constants.sigma, (Vec3{0.25, 0.25, 0.25}));
  ASSERT_EQ(s.materials[1].constants.poles.size(), 2u);
  EXPECT_EQ(s.materials[1].constants.poles[0].kind, materials::Pole::Kind::drude);
  EXPECT_EQ(s.materials[1].constants.poles[1].tau, 0.7);
  EXPECT_TRUE(s.materials[2].constants.perfect_conductor);

  ASSERT_EQ(s.bodies.size(), 2u);
  EXPECT_EQ(s.bodies[0].center, (Vec3{1, 2, 0}));
  EXPECT_TRUE(std::isinf((*s.bodies[0].size)[0]));
  EXPECT_TRUE(s.bodies[0].in_reference);
  EXPECT_FALSE(s.bodies[1].size);
  EXPECT_EQ(s.bodies[1].vertices[2], (Vec3{0, 1, 0}));

  ASSERT_EQ(s.sources.size(), 2u);
  EXPECT_EQ(s.sources[0].name, "plane_wave1");
  EXPECT_DOUBLE_EQ(s.sources[0].waveform.frequency, 0.5);  // 0.3 um per unit over 0.6 um
  EXPECT_EQ(s.sources[0].waveform.kind, Waveform::Kind::gaussian);
  EXPECT_EQ(s.sources[1].name, "drive");
  EXPECT_EQ(s.sources[1].waveform.frequency, 0.25);
  EXPECT_EQ(s.sources[1].waveform.end, 60);
  EXPECT_TRUE(s.sources[1].hard && std::isinf(s.sources[1].size[1]));

  ASSERT_EQ(s.monitors.size(), 3u);
  EXPECT_EQ(s.monitors[0].direction, -1);
  EXPECT_EQ(s.monitors[0].frequency_count, 9);
  EXPECT_EQ(s.monitors[1].name, "film");
  EXPECT_EQ(s.monitors[1].own<SnapshotSpec>().every, 2.5);
  EXPECT_EQ(s.monitors[2].frequencies, (std::vector<double>{0.5, 1}));
  EXPECT_EQ(s.monitors[2].name, "near_to_far1");
}

TEST_F(FdtdFront, ResolvedCaseReadsBackToTheSameText) {
  folder_.write("case.toml", full_case_of_front);
  const std::string text = resolved({"case.toml"});
  folder_.write("resolved.toml", text);
  EXPECT_EQ(resolved({"resolved.toml"}), text);
  for (const char* part :
       {"[[material.pole]]", "size = [inf, 0.5]", "x = [\"pml\", \"mirror_odd\"]", "frequency = 0.25"})
    expect_contains(text, part);
}

TEST_F(FdtdFront, WhatIsAskedOfACallReachesIt) {
  folder_.write("a.toml",
                "[domain]\nsize = [2, 2]\nresolution = 10\n[[source]]\nkind = \"point\"\nfrequency = 1\n");
  const auto given = fdtd::parse(Args{"a.toml", "--view", "--view-interval", "50", "--field-csv"}).given;
  EXPECT_EQ(given.call.view_interval, 50);
  EXPECT_TRUE(given.call.field_csv);
  EXPECT_EQ(fdtd::parse(Args{"a.toml"}).given.call.view_interval, 0);
  expect_contains(refused({"a.toml", "--view-interval", "50"}), "--view-interval has no effect");
}

TEST_F(FdtdFront, EveryScalarFlagReachesTheResolvedCase) {
  folder_.write("a.png", "");
  // A model in which every flag has an effect.
  folder_.write("a.toml", "[picture]\nfiles = \"a.png\"\n[[monitor]]\nkind = \"flux\"\nfrequencies = 1\n");
  const Args base{"a.toml"};
  const std::string defaults = resolved(base);
  int checked = 0;
  for (const auto& p : fdtd::parameters().parameters()) {
    if (p.key.empty() || p.flags.empty() || p.key == "files" || p.key == "size") continue;
    if (p.section == "layout") continue;        // another model: fdtd_layout_test.cpp
    if (p.section == "s_parameters") continue;  // several runs, between ports: tests/s_parameters
    if (p.key.rfind("view", 0) == 0) continue;  // how a run is watched is no part of what it computes
    if (p.key == "field_csv") continue;         // nor is a further copy of its fields
    std::string value = "0.3";
    if (p.metavar == "NAME") {
      const std::string rest =
          p.values.find(", ") == p.values.npos ? "" : p.values.substr(p.values.find(", ") + 2);
      value = rest.empty() ? "Au" : rest.substr(0, rest.find(", "));
    }
    if (p.metavar == "N" || p.metavar == "N|all") value = "7";
    if (p.metavar == "DIR") value = "there";
    if (p.metavar == "NAME,...") value = "Hy";
    if (p.key == "precision") value = "double";
    if (p.key == "eps_max") value = "4";
    Args args = base;
    if (p.key == "frames") args.push_back("--animation");
    if (p.key == "z") args.insert(args.end(), {"--depth", "3"});
    args.push_back(p.is_switch && p.default_text == "true" ? p.flags.back() : p.flags.front());
    if (!p.is_switch) args.push_back(value);
    const std::string text = resolved(args);
    EXPECT_NE(text, defaults) << p.name();
    folder_.write("resolved.toml", text);
    EXPECT_EQ(resolved({"resolved.toml"}), text) << p.name();
    ++checked;
  }
  EXPECT_GT(checked, 25);
}

TEST_F(FdtdFront, APictureIsAModelAndFlagsDescribeIt) {
  folder_.write("ring.png", "");
  folder_.write("two.PNG", "");
  const Args args{"ring.png",
                  "--width",
                  "1024",
                  "--height",
                  "512",
                  "--eps-max",
                  "12",
                  "--mapping",
                  "thesis",
                  "--wavelength",
                  "2",
                  "--layers",
                  "12",
                  "--steps",
                  "500",
                  "--no-averaging",
                  "--double",
                  "--cpu",
                  "--simple-kernels",
                  "--animation",
                  "--no-pictures",
                  "--polarization",
                  "te"};
  const auto s = parse(args);
  ASSERT_TRUE(s.picture);
  EXPECT_EQ(s.picture->files, (Args{"ring.png"}));
  EXPECT_EQ(s.picture->width, 1024);
  EXPECT_EQ(s.picture->height, 512);
  EXPECT_EQ(s.picture->eps_max, 12);
  EXPECT_EQ(s.picture->mapping, PictureSpec::Mapping::thesis);
  EXPECT_EQ(s.picture->wavelength, 2);
  EXPECT_EQ(s.pml.layers, 12);
  EXPECT_EQ(s.stop.steps, 500);
  EXPECT_EQ(s.precision, Precision::double_);
  EXPECT_EQ(machine_of(args).backend, "cpu");
  EXPECT_TRUE(s.te && s.outputs.animation);
  EXPECT_FALSE(s.averaging || s.tuned || s.outputs.pictures);
  EXPECT_EQ(parse({"ring.png", "two.PNG"}).picture->files.size(), 2u);
  EXPECT_EQ(machine_of({"ring.png", "--gpu"}).backend, "cuda");
}

TEST_F(FdtdFront, FlagsOverrideTheFile) {
  folder_.write("case.toml", "[domain]\nsize = 4\nresolution = 10\n[stop]\nsteps = 100\n");
  const auto s = parse({"case.toml", "--resolution", "20", "--time", "8"});
  EXPECT_EQ(s.size, (Vec3{4, 0, 0}));
  EXPECT_EQ(s.resolution, 20);
  EXPECT_EQ(s.stop.steps, 0);
  EXPECT_EQ(s.stop.time, 8);
}

TEST_F(FdtdFront, FilesOfACaseLieBesideIt) {
  fs::create_directories("cases");
  folder_.write("cases/model.png", "");
  folder_.write("cases/case.toml", "[picture]\nfiles = \"model.png\"\n");
  const auto s = parse({"cases/case.toml"});
  EXPECT_EQ(s.picture->files.front(), "cases/model.png");
  // The resolved case names it absolutely: it lies in another folder.
  fs::create_directories("out");
  folder_.write("out/resolved.toml", resolved_toml(s));
  EXPECT_TRUE(fs::equivalent(parse({"out/resolved.toml"}).picture->files.front(), "cases/model.png"));
}

TEST_F(FdtdFront, ResumeTakesTheCaseOfItsFolder) {
  fs::create_directory("run");
  folder_.write("run/resolved.toml", "[domain]\nsize = [3, 3]\n");
  const Args args{"--resume", "run", "--steps", "9"};
  const auto s = parse(args);
  EXPECT_TRUE(machine_of(args).checkpoint.resume);
  EXPECT_EQ(machine_of(args).output_dir, "run");
  EXPECT_EQ(s.size[1], 3);
  EXPECT_EQ(s.stop.steps, 9);
  expect_contains(refused({"--resume", "nowhere"}), "--resume nowhere: no resolved.toml there");
}

TEST_F(FdtdFront, ManualListsEverySectionAndNestedTable) {
  const std::string manual = fdtd::parameters().markdown();
  for (const char* part :
       {"`[domain]`", "`[boundary]`", "`[pml]`", "`[picture]`", "`[layout]`", "`[stop]`", "`[run]`",
        "`[output]`", "`[checkpoint]`", "`[machine]`", "`[[material]]`", "`[[material.pole]]`", "`[[body]]`",
        "`[[source]]`", "`[[monitor]]`", "`wavelength_um`"})
    expect_contains(manual, part);
  expect_contains(fdtd::parameters().help(), "--eps-max");
}

}  // namespace
