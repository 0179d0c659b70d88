// `umov eqs`: what files and flags mean, that the resolved case repeats the run, and what is refused.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "core/error.hpp"
#include "eqs/command/front.hpp"
#include "support/eqs_runs.hpp"
#include "support/places.hpp"
#include "support/program.hpp"

namespace {

using namespace umov;
using namespace umov::eqs;
using Args = std::vector<std::string>;
namespace fs = std::filesystem;

class EqsFront : public testing::Test {
 protected:
  EqsFront() { fs::current_path(folder_.path()); }
  ~EqsFront() override { fs::current_path(home_); }

  static Simulation parse(const Args& args) { return eqs::parse(args).simulation; }
  static std::string resolved(const Args& args) {
    const auto r = eqs::parse(args);
    return resolved_toml(r.simulation, r.given.machine);
  }
  Simulation parse_file(const std::string& content, const Args& flags = {}) {
    folder_.write("case.toml", content);
    Args args{"case.toml"};
    args.insert(args.end(), flags.begin(), flags.end());
    return parse(args);
  }
  std::string refused(const std::string& content, const Args& flags = {}) {
    try {
      parse_file(content, flags);
    } catch (const BadInput& e) {
      return e.what();
    }
    return "accepted";
  }
  static void expect_contains(const std::string& message, const std::string& part) {
    EXPECT_NE(message.find(part), std::string::npos) << message;
  }

  fs::path home_ = fs::current_path();
  test::TemporaryFolder folder_;
};

const std::string time_section = "\n[time]\nperiods = 2\n";

/// Every section and almost every key, none at its default.
constexpr const char* full_case = R"toml([run]
analysis = "transient"

[mesh]
refine = 1
order = 2
symmetry = ["x", "y"]

[geometry]
kind = "parts"
domain_shape = "cylinder"
domain_region = "gas"
low = [-1, -1, 0]
high = [1, 1, 2]
cut = ["x"]
mesh_size = 0.2
growth = 0.5
curvature = 16

[time]
end = 0.05
frequency = 60
scheme = "esdirk3"
first_step = 1e-5
min_step = 1e-8
max_step = 1e-3
tolerance = 1e-4

[newton]
tolerance = 1e-9
max_iterations = 30
forcing = "adaptive"

[solver]
tolerance = 1e-11
max_iterations = 200
preconditioner = "amg"
start_vector = "pod-renewed"
start_solutions = 15
start_directions = 12
smoother = "jacobi"
degree = 3
strength = 0.08
coarsest = 100
max_levels = 9
single_precision = false
reuse_growth = 1.5

[output]
folder = "there"
interval = 1e-3
times = [0.0123]
vtk = false
hdf5 = false
csv = false
pictures = false
capacitance = true
write_systems = "systems"
systems_every = 7
systems_most = 12

[checkpoint]
interval = "15m"

[machine]
backend = "cuda"
device = 3
threads = 0

[[part]]
region = "rod"
shape = "sheds"
center = [0, 0, 1]
radius = 0.02
height = 1.5
shed_count = 9
shed_radius = 0.06
shed_radius_small = 0.05
shed_thickness = 0.01
shed_tip = 0.004
shed_slope = 5
shed_margin = 0.1
fillet = 0.001
mesh_size = 0.01

[[part]]
region = "cap"
shape = "revolution"
conductor = true
surface_group = true
profile = [[0, 0], [0.1, 0], [0.1, 0.2]]
angle = 180
start = 30
copies = 3
shift = [0, 0.1, 0]
turn = 15

[[material]]
name = "gas"

[[material]]
name = "housing"
regions = ["rod"]
permittivity_table = [[0, 3], [1e6, 3.5]]
conductivity_formula = "1e-10 * (1 + (E / 5e5)^4)"

[[material]]
name = "strip"
permittivity = 12
conductivity = "microvaristor"
conductivity_parameters = [1e-10, 1864, 0.7e6, 2.4e6]

[[electrode]]
name = "phase"
groups = ["cap", "cap_surface"]
rms = 1000
phase = 120
ramp = "smooth"
ramp_time = 0.02

[[electrode]]
name = "surge"
waveform = "impulse"
amplitude = -5e3
front = 1e-6
tail = 4e-5

[[electrode]]
name = "switch"
waveform = "step"
amplitude = 7
rise = 1e-3

[[electrode]]
name = "ring"
kind = "floating"
charge = 1e-9

[[electrode]]
name = "earth"
kind = "ground"
groups = ["z_min"]

[[line]]
name = "creepage"
points = [[0, 0, 0], [0.1, 0, 0], [0.1, 0, 1]]
samples = 33

[[point]]
at = [0.1, 0.2, 0.3]

[[surface]]
group = "cap"

[[cut]]
normal = "x"
position = 0.25
window = [0, 1, -1, 2]
pixels = 500
)toml";

TEST_F(EqsFront, ReadsEveryKeyOfAFile) {
  const auto s = parse_file(full_case);
  EXPECT_EQ(s.mesh.refine, 1);
  EXPECT_EQ(s.mesh.order, 2);
  ASSERT_TRUE(s.mesh.geometry);
  EXPECT_EQ(s.mesh.geometry->domain_region, "gas");
  ASSERT_EQ(s.mesh.geometry->parts.size(), 2u);
  EXPECT_EQ(s.mesh.geometry->parts[0].shed_slope, 5);
  EXPECT_EQ(s.mesh.geometry->parts[1].profile[2], (std::array<double, 2>{0.1, 0.2}));
  EXPECT_EQ(s.symmetry, (std::vector<std::string>{"x", "y"}));
  EXPECT_EQ(s.time.scheme, Scheme::esdirk3);
  EXPECT_EQ(s.linear.amg.smoother, amg::Smoother::jacobi);
  EXPECT_EQ(s.linear.start_vector, StartVector::pod_renewed);
  EXPECT_EQ(s.linear.start_solutions, 15);
  EXPECT_EQ(s.linear.start_directions, 12);
  EXPECT_EQ(s.outputs.systems.folder, "systems");
  EXPECT_EQ(s.outputs.systems.every, 7);
  EXPECT_EQ(s.outputs.systems.most, 12);
  EXPECT_EQ(s.newton.forcing, ForcingTerm::adaptive);
  EXPECT_EQ(s.outputs.times, std::vector<double>{0.0123});
  EXPECT_EQ(eqs::parse(Args{"case.toml"}).given.machine.checkpoint.interval, 900);
  ASSERT_EQ(s.materials.size(), 3u);
  EXPECT_EQ(s.materials[0].permittivity.value, 1);
  EXPECT_EQ(s.materials[0].conductivity.value, 0);
  EXPECT_EQ(s.materials[1].permittivity.kind, CurveSpec::Kind::table);
  EXPECT_EQ(s.materials[1].permittivity.values, (std::vector<double>{3, 3.5}));
  EXPECT_EQ(s.materials[1].conductivity.kind, CurveSpec::Kind::formula);
  EXPECT_EQ(s.materials[2].conductivity.named, "microvaristor");
  EXPECT_EQ(s.materials[2].conductivity.parameters[1], 1864);
  ASSERT_EQ(s.electrodes.size(), 5u);
  EXPECT_DOUBLE_EQ(s.electrodes[0].waveform.amplitude, 1000 * std::sqrt(2.0));
  EXPECT_EQ(s.electrodes[0].waveform.frequency, 60);  // that of [time]
  EXPECT_EQ(s.electrodes[3].charge, 1e-9);
  EXPECT_EQ(s.outputs.lines[0].points[2], (Vec3{0.1, 0, 1}));
  EXPECT_EQ(s.outputs.points[0].name, "point1");
  EXPECT_EQ(s.outputs.surfaces[0].name, "cap");
  EXPECT_EQ(s.outputs.cuts[0].normal, 0);
  EXPECT_EQ((*s.outputs.cuts[0].window)[3], 2);
}

/// They were passed over in silence.
TEST_F(EqsFront, KeysThatAKindDoesNotReadAreRefusedWithFileAndLine) {
  const std::string
      parts =
          "[geometry]\nlow = [-1, -1, -1]\nhigh = [1, 1, 1]\nmesh_size = 0.2\n[[part]]\nregion = "
          "\"p\"\nshape = \"",
      rest =
          "\n[[material]]\nname = \"p\"\n[[material]]\nname = \"air\"\n[[electrode]]\nname = \"x\"\n"
          "groups = [\"x_min\"]\namplitude = 1\n" +
          time_section;
  for (const auto& [shape, key, why] :
       {std::tuple{"box\"\nsize = [1, 1, 1]", "radius = 0.1",
                   "a box does not read it; cylinder, cone, sphere, torus, sheds do"},
        {"sphere\"\nradius = 0.5", "angle = 360", "a sphere does not read it; cylinder, cone, revolution do"},
        {"cylinder\"\nradius = 0.5\nheight = 1", "start = 20",
         "a sector starts there, and this is a full turn"},
        {"cylinder\"\nradius = 0.5\nheight = 1", "turn = 20", "it parts copies, and there is one part"},
        {"cone\"\nradius = 0.5\nheight = 1", "shed_tip = 0", "a cone does not read it; sheds does"}}) {
    expect_contains(refused(parts + shape + "\n" + key + rest),
                    fmt::format(" has no effect ({}); leave it out", why));
    expect_contains(refused(parts + shape + "\n" + key + rest), "case.toml:");
  }
  const auto layers = [&](const std::string& more) { return refused(test::two_layers(time_section + more)); };
  EXPECT_EQ(layers(""), "accepted");
  const auto linear = [&](const std::string& more) {
    std::string text = test::two_layers(time_section + more);
    const std::string curve = "\"microvaristor\"";
    text.replace(text.find(curve), curve.size(), "1e-9");
    return refused(text);
  };
  EXPECT_EQ(linear("[newton]\nforcing = \"fixed\"\n"), "accepted");  // the default, as resolved cases say it
  expect_contains(linear("[newton]\nforcing = \"adaptive\"\n"), "no material depends on the field");
  expect_contains(layers("[solver]\npreconditioner = \"jacobi\"\ndegree = 3\n"),
                  "the preconditioner is no multigrid");
  expect_contains(
      refused(test::two_layers("[run]\nanalysis = \"conduction\"\n[solver]\nstart_vector = \"pod\"\n")),
      "it is for the many systems of time steps");
  expect_contains(layers("[[electrode]]\nname = \"e\"\namplitude = 1\nfront = 1.2e-6\n"),
                  "a sine does not read it; impulse does");
  expect_contains(layers("[[electrode]]\nname = \"e\"\nkind = \"ground\"\nphase = 0\n"),
                  "a grounded electrode does not read it");
  expect_contains(
      refused(
          "[geometry]\nkind = \"layers\"\nwidth = 1\nangle = 3\n[[layer]]\nregion = \"p\"\nthickness = 1\n" +
          rest),
      "a geometry of kind 'layers' does not read it; coaxial, spherical do");
}

TEST_F(EqsFront, NumbersOfStartVectorsHaveBoundsAndAKind) {
  const auto solver = [&](const std::string& keys) {
    return refused(test::two_layers(time_section + "[solver]\n" + keys + "\n"));
  };
  EXPECT_EQ(solver("start_solutions = 31\nstart_directions = 31"), "accepted");
  for (const char* key : {"start_solutions", "start_directions"}) {
    for (const char* value : {" = 32", " = -1", " = 2.5"}) {
      expect_contains(solver(std::string(key) + value), key);
      expect_contains(solver(std::string(key) + value), "case.toml:");
    }
    expect_contains(solver(std::string("start_vector = \"last\"\n") + key + " = 5"),
                    "no start is made of earlier solutions");
  }
  expect_contains(solver("start_directions = 11"), "give 10 at most");
  expect_contains(solver("start_vector = \"pod\"\nstart_solutions = 5\nstart_directions = 6"),
                  "give 5 at most");
}

TEST_F(EqsFront, TheResolvedCaseRepeatsTheRun) {
  for (const std::string& text : {std::string(full_case), test::two_layers(time_section)}) {
    folder_.write("case.toml", text);
    const std::string once = resolved({"case.toml"});
    folder_.write("again.toml", once);
    EXPECT_EQ(resolved({"again.toml"}), once);
  }
}

TEST_F(EqsFront, AStepOnTheCommandLineTakesTheFilesToleranceAway) {
  const auto s = parse_file(test::two_layers("[time]\nperiods = 1\ntolerance = 1e-4\n"), {"--step", "5e-4"});
  EXPECT_EQ(s.time.tolerance, TimeSpec{}.tolerance);
}

TEST_F(EqsFront, FlagsOverrideTheFile) {
  const auto s = parse_file(test::two_layers(time_section),
                            {"--end", "0.01", "--step", "5e-4", "--order", "2", "--no-vtk"});
  EXPECT_EQ(s.time.end, 0.01);
  EXPECT_FALSE(s.time.periods);
  EXPECT_EQ(s.time.step, 5e-4);
  EXPECT_EQ(s.mesh.order, 2);
  EXPECT_FALSE(s.outputs.vtk);
}

TEST_F(EqsFront, AMeshFileOnTheCommandLineReplacesTheGeometry) {
  folder_.write("a.msh", "");
  const auto s = parse_file(test::two_layers(time_section), {"--mesh", "a.msh", "--unit", "mm"});
  EXPECT_FALSE(s.mesh.geometry);
  EXPECT_EQ(s.mesh.unit, 1e-3);
}

TEST_F(EqsFront, AnUnknownUnitIsRefusedWithTheWayToGiveIt) {
  const auto text = refused("[mesh]\nfile = \"a.msh\"\nunit = \"nm\"\n");
  expect_contains(text, "'nm' is unknown (choose from m, cm, mm, um, or give a number of metres, as 1e-9)");
  EXPECT_EQ(text.find("did you mean"), text.npos) << text;
}

TEST_F(EqsFront, NamesAnUnknownKeyWithItsLineAndTheLikelyOne) {
  const auto text = refused("[time]\nperiods = 2\ntolerence = 1e-3\n");
  expect_contains(text, "case.toml:3: unknown key 'tolerence' in [time]; did you mean 'tolerance'?");
  expect_contains(refused("[[material]]\nname = \"a\"\npermitivity = 3\n"),
                  "case.toml:3: unknown key 'permitivity' in [[material]]; did you mean 'permittivity'?");
}

TEST_F(EqsFront, RefusesWhatIsOutOfRange) {
  expect_contains(refused("[time]\ntolerance = 2\n"), "case.toml:2: 'time.tolerance'");
  expect_contains(refused("[mesh]\norder = 3\n"), "case.toml:2: 'mesh.order'");
  expect_contains(refused("[[material]]\nname = \"a\"\npermittivity = -1\n"),
                  "case.toml:3: 'material.permittivity'");
  expect_contains(refused("[[material]]\nname = \"a\"\nconductivity = \"varistor\"\n"), "microvaristor");
  expect_contains(refused("[mesh]\nunit = \"inch\"\n"), "m, cm, mm, um");
}

TEST_F(EqsFront, RefusesContradictionsByFileAndLine) {
  folder_.write("a.msh", "");
  expect_contains(refused(test::two_layers(time_section + "\n[mesh]\nfile = \"a.msh\"\n")), "each is a mesh");
  expect_contains(refused(test::two_layers("\n[time]\nperiods = 2\nend = 1\n")),
                  "each says how long the run is");
  expect_contains(refused(test::two_layers()), "the run has no end");
  expect_contains(refused(test::two_layers("\n[time]\nend = 0.01\nstep = 0.02\n")),
                  "longer than the whole run");
  expect_contains(refused(test::two_layers("\n[time]\nend = 0.01\nstep = 0.001\nmax_step = 0.002\n")),
                  "a fixed step is not controlled");
  const auto twice = refused(test::two_layers(time_section + "[[material]]\nname = \"c\"\nconductivity = 1\n"
                                                             "conductivity_formula = \"E\"\n"));
  expect_contains(twice, "case.toml:36: material 'c': its conductivity is given twice");
  expect_contains(
      refused(test::two_layers(time_section + "[[electrode]]\nname = \"x\"\namplitude = 1\nrms = 1\n")),
      "electrode 'x': amplitude and rms are both given");
  expect_contains(refused(test::two_layers(time_section + "[[electrode]]\nname = \"x\"\n")),
                  "electrode 'x' is driven but has no amplitude");
  expect_contains(refused(test::two_layers(
                      time_section + "[[electrode]]\nname = \"x\"\nkind = \"ground\"\namplitude = 1\n")),
                  "electrode 'x' is ground but has an amplitude");
  expect_contains(
      refused(test::two_layers(time_section + "[[electrode]]\nname = \"top\"\nkind = \"ground\"\n")),
      "has the name of an earlier one");
  expect_contains(refused(test::two_layers("[run]\nanalysis = \"harmonic\"\n")),
                  "harmonic (which is linear)");
  expect_contains(refused(test::two_layers(time_section), {"--cpu", "--gpu"}),
                  "each chooses where to compute");
}

TEST_F(EqsFront, RefusesPlacesThatMeanNothing) {
  expect_contains(refused(test::two_layers(time_section + "[[line]]\npoints = [[0, 0, 0]]\n")),
                  "line 'line1' has fewer than two points");
  expect_contains(refused(test::two_layers(time_section + "[[line]]\npoints = [[0, 0, 0], [0, 0, 0]]\n")),
                  "the same point twice");
  expect_contains(refused(test::two_layers(time_section + "[[line]]\nname = \"a/b\"\n")),
                  "files are called after it");
  expect_contains(refused(test::two_layers(time_section + "[[surface]]\nname = \"s\"\n")), "has no group");
  expect_contains(refused(test::two_layers(time_section + "[[cut]]\nwindow = [1, 0, 0, 1]\n")),
                  "empty window");
  expect_contains(refused(test::two_layers("\n[time]\nend = 0.01\n[output]\ntimes = [0.02]\n")),
                  "after the end");
}

TEST_F(EqsFront, SteadyStateIsOnePeriodOfImplicitSteps) {
  const std::string steady = "\n[time]\nsteady_state = true\n";
  for (const std::string more : {"", "periods = 1\n", "end = 0.02\n"}) {
    const Simulation s = parse_file(test::two_layers(steady + more));
    EXPECT_TRUE(s.time.steady_state);
    EXPECT_EQ(s.time.moment(), 0.02);
    EXPECT_EQ(resolved_toml(parse_file(resolved_toml(s))), resolved_toml(s));
  }
  expect_contains(refused(test::two_layers(steady + "periods = 2\n")), "the run is one period of");
  expect_contains(refused(test::two_layers(time_section), {"--steady-state"}), "the run is one period of");
  expect_contains(refused(test::two_layers(steady + "end = 0.04\n")), "leave it out");
  expect_contains(refused(test::two_layers(steady + "scheme = \"rkc\"\n")), "take sdirk3");
  expect_contains(refused(test::two_layers(steady), {"--scheme", "auto"}), "take sdirk3");
  expect_contains(refused(test::two_layers(steady + "most_periods = 2\n")), "most_periods");
}

TEST_F(EqsFront, SaysWhatIsMissing) {
  expect_contains(refused("[time]\nperiods = 1\n"), "there is no mesh");
  expect_contains(refused("[mesh]\nfile = \"none.msh\"\n"), "no such file 'none.msh'");
  expect_contains(refused("[geometry]\nkind = \"coaxial\"\n"), "there is no layer");
  expect_contains(refused("[[layer]]\nregion = \"a\"\nthickness = 1\n"), "'geometry.kind' is missing");
  folder_.write("a.msh", "");
  expect_contains(refused("[mesh]\nfile = \"a.msh\"\n"), "there is no material");
  expect_contains(refused("[mesh]\nfile = \"a.msh\"\n[[material]]\nname = \"a\"\n"), "there is no electrode");
}

TEST_F(EqsFront, TheManualHasTheTablesOfTheProgram) {
  const auto manual = test::text_of(test::repository() / "docs/guide/eqs.md");
  EXPECT_NE(manual.find(eqs::parameters().markdown()), std::string::npos)
      << "paste the output of `umov eqs --help-markdown` into docs/guide/eqs.md";
}

}  // namespace
