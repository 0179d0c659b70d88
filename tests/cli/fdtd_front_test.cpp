// `umov fdtd`: what pictures, files and flags mean, that the resolved case repeats the run, and what is
// refused.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "core/error.hpp"
#include "fdtd/command/front.hpp"
#include "support/program.hpp"

namespace {

using namespace umov;
using namespace umov::fdtd;
using namespace umov::fdtd;
using Args = std::vector<std::string>;
namespace fs = std::filesystem;

class FdtdFront : public testing::Test {
 protected:
  FdtdFront() { fs::current_path(folder_.path()); }
  ~FdtdFront() override { fs::current_path(home_); }

  static Simulation parse(const Args& args) { return fdtd::parse(args).simulation; }
  Simulation parse_file(const std::string& content) {
    folder_.write("case.toml", content);
    return parse({"case.toml"});
  }
  template <class F>
  static std::string refusal(const F& f) {
    try {
      f();
    } catch (const BadInput& e) {
      return e.what();
    }
    return "accepted";
  }
  static std::string refused(const Args& args) {
    return refusal([&] { parse(args); });
  }
  std::string refused_file(const std::string& content) {
    return refusal([&] { parse_file(content); });
  }
  static void expect_contains(const std::string& message, const std::string& part) {
    EXPECT_NE(message.find(part), std::string::npos) << message;
  }

  fs::path home_ = fs::current_path();
  test::TemporaryFolder folder_;
};

/// Every section and almost every key, none at its default.
constexpr const char* full_case = R"([domain]
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
  const auto s = parse_file(full_case);
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
  EXPECT_EQ(s.checkpoint.interval, 900);
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
  EXPECT_EQ(s.monitors[1].every, 2.5);
  EXPECT_EQ(s.monitors[2].frequencies, (std::vector<double>{0.5, 1}));
  EXPECT_EQ(s.monitors[2].name, "near_to_far1");
}

TEST_F(FdtdFront, ResolvedCaseReadsBackToTheSameText) {
  const std::string text = resolved_toml(parse_file(full_case));
  folder_.write("resolved.toml", text);
  EXPECT_EQ(resolved_toml(parse({"resolved.toml"})), text);
  for (const char* part :
       {"[[material.pole]]", "size = [inf, 0.5]", "x = [\"pml\", \"mirror_odd\"]", "frequency = 0.25"})
    expect_contains(text, part);
}

TEST_F(FdtdFront, EveryScalarFlagReachesTheResolvedCase) {
  folder_.write("a.png", "");
  // A model in which every flag has an effect.
  folder_.write("a.toml", "[picture]\nfiles = \"a.png\"\n[[monitor]]\nkind = \"flux\"\nfrequencies = 1\n");
  const Args base{"a.toml"};
  const std::string defaults = resolved_toml(parse(base));
  int checked = 0;
  for (const auto& p : fdtd::parameters().parameters()) {
    if (p.key.empty() || p.flags.empty() || p.key == "files" || p.key == "size") continue;
    std::string value = "0.3";
    if (p.metavar == "NAME") {
      const std::string rest =
          p.values.find(", ") == p.values.npos ? "" : p.values.substr(p.values.find(", ") + 2);
      value = rest.empty() ? "other" : rest.substr(0, rest.find(", "));
    }
    if (p.metavar == "N") value = "7";
    if (p.metavar == "DIR") value = "there";
    if (p.metavar == "NAME,...") value = "Ey";
    if (p.key == "precision") value = "double";
    if (p.key == "eps_max") value = "4";
    Args args = base;
    if (p.key == "frames") args.push_back("--animation");
    args.push_back(p.is_switch && p.default_text == "true" ? p.flags.back() : p.flags.front());
    if (!p.is_switch) args.push_back(value);
    const std::string text = resolved_toml(parse(args));
    EXPECT_NE(text, defaults) << p.name();
    folder_.write("resolved.toml", text);
    EXPECT_EQ(resolved_toml(parse({"resolved.toml"})), text) << p.name();
    ++checked;
  }
  EXPECT_GT(checked, 25);
}

TEST_F(FdtdFront, APictureIsAModelAndFlagsDescribeIt) {
  folder_.write("ring.png", "");
  folder_.write("two.PNG", "");
  const auto s = parse({"ring.png",
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
                        "te"});
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
  EXPECT_EQ(s.backend, "cpu");
  EXPECT_TRUE(s.te && s.outputs.animation);
  EXPECT_FALSE(s.averaging || s.tuned || s.outputs.pictures);
  EXPECT_EQ(parse({"ring.png", "two.PNG"}).picture->files.size(), 2u);
  EXPECT_EQ(parse({"ring.png", "--gpu"}).backend, "cuda");
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
  const auto s = parse({"--resume", "run", "--steps", "9"});
  EXPECT_TRUE(s.checkpoint.resume);
  EXPECT_EQ(s.output_dir, "run");
  EXPECT_EQ(s.size[1], 3);
  EXPECT_EQ(s.stop.steps, 9);
  expect_contains(refused({"--resume", "nowhere"}), "--resume nowhere: no resolved.toml there");
}

TEST_F(FdtdFront, UnknownKeysNameFileLineAndSuggestion) {
  EXPECT_EQ(refused_file("[domain]\nsize = 4\n[[body]]\nmaterial = \"a\"\nradus = 1\n"),
            "case.toml:5: unknown key 'radus' in [[body]]; did you mean 'radius'?");
  EXPECT_EQ(refused_file("[[material]]\nname = \"a\"\n[[material.pole]]\nkin = \"drude\"\n"),
            "case.toml:4: unknown key 'kin' in [[material.pole]]; did you mean 'kind'?");
  EXPECT_EQ(refused_file("[[sorce]]\n"), "case.toml:1: unknown key 'sorce'; did you mean 'source'?");
  EXPECT_EQ(refused_file("[source]\nkind = \"point\"\n"), "case.toml:1: 'source' wants tables: [[source]]");
  EXPECT_EQ(refused({"--eps-mx", "3"}), "unknown option '--eps-mx'; did you mean '--eps-max'?");
}

TEST_F(FdtdFront, WrongValuesNameFileLineAndKey) {
  EXPECT_EQ(refused_file("[domain]\nsize = 4\n[[source]]\nkind = \"pont\"\n").substr(0, 44),
            "case.toml:4: 'source.kind' 'pont' is unknown");
  EXPECT_EQ(refused_file("[[body]]\nradius = -1\n"),
            "case.toml:2: 'body.radius' -1 is out of range (allowed: >= 0)");
  EXPECT_EQ(refused_file("[domain]\nsize = [1, 2, 3, 4]\n"),
            "case.toml:2: 'domain.size' wants one, two or three numbers, not a list of 4");
  EXPECT_EQ(refused_file("[[monitor]]\nplane_at = nan\n"),
            "case.toml:2: 'monitor.plane_at' wants a finite number, not nan");
  EXPECT_EQ(refused_file("[domain]\nsize = inf\n"),
            "case.toml:2: 'domain.size' wants a finite number, not inf");
  EXPECT_EQ(refused_file("[[monitor]]\ndirection = 2\n"),
            "case.toml:2: 'monitor.direction' wants 1 or -1, not 2");
  EXPECT_EQ(
      refused_file("[boundary]\nx = [\"pec\", \"pml\", \"pml\"]\n"),
      "case.toml:2: 'boundary.x' wants one wall, or those of the low and the high side, not a list of 3");
}

TEST_F(FdtdFront, NonsenseOfSeveralParametersIsRefusedByName) {
  const std::string domain = "[domain]\nsize = [4, 4]\n";
  expect_contains(refused({}), "there is no domain");
  expect_contains(refused({"--width", "8", "--size", "4"}), "--width has no effect (no picture is given");
  expect_contains(refused({"missing.png"}), "no such file 'missing.png'");
  expect_contains(refused({"model.bmp"}), "neither a case nor a picture");
  expect_contains(refused({"--size", "4", "--steps", "3", "--time", "2"}),
                  "each fixes the length of the run");
  expect_contains(refused({"--size", "4", "--cpu", "--gpu"}), "each chooses where to compute");
  expect_contains(refused_file("[domain]\nsize = [4, 0, 4]\n"),
                  "case.toml:2: 'domain.size' has an extent along z");
  expect_contains(refused_file("[domain]\nsize = 4\npolarization = \"te\"\n"), "case.toml:3");
  expect_contains(refused_file(domain + "[boundary]\nx = [\"periodic\", \"pml\"]\n"),
                  "case.toml:4: 'boundary.x'");
  expect_contains(refused_file(domain + "[boundary]\nbloch = [0.1]\n"), "set x = \"bloch\"");
  expect_contains(refused_file(domain + "[[source]]\nkind = \"point\"\n"),
                  "case.toml:3: source 'point1' has no frequency");
  expect_contains(refused_file(domain + "[[source]]\nfrequency = 1\nwavelength = 1\n"), "given twice");
  expect_contains(refused_file(domain + "[[source]]\nfrequency = 1\n[[source]]\nwaveform = \"samples\"\n"),
                  "case.toml:5: source 'point2' has a waveform of samples but no file");
  expect_contains(refused_file(domain + "[[body]]\nsize = 1\n"), "case.toml:3: body 1 has no material");
  expect_contains(refused_file(domain + "[[material]]\nindex = 2\n"), "case.toml:3: material 1 has no name");
  expect_contains(refused_file(domain + "[[monitor]]\nname = \"a\"\n[[monitor]]\nname = \"a\"\n"),
                  "case.toml:5: monitor 'a' has the name of an earlier one");
  expect_contains(refused_file(domain + "[[monitor]]\nkind = \"flux\"\nfrequency_from = 1\n"),
                  "range of frequencies is incomplete");
  expect_contains(refused_file(domain + "[[material]]\nname = \"a\"\nnk_file = \"no.csv\"\n"),
                  "no such file 'no.csv'");
}

// What was given and is not read changes nothing in silence.
TEST_F(FdtdFront, KeysThatTheirKindDoesNotReadAreRefusedWithLineAndReason) {
  const std::string domain = "[domain]\nsize = [4, 4]\n", body = domain + "[[body]]\nmaterial = \"silver\"\n";
  EXPECT_EQ(
      refused_file(body + "radius = 0.5\n"),
      "case.toml:5: 'radius' of body 1 has no effect (a box does not read it; sphere, cylinder, ring do) "
      "leave it out");
  for (const auto& [shape, key] :
       {std::pair("sphere", "size = 1"), std::pair("cylinder", "inner_radius = 1"),
        std::pair("ellipsoid", "height = 1"), std::pair("box", "vertices = [[0, 1]]"),
        std::pair("ring", "scale = 2"), std::pair("cylinder", "rotation = 9"),
        std::pair("sphere", "axis = [1, 0, 0]"), std::pair("box", "axis = [1, 0, 0]"),
        std::pair("prism", "file = \"a.stl\"")})
    expect_contains(refused_file(body + "shape = \"" + shape + "\"\n" + key + "\n"), "case.toml:6: '");
  const std::string source = domain + "[[source]]\nfrequency = 1\n";
  EXPECT_EQ(refused_file(source + "kind = \"plane_wave\"\ncomponent = \"Hz\"\n"),
            "case.toml:6: 'component' of source 1 has no effect (a plane_wave does not read it; point, line, "
            "box, shape do) leave it out");
  for (const char* key : {"size = 1", "cells = [[1, 1]]", "phi = 3", "mode = 2", "direction = -1",
                          "index_guess = 2", "width = 0.1", "delay = 4", "file = \"a.csv\""})
    expect_contains(refused_file(source + key + "\n"), "case.toml:5: '");
  for (const char* key :
       {"hard = true", "cells = [[1, 1]]", "ramp = 2", "theta = 30", "polarization_angle = 4"})
    expect_contains(refused_file(source + "kind = \"plane_wave\"\nwaveform = \"gaussian\"\n" + key + "\n"),
                    "case.toml:7: '");
  const std::string monitor = domain + "[[monitor]]\nkind = ";
  for (const auto& [kind, key] :
       {std::pair("series", "frequencies = 1"), std::pair("series", "size = 1"),
        std::pair("flux", "fields = \"Ez\""), std::pair("fourier", "box = true"),
        std::pair("fourier", "direction = -1"), std::pair("flux", "cells = [[1, 1]]"),
        std::pair("flux", "start = 3"), std::pair("flux", "theta = 3"), std::pair("flux", "every = 3"),
        std::pair("flux", "mode = 2"), std::pair("snapshot", "interval = 3"),
        std::pair("snapshot", "center = 1")})
    expect_contains(refused_file(monitor + "\"" + kind + "\"\n" + key + "\n"), "case.toml:5: '");
  expect_contains(refused_file(monitor + "\"snapshot\"\nevery = 1\nplane = \"x\"\n"),
                  "case.toml:6: 'plane' of monitor 1 has no effect (the domain has 2 of three dimensions)");
  expect_contains(refused_file(monitor + "\"flux\"\nfrequencies = 1\nbox = true\ndirection = -1\n"),
                  "case.toml:7: 'direction' of monitor 1 has no effect (the faces of a box count outward)");
}

TEST_F(FdtdFront, WaysToGiveAMaterialExcludeEachOther) {
  const std::string material = "[domain]\nsize = 4\n[[material]]\nname = \"a\"\n";
  EXPECT_EQ(refused_file(material + "index = 1.5\neps = 9\n"),
            "case.toml:6: 'eps' of material 1 has no effect (index says the whole material) leave it out");
  EXPECT_EQ(refused_file(material + "eps = 1\nindex = 1.5\n"),
            "case.toml:5: 'eps' of material 1 has no effect (index says the whole material) leave it out");
  for (const char* key : {"mu = 2", "sigma = 1", "sigma_magnetic = 1", "perfect_conductor = true"})
    expect_contains(refused_file(material + "index = 1.5\n" + key + "\n"), "has no effect (index says");
  expect_contains(refused_file(material + "library = \"silver\"\neps = 2\n"), "has no effect (library says");
  expect_contains(refused_file(material + "perfect_conductor = true\nsigma = 2\n"),
                  "has no effect (perfect_conductor says");
  expect_contains(refused_file(material + "index = 1.5\nat_wavelength = 2\n"), "there is none");
  expect_contains(refused_file(material + "index = 1.5\n[[material.pole]]\nstrength = 1\nomega = 3\n"),
                  "material 'a' has poles that have no effect");
  expect_contains(
      refused_file(material + "[[material.pole]]\nkind = \"drude\"\nstrength = 1\nomega = 3\n"),
      "case.toml:8: 'omega' of pole 1 of material 1 has no effect (a drude pole does not read it");
  EXPECT_EQ(refused_file(material + "mu = 2\neps = 3\n"), "accepted");
}

TEST_F(FdtdFront, FlagsAndSectionsWithoutEffectAreRefused) {
  folder_.write("a.png", "");
  const std::string line = "[domain]\nsize = 4\n", plane = "[domain]\nsize = [4, 4]\n";
  for (const char* flag : {"--width", "--height", "--depth", "--eps-max", "--wavelength"})
    EXPECT_EQ(refused({"--size", "4", flag, "8"}),
              std::string(flag) + " has no effect (no picture is given, which it describes) leave it out");
  expect_contains(refused_file(line + "[picture]\nwidth = 8\n"),
                  "case.toml:4: 'picture.width' has no effect");
  expect_contains(refused({"a.png", "--size", "4,4"}), "--size has no effect (the cells of the picture are");
  folder_.write("size.toml", plane);
  expect_contains(refused({"size.toml", "a.png"}), "size.toml:2: 'domain.size' is given beside a picture");
  expect_contains(refused_file(line + "polarization = \"tm\"\n"), "case.toml:3: 'domain.polarization'");
  expect_contains(refused_file(line + "[boundary]\ny = \"pec\"\n"), "no extent along y");
  expect_contains(refused_file(plane + "[boundary]\nz = \"pec\"\n"), "no extent along z");
  expect_contains(refused_file(plane + "[boundary]\nall = \"pec\"\n[pml]\nlayers = 8\n"), "no wall absorbs");
  expect_contains(refused({"--size", "4", "--steps", "9", "--decay", "0.1"}), "fix the length of the run");
  expect_contains(refused({"--size", "4", "--normalize"}), "no monitor has a spectrum to normalise");
  expect_contains(refused({"--size", "4", "--frames", "9"}), "there is no animation");
  expect_contains(refused({"--size", "4", "--backend", "serial", "--threads", "2"}),
                  "--threads is 2 with the backend 'serial' (which has one)");
  expect_contains(refused({"--size", "4", "--backend", "serial", "--simple-kernels"}), "has no others");
  expect_contains(refused_file(plane + "[[body]]\nmaterial = \"silver\"\nin_reference = true\n"),
                  "case.toml:5: 'in_reference' of body 1 has no effect (there is no reference run)");
  // What a flag takes the effect from may stand in the file.
  folder_.write("film.toml", plane + "[output]\nanimation = true\nframes = 9\n[stop]\ndecay = 0.1\n");
  EXPECT_FALSE(parse({"film.toml", "--no-animation", "--steps", "9"}).outputs.animation);
}

TEST_F(FdtdFront, ManualListsEverySectionAndNestedTable) {
  const std::string manual = fdtd::parameters().markdown();
  for (const char* part :
       {"`[domain]`", "`[boundary]`", "`[pml]`", "`[picture]`", "`[stop]`", "`[run]`", "`[output]`",
        "`[checkpoint]`", "`[machine]`", "`[[material]]`", "`[[material.pole]]`", "`[[body]]`",
        "`[[source]]`", "`[[monitor]]`", "`wavelength_um`"})
    expect_contains(manual, part);
  expect_contains(fdtd::parameters().help(), "--eps-max");
}

}  // namespace
