// `umov dda`: what files and flags mean, that the resolved case repeats the run, and what is refused.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <map>

#include "command/output_folder.hpp"
#include "core/error.hpp"
#include "dda/command/execute.hpp"
#include "dda/command/front.hpp"
#include "support/dda_case.hpp"

namespace {

using namespace umov;
using namespace umov::dda;
using Args = std::vector<std::string>;
namespace fs = std::filesystem;

class DdaFront : public testing::Test {
 protected:
  void SetUp() override {
    home_ = fs::current_path();
    folder_ = fs::temp_directory_path() / ("umov_dda_front_" + std::to_string(getpid()));
    fs::create_directories(folder_);
    fs::current_path(folder_);
  }
  void TearDown() override {
    fs::current_path(home_);
    fs::remove_all(folder_);
  }

  static void write(const std::string& file, const std::string& content) { std::ofstream(file) << content; }
  static test::DipoleCase parse(const Args& args) {
    const auto r = dda::parse(args);
    return {r.simulation, r.given.machine};
  }
  static std::string resolved(const test::DipoleCase& c) { return resolved_toml(c, c.machine); }
  static test::DipoleCase parse_file(const std::string& content) {
    write("case.toml", content);
    return parse({"case.toml"});
  }
  template <class F>
  static std::string refusal(const F& f) {
    try {
      f();
    } catch (const BadInput& e) {
      EXPECT_EQ(e.code(), Exit::bad_input);
      return e.what();
    }
    return "accepted";
  }
  static std::string refused(const Args& args) {
    return refusal([&] { parse(args); });
  }
  static std::string refused_file(const std::string& content) {
    return refusal([&] { parse_file(content); });
  }
  static void expect_start(const std::string& message, const std::string& start) {
    EXPECT_EQ(message.substr(0, start.size()), start);
  }
  static void expect_contains(const std::string& message, const std::string& part) {
    EXPECT_NE(message.find(part), std::string::npos) << message;
  }

  fs::path home_, folder_;
};

TEST_F(DdaFront, DefaultsAreTheSphereOfSixteenDipoles) {
  const auto s = parse({});
  EXPECT_EQ(s.shape.shape, "sphere");
  EXPECT_EQ(s.shape.grid, (Int3{16, 0, 0}));
  EXPECT_FALSE(s.shape.dpl);  // the shapes derive 10 max(1, |m|) = 15
  EXPECT_EQ(s.shape.max_abs_m, 1.5);
  EXPECT_EQ(s.shape.wavelength, 2 * pi);
  EXPECT_EQ(s.wavelength, 2 * pi);
  EXPECT_EQ(s.m.size(), 1u);
  EXPECT_EQ(s.m[0][2], cplx(1.5));
  EXPECT_EQ(s.solver.name, "qmr");
  EXPECT_EQ(s.solver.epsilon, 1e-5);
  EXPECT_EQ(s.precision, dda::Precision::double_);
}

TEST_F(DdaFront, RefractiveIndexHasAllItsForms) {
  const auto first = [](const std::string& m) { return parse({"--m", m}).m[0]; };
  const cplx a(1.5, 0.1);
  EXPECT_EQ(first("1.3"), (CVec3{1.3, 1.3, 1.3}));
  EXPECT_EQ(first("1.5,0.1"), (CVec3{a, a, a}));
  EXPECT_EQ(first("(1.5,0.1)"), (CVec3{a, a, a}));
  EXPECT_EQ(first("((1.5,0.1))"), (CVec3{a, a, a}));
  EXPECT_EQ(first("((1.5,0.1),(1.4,0),(1.6,0.05))"), (CVec3{a, 1.4, cplx(1.6, 0.05)}));
  EXPECT_EQ(first("(1.5,0.1),1.4,(1.6,0.05)"), (CVec3{a, 1.4, cplx(1.6, 0.05)}));
  EXPECT_EQ(first("1.3,1.4,1.6"), (CVec3{1.3, 1.4, 1.6}));
  const auto s = parse({"--m", "1.5", "--m", "2,1", "--m", "(1.1,1.2,1.3)"});
  EXPECT_EQ(s.m.size(), 3u);
  EXPECT_TRUE(s.anisotropic);
  EXPECT_EQ(s.shape.max_abs_m, std::abs(cplx(2, 1)));
  EXPECT_FALSE(parse({"--m", "1.5", "--m", "2,1"}).anisotropic);

  const auto file =
      parse_file("[[material]]\nm = [1.5, 0.1]\n[[material]]\nm = [[1.5, 0.1], 1.4, [1.6, 0.05]]\n");
  EXPECT_EQ(file.m[0], (CVec3{a, a, a}));
  EXPECT_EQ(file.m[1], (CVec3{a, 1.4, cplx(1.6, 0.05)}));
  EXPECT_EQ(parse_file("[[material]]\nm = \"(1.5,0.1)\"\n").m[0], (CVec3{a, a, a}));
}

TEST_F(DdaFront, ThesisFlagsHaveTheirMeaning) {
  write("p.dat", "0 0 0\n");
  const auto s = parse({"--shape-file",
                        "p.dat",
                        "--save-shape-file",
                        "s.geom",
                        "--lambda",
                        "0.5",
                        "--grid-unit",
                        "0.05",
                        "--no-symmetry",
                        "--iter",
                        "bicg",
                        "--ftype",
                        "float",
                        "--opencl",
                        "--grid",
                        "64",
                        "--epsilon",
                        "1e-3",
                        "--dmatrix-host",
                        "--blocking-sync",
                        "--output-dir",
                        "o",
                        "--efield",
                        "--mueller-matrix",
                        "--mem-info"});
  EXPECT_EQ(s.shape.shape, "read");
  EXPECT_EQ(s.shape.file, "p.dat");
  EXPECT_EQ(s.shape.grid, (Int3{0, 0, 0}));
  EXPECT_TRUE(s.outputs.save_geom);
  EXPECT_EQ(s.outputs.geom_file, std::filesystem::absolute("s.geom").string());
  EXPECT_DOUBLE_EQ(*s.shape.dpl, 10);
  EXPECT_EQ(s.symmetry, dda::SymmetryUse::none);
  EXPECT_EQ(s.solver.name, "bicg");
  EXPECT_EQ(s.precision, dda::Precision::single);
  EXPECT_EQ(s.machine.backend, "cuda");
  EXPECT_EQ(s.fft_grid, (Int3{64, 64, 64}));
  EXPECT_TRUE(s.machine.tensor_on_host && s.machine.blocking_sync && s.outputs.efield && s.outputs.mueller);
  EXPECT_EQ(s.machine.output_dir, "o");
  EXPECT_EQ(parse({"--shape-sphere-size", "32"}).shape.grid[0], 32);
  EXPECT_EQ(parse({"--cpu"}).machine.backend, "cpu");
  EXPECT_EQ(parse({"--gpu"}).machine.backend, "cuda");
  EXPECT_EQ(parse_file("[machine]\ndevice = 1\n").machine.backend, "cuda");  // never silently elsewhere
  EXPECT_EQ(parse({"--device", "gpu"}).machine.backend, "cuda");
  EXPECT_EQ(parse({"--device", "2"}).machine.device, 2);
  EXPECT_EQ(parse({"--device", "2"}).machine.backend, "cuda");
  EXPECT_EQ(parse({"--ftype", "ldouble"}).precision, dda::Precision::long_double);
  EXPECT_EQ(parse({"--ftype", "single"}).precision, dda::Precision::single);
  EXPECT_TRUE(dda::parse(Args{"--device", "list"}).given.list_devices);
}

TEST_F(DdaFront, FlagsOverrideTheFile) {
  write("case.toml",
        "wavelength = 0.6\n[shape]\ndpl = 12\nsize = 2\n[[material]]\nm = 1.3\n[[material]]\nm = 1.4\n");
  const auto s =
      parse({"--lambda", "0.5", "case.toml", "--m", "1.7", "--spacing", "0.025", "--eq-radius", "1"});
  EXPECT_EQ(s.wavelength, 0.5);
  EXPECT_EQ(s.m.size(), 1u);
  EXPECT_DOUBLE_EQ(*s.shape.dpl, 20);
  EXPECT_FALSE(s.shape.size);
  EXPECT_EQ(s.shape.eq_radius, 1);
}

/// What makes a case read a parameter that others leave aside.
Args needs(const ParameterInfo& p) {
  static const std::map<std::string, Args> all = {
      {"accuracy_time", {"--accuracy", "3%"}},
      {"shape.file", {"--shape", "read"}},
      {"shape.rectangular", {"--polarizability", "cm"}},
      {"shape.granule_fraction", {"--granule-diameter", "0.4"}},
      {"shape.granule_diameter", {"--granule-fraction", "0.1"}},
      {"shape.granule_domain", {"--granule-fraction", "0.1", "--granule-diameter", "0.4"}},
      {"source.kind", {"--beam-width", "2"}},
      {"source.width", {"--beam", "davis3"}},
      {"source.file_y", {"--beam", "read"}},
      {"source.file_x", {"--beam", "read", "--beam-file-y", "other.file"}},
      {"orientation.average_file", {"--orientation-average"}},
      {"method.pol_nloc_rp", {"--polarizability", "nloc"}},
      {"method.interaction_arguments", {"--interaction", "igt"}},
      {"method.fft_grid", {"--shape-grid", "8"}},
      {"solver.initial_file_y", {"--initial-field", "read"}},
      {"solver.initial_file_x", {"--initial-field", "read", "--initial-file-y", "other.file"}},
      {"output.scattering_grid_file", {"--scattering-grid"}},
      {"output.alldir_file", {"--csca"}},
      {"output.granule_positions", {"--granule-fraction", "0.1", "--granule-diameter", "0.4"}},
      {"output.geometry_format", {"--save-shape"}},
  };
  const auto found = all.find(p.name());
  return found == all.end() ? Args{} : found->second;
}

/// A value for each parameter that differs from its default and harms no other.
std::string other_value(const ParameterInfo& p) {
  if (p.metavar == "NAME") {  // the second of the choices
    if (p.section == "checkpoint") return "always";
    const std::string rest = p.values.substr(p.values.find(", ") + 2);
    return rest.substr(0, rest.find(", "));
  }
  if (p.metavar == "FILE" || p.metavar == "DIR") return "other.file";
  if (p.metavar.starts_with("X,Y,Z")) return "0.1,0.7,1e-3";
  if (p.metavar == "X,X,...") return "0.1,3";
  if (p.metavar == "N or NX,NY,NZ") return "64,70,72";
  if (p.metavar == "TIME") return "90";
  if (p.key == "accuracy") return "3%";
  if (p.metavar == "N") return "7";
  return p.repeatable ? "1.25,0.1" : "0.3";
}

TEST_F(DdaFront, ResolvedCaseReadsBackToTheSameSimulationForEveryParameter) {
  write("other.file", "0 0 0\n");
  const std::string defaults = resolved(parse({}));
  int checked = 0;
  for (const auto& p : dda::parameters().parameters()) {
    if (p.key.empty() || p.flags.empty() || p.key == "spacing") continue;
    if (p.key == "neighbours" || p.key == "case_folders") continue;  // without effect on a single simulation
    if (p.key.rfind("view", 0) == 0) continue;  // how a run is watched is no part of what it computes
    Args args;
    if (p.is_switch) {
      args = {p.default_text == "true" ? p.flags.back() : p.flags.front()};
    } else {
      args = {p.flags.front(), p.section == "source" && p.key == "kind" ? "davis3" : other_value(p)};
    }
    const Args more = needs(p);
    args.insert(args.end(), more.begin(), more.end());
    if (p.key == "backend") args[1] = "cpu";
    if (p.key == "gpus") args[1] = "all";
    if (p.key == "polarizability" || p.key == "jagged") args.insert(args.end(), {"--lambda", "0.7"});
    const std::string text = resolved(parse(args));
    EXPECT_NE(text, defaults) << p.name();
    write("resolved.toml", text);
    EXPECT_EQ(resolved(parse({"resolved.toml"})), text) << p.name();
    ++checked;
  }
  EXPECT_GT(checked, 50);
}

TEST_F(DdaFront, ResolvedCaseKeepsDerivedAndOptionalFields) {
  const auto a = parse({"--grid-unit", "0.1", "--lambda", "0.7", "--m", "((1.5,0.1),1.4,(1.6,0.05))",
                        "--granule-fraction", "0.1", "--granule-diameter", "0.3", "--checkpoint", "15m",
                        "--save-shape", "--save-shape-format", "ddscat7"});
  write("resolved.toml", resolved(a));
  const auto b = parse({"resolved.toml"});
  EXPECT_EQ(a.shape.dpl, b.shape.dpl);
  EXPECT_EQ(a.shape.max_abs_m, b.shape.max_abs_m);
  EXPECT_EQ(a.m, b.m);
  EXPECT_TRUE(b.anisotropic);
  EXPECT_EQ(a.shape.granules->diameter, b.shape.granules->diameter);
  EXPECT_EQ(b.machine.checkpoint.interval, 900);
  EXPECT_EQ(b.machine.checkpoint_kind, dda::CheckpointKind::regular);
  EXPECT_TRUE(b.outputs.geom_format_set);
  EXPECT_EQ(b.outputs.geom_format, shapes::ShapeFormat::ddscat7);
}

TEST_F(DdaFront, ResumeTakesTheCaseOfItsFolder) {
  fs::create_directory("run");
  write("run/resolved.toml", "wavelength = 0.4\n");
  const auto s = parse({"--resume", "run", "--max-iterations", "9"});
  EXPECT_TRUE(s.machine.checkpoint.resume);
  EXPECT_EQ(s.machine.checkpoint_dir, "run");
  EXPECT_EQ(s.machine.output_dir, "run");
  EXPECT_EQ(s.wavelength, 0.4);
  expect_start(refused({"--resume", "nowhere"}), "--resume nowhere: no resolved.toml there");
}

TEST_F(DdaFront, UnknownKeyNamesFileLineAndSuggestion) {
  EXPECT_EQ(refused_file("wavelength = 1\n\n[solver]\nepsilom = 1e-4\n"),
            "case.toml:4: unknown key 'epsilom' in [solver]; did you mean 'epsilon'?");
  EXPECT_EQ(refused({"--epsilom", "1e-4"}), "unknown option '--epsilom'; did you mean '--epsilon'?");
}

TEST_F(DdaFront, ASolverWithAnOrderTakesANumberFromOneToFifty) {
  for (const char* name : {"mlbicgstab", "mlbicgstab_orig", "mlbicgstab_ss", "rbicgstab"}) {
    EXPECT_EQ(parse({"--iter", name}).solver.name, name);
    for (const char* order : {",1", ",8", ",50"})
      EXPECT_EQ(parse({"--iter", std::string(name) + order}).solver.name, std::string(name) + order);
    for (const char* order : {",", ",0", ",51", ",-1", ",2.5", ",2,3", ", x", ",99999999999999999999"})
      expect_contains(refused({"--iter", std::string(name) + order}),
                      "wants a whole number from 1 to 50 behind the comma");
  }
  expect_contains(refused({"--iter", "qmr,3"}), "mlbicgstab_ss");
  expect_contains(refused_file("[solver]\nname = \"rbicgstab,0\"\n"), "case.toml:2");
}

TEST_F(DdaFront, SyncAsksCudaToFinishEveryLaunch) {
  unsetenv("CUDA_LAUNCH_BLOCKING");
  parse({"--cpu"});
  EXPECT_EQ(getenv("CUDA_LAUNCH_BLOCKING"), nullptr);
  parse({"--cpu", "--sync"});  // of no effect there, and no mistake
  const char* blocking = getenv("CUDA_LAUNCH_BLOCKING");
  ASSERT_NE(blocking, nullptr);
  EXPECT_EQ(std::string(blocking), "1");
  unsetenv("CUDA_LAUNCH_BLOCKING");
}

TEST_F(DdaFront, VacuumAsMaterialIsRefused) {
  expect_start(refused({"--m", "1"}), "--m: material 1 has a refractive index of exactly 1");
  expect_start(refused({"--m", "((1.5,0),(1,0),1.4)"}),
               "--m: material 1 has a refractive index of exactly 1");
  expect_start(refused_file("[[material]]\nm = 1.2\n[[material]]\nm = [1.0, 0.0]\n"),
               "case.toml:4: 'material.m': material 2 has a refractive index of exactly 1");
  EXPECT_NO_THROW(parse({"--m", "1,0.001"}));
  EXPECT_NO_THROW(parse({"--m", "1", "--medium", "1.33"})) << "a void scatters";
}

TEST_F(DdaFront, WrongSyntaxOfMIsRefused) {
  for (const char* m : {"(1.5,0.1", "1.5)", "1.5,0.1,", "", "()", "a", "1.5+", "((1,2,3),1,1)", "1,2,3,4",
                        "nan", "1.5,nan", "((1.5,0.1),(1.4,0))", "inf"}) {
    const std::string message = refused({"--m", m});
    expect_start(message, std::string("--m ") + m);
  }
}

TEST_F(DdaFront, NotANumberIsRefusedAnywhere) {
  for (const auto& p : dda::parameters().parameters()) {
    if (p.flags.empty() || p.metavar.find('X') == std::string::npos) continue;
    expect_start(refused({p.flags[0], "nan"}), p.flags[0] + " nan: ");
    expect_start(refused({p.flags[0], "1,nan,2"}), p.flags[0] + " 1,nan,2: ");
  }
  for (const char* line : {"wavelength = nan", "[shape]\nsize = nan", "[shape]\narguments = [nan]",
                           "[[material]]\nm = [1.5, nan]", "[source]\npropagation = [0, 0, inf]"})
    expect_contains(refused_file(line), "wants a finite number");
}

TEST_F(DdaFront, NegativeAndZeroSizesAreRefused) {
  for (const char* flag : {"--size", "--eq-radius", "--dpl", "--grid-unit", "--lambda"})
    for (const char* value : {"-1", "0"})
      expect_contains(refused({flag, value}), "is out of range (allowed: > 0)");
  expect_contains(refused({"--shape-sphere-size", "-16"}), "-16 is out of range");
  expect_contains(refused({"--shape-grid", "16,-1,2"}), "-1 is out of range");
  expect_contains(refused({"--epsilon", "0"}), "out of range");
}

TEST_F(DdaFront, UnknownSolverIsRefusedWithTheList) {
  const std::string message = refused({"--iter", "qmrr"});
  expect_start(message, "--iter qmrr: 'qmrr' is unknown (choose from ");
  for (const char* name : {"qmr", "bicg", "bicgstab", "cgnr"}) expect_contains(message, name);
  expect_contains(message, "did you mean 'qmr'?");
}

TEST_F(DdaFront, LongDoubleIsNamedByItsOwnWord) {
  for (const char* word : {"long double", "long_double", "longdouble"})
    expect_contains(refused({"--ftype", word}), "'ldouble'");
}

TEST_F(DdaFront, MissingFilesAreRefused) {
  expect_start(refused({"nothing.toml"}), "nothing.toml: no such file");
  expect_start(refused({"--shape-file", "no.dat"}), "--shape-file: no such file 'no.dat'");
  expect_start(refused_file("[shape]\nname = \"read\"\nfile = \"no.dat\"\n"),
               "case.toml:3: 'shape.file': no such file 'no.dat'");
  expect_start(refused_file("[shape]\nname = \"read\"\n"), "case.toml:2: 'shape.name' is 'read' but no file");
}

TEST_F(DdaFront, GridSmallerThanTwiceTheParticleIsRefused) {
  expect_contains(refused({"--grid", "31"}), "--grid is 31 along x (smaller than twice the particle");
  expect_contains(refused({"--shape-sphere-size", "20", "--grid", "64,64,39"}), "give at least 40");
  expect_contains(refused({"--jagged", "2", "--grid", "32"}), "give at least 64");
  expect_contains(refused({"--grid", "64,0,64"}), "is 0 along y");
  EXPECT_NO_THROW(parse({"--grid", "32"}));
}

TEST_F(DdaFront, ContradictionsAreRefused) {
  write("p.dat", "0 0 0\n");
  expect_contains(refused({"--dpl", "10", "--grid-unit", "0.1"}), "are both given");
  expect_contains(refused({"--size", "1", "--eq-radius", "0.1"}), "are both given");
  expect_contains(refused({"--shape-file", "p.dat", "--shape-sphere-size", "8"}), "are both given");
  expect_contains(refused({"--cpu", "--opencl"}), "are both given");
  expect_contains(refused({"--ftype", "ldouble", "--device", "gpu"}), "ldouble on a GPU");
  expect_contains(refused({"--propagation", "0,0,0"}), "is zero");
  expect_contains(refused({"--granule-fraction", "0.1"}), "is given alone");
  expect_contains(refused({"--checkpoint-kind", "regular"}), "needs an interval");
  expect_contains(refused({"a.toml", "b.toml"}), "'b.toml' is left over");
}

TEST_F(DdaFront, NumberedFoldersCountUpAndLatestFollows) {
  const auto s = [] { return folder_stem(parse({})); };
  std::string second;
  EXPECT_EQ(command::OutputFolder("", s).path(), "run000_sphere_g16_m1.5");
  { second = command::OutputFolder("", s).path(); }
  EXPECT_EQ(second, "run001_sphere_g16_m1.5");
  EXPECT_EQ(fs::read_symlink("latest").string(), second);
  EXPECT_TRUE(fs::is_empty(second));
}

TEST_F(DdaFront, TwoRunsIntoOneFolderAreRefused) {
  const auto s = [] { return folder_stem(parse({})); };
  {
    const command::OutputFolder first("shared", s);
    expect_contains(refusal([&] { command::OutputFolder("shared", s); }), "another run is writing into it");
  }
  EXPECT_NO_THROW(command::OutputFolder("shared", s));
}

TEST_F(DdaFront, UnwritableFolderIsRefused) {
  write("file", "");
  const auto stem = [] { return std::string("stem"); };
  expect_start(refusal([&] { command::OutputFolder("file", stem); }), "--output-dir file: cannot be written");
  expect_start(refusal([&] { command::OutputFolder("/proc/umov", stem); }),
               "--output-dir /proc/umov: cannot be written");
}

}  // namespace
