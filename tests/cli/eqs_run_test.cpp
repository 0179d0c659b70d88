// `umov eqs` as a program: what it leaves, its exit codes, interruption and resumption.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <map>
#include <sstream>

#include "support/eqs_runs.hpp"
#include "support/program.hpp"

namespace {

using namespace umov;
using test::columns;
using test::TemporaryFolder;
using test::two_layers;
namespace fs = std::filesystem;

const std::string short_time = "\n[time]\nend = 0.005\nstep = 5e-4\n";
const std::string options = "--cpu --threads 1 --quiet ";

TEST(EqsRun, LeavesEveryFileOfItsManual) {
  const TemporaryFolder folder;
  folder.write("case.toml", two_layers(short_time + R"([output]
capacitance = true
[[line]]
name = "axis"
points = [[0.0003, 0.0004, 0], [0.0003, 0.0004, 0.004]]
samples = 21
[[point]]
name = "low"
at = [0.0003, 0.0004, 0.001]
[[surface]]
group = "bottom"
)"));
  const auto end = test::run(folder, "eqs case.toml --cpu --threads 1 --output-dir out");
  ASSERT_EQ(end.code, 0) << end.err;
  for (const char* name :
       {"resolved.toml", "log", "fields.vtkhdf", "results.h5", "history.csv", "electrodes.csv",
        "materials.csv", "points.csv", "line_axis.csv", "surface_bottom.csv", "capacitance.csv",
        "overview.png", "cut_middle.png", "line_axis.png", "materials.png", "electrodes.png"})
    EXPECT_TRUE(fs::exists(folder / (std::string("out/") + name))) << name;
  EXPECT_FALSE(fs::exists(folder / "out/checkpoint"));
  EXPECT_FALSE(fs::exists(folder / "out/fields.vtkhdf.part"));
  const auto log = test::text_of(folder / "out/log");
  for (const char* part : {"unknowns", "solver:", "memory", "SDIRK3(2)", "fixed steps of 500 µs"})
    EXPECT_NE(log.find(part), log.npos) << part << "\n" << log;
  EXPECT_NE(end.out.find("memory"), end.out.npos) << end.out;
}

/// E in the field-grading layer from the differential equation of the two layers, solved to ten digits.
TEST(EqsRun, FindsTheFieldOfTheTwoLayersAtAGivenTime) {
  const TemporaryFolder folder;
  folder.write("case.toml", two_layers(R"(
[time]
end = 0.005
tolerance = 1e-5
[[point]]
name = "low"
at = [0.0003, 0.0004, 0.001]
)"));
  ASSERT_EQ(test::run(folder, "eqs case.toml " + options + "--no-pictures --output-dir out").code, 0);
  const auto table = columns(folder / "out/points.csv");
  EXPECT_NEAR(table.at("time").back(), 5e-3, 1e-12);
  // The steps' errors of 1e-5 add up over some forty of them.
  EXPECT_NEAR(table.at("low Ez").back(), 8.8080926678e5, 4e-4 * 8.8e5);
  // A field that is uniform in the layer is also its largest.
  EXPECT_NEAR(columns(folder / "out/materials.csv").at("varistor peak").back(), table.at("low E").back(),
              1e-6 * 8.8e5);
}

TEST(EqsRun, LinesShowTheJumpOfTheNormalField) {
  const TemporaryFolder folder;
  folder.write("case.toml", two_layers(R"(
[run]
analysis = "electrostatic"
[[line]]
name = "axis"
points = [[0.0003, 0.0004, 0], [0.0003, 0.0004, 0.004]]
samples = 21
)"));
  ASSERT_EQ(test::run(folder, "eqs case.toml " + options + "--no-pictures --output-dir out").code, 0);
  const auto line = columns(folder / "out/line_axis.csv");
  // eps 12 | 4, 2 mm each, 10 sqrt(2) kV: E = U / (d (1 + 12/4)) in the first, three times that in the
  // second.
  const double low = 10e3 * std::sqrt(2.0) / (2e-3 * 4);
  EXPECT_NEAR(line.at("tangential")[5], low, 1e-5 * low);
  EXPECT_NEAR(line.at("tangential")[15], 3 * low, 1e-5 * low);
  EXPECT_NEAR(line.at("normal")[5], 0, 1e-5 * low);
  EXPECT_NEAR(line.at("potential")[10], 10e3 * std::sqrt(2.0) * 0.75, 1e-2);
}

TEST(EqsRun, DryRunPrintsACaseAndNumbersAndWritesNothing) {
  const TemporaryFolder folder;
  folder.write("case.toml", two_layers(short_time));
  const auto end = test::run(folder, "eqs case.toml --dry-run --output-dir out");
  ASSERT_EQ(end.code, 0) << end.err;
  EXPECT_FALSE(fs::exists(folder / "out"));
  for (const char* part :
       {"# mesh: ", "unknowns", "# memory estimate: ", "# material 'varistor'", "# saved times: 11"})
    EXPECT_NE(end.out.find(part), end.out.npos) << part << "\n" << end.out;
  folder.write("again.toml", end.out);
  // what the machine has left changes from call to call
  const auto told = [](const std::string& out) { return out.substr(0, out.find("(this machine has")); };
  EXPECT_EQ(told(test::run(folder, "eqs again.toml --dry-run --output-dir out").out), told(end.out));
}

TEST(EqsRun, HarmonicFieldsAreSavedOverOnePeriod) {
  const TemporaryFolder folder;
  std::string text = two_layers("\n[run]\nanalysis = \"harmonic\"\n");
  text.replace(text.find("\"microvaristor\""), 15, "1e-8");
  folder.write("case.toml", text);
  const auto end = test::run(folder, "eqs case.toml " + options + "--output-dir out");
  ASSERT_EQ(end.code, 0) << end.err;
  EXPECT_TRUE(fs::exists(folder / "out/fields.vtkhdf"));
  // Two layers: E1 (kappa + j w eps1) = E2 j w eps2.
  const double w = 2 * M_PI * 50, e0 = 8.8541878128e-12, u = 10e3 * std::sqrt(2.0) / 2e-3;
  const std::complex<double> y1(1e-8, w * 12 * e0), y2(0, w * 4 * e0);
  const double wanted = std::abs(u * y2 / (y1 + y2));
  EXPECT_NEAR(columns(folder / "out/materials.csv").at("varistor peak").back(), wanted, 1e-6 * wanted);
}

TEST(EqsRun, NewtonThatDoesNotConvergeEndsWithCode3AndMarkedResults) {
  const TemporaryFolder folder;
  folder.write("case.toml",
               two_layers(short_time + "min_step = 4e-4\n[newton]\nmax_iterations = 1\ntolerance = 1e-12\n"));
  const auto end = test::run(folder, "eqs case.toml --cpu --threads 1 --no-pictures --output-dir out");
  EXPECT_EQ(end.code, 3) << end.err;
  EXPECT_NE(end.err.find("marked as not converged"), end.err.npos) << end.err;
  EXPECT_NE(test::text_of(folder / "out/log").find("converged: no"), std::string::npos);
  EXPECT_NE(test::text_of(folder / "out/history.csv").find("NOT CONVERGED"), std::string::npos);
}

TEST(EqsRun, BadInputNamesTheProblemAndEndsWithCode2) {
  const TemporaryFolder folder;
  const auto refused = [&](const std::string& more, const std::string& part) {
    folder.write("case.toml", two_layers(short_time + more));
    const auto end = test::run(folder, "eqs case.toml " + options + "--output-dir out");
    EXPECT_EQ(end.code, 2) << end.err;
    EXPECT_NE(end.err.find(part), end.err.npos) << end.err;
    EXPECT_FALSE(fs::exists(folder / "out"));
  };
  refused("[[line]]\npoints = [[1, 0, 0], [2, 0, 0]]\n", "lies outside the mesh");
  refused("[[point]]\nat = [1, 0, 0]\n", "lies outside the mesh");
  refused("[[surface]]\ngroup = \"botom\"\n", "did you mean 'bottom'?");
  refused("[[cut]]\nposition = 1\n", "misses the mesh");
  refused("[[electrode]]\nname = \"side\"\nkind = \"ground\"\n", "side");
}

std::string results_of(const TemporaryFolder& folder, const std::string& name) {
  std::string all;
  for (const char* file : {"history.csv", "electrodes.csv", "materials.csv", "points.csv", "line_axis.csv"})
    all += test::text_of(folder / (name + "/" + file));
  return all;
}

const std::string watched = R"(
[time]
periods = 1
[[line]]
name = "axis"
points = [[0.0003, 0.0004, 0], [0.0003, 0.0004, 0.004]]
samples = 21
[[point]]
name = "low"
at = [0.0003, 0.0004, 0.001]
)";

TEST(EqsRun, KilledAndResumedGivesTheSameBits) {
  const TemporaryFolder folder;
  folder.write("case.toml", two_layers(watched));
  ASSERT_EQ(test::run(folder, "eqs case.toml " + options + "--output-dir whole").code, 0);
  {
    test::Program killed(folder, "eqs case.toml " + options + "--checkpoint 0.001s --output-dir parts");
    ASSERT_TRUE(test::wait_until([&] { return fs::exists(folder / "parts/checkpoint"); }));
    killed.send(SIGKILL);
    EXPECT_EQ(killed.wait().code, 128 + SIGKILL);
  }
  ASSERT_TRUE(fs::exists(folder / "parts/fields.vtkhdf.part"));
  const auto end = test::run(folder, "eqs --resume parts --quiet");
  ASSERT_EQ(end.code, 0) << end.err;
  EXPECT_EQ(results_of(folder, "parts"), results_of(folder, "whole"));
  EXPECT_TRUE(test::text_of(folder / "parts/fields.vtkhdf") == test::text_of(folder / "whole/fields.vtkhdf"));
  const auto again = test::run(folder, "eqs --resume parts --quiet");
  EXPECT_EQ(again.code, 0);
  EXPECT_NE(again.out.find("is finished"), again.out.npos) << again.out;
}

/// Killed, interrupted as soon as it has gone on, and ended: every saved time once, the same bytes in each
/// file.
TEST(EqsRun, VtuFilesOfAStoppedRunAreThoseOfAWholeOne) {
  for (const std::string& flags : {std::string("--vtu "), std::string("--vtu --no-vtk ")}) {
    const TemporaryFolder folder;
    folder.write("case.toml",
                 two_layers("\n[time]\nend = 0.005\nstep = 1e-5\n[output]\ninterval = 0.00025\n"));
    ASSERT_EQ(test::run(folder, "eqs case.toml " + options + flags + "--output-dir whole").code, 0);
    {
      test::Program killed(folder,
                           "eqs case.toml " + options + flags + "--checkpoint 0.001s --output-dir parts");
      ASSERT_TRUE(test::wait_until([&] { return fs::exists(folder / "parts/checkpoint"); }));
      killed.send(SIGKILL);
      ASSERT_EQ(killed.wait().code, 128 + SIGKILL);
    }
    EXPECT_FALSE(fs::exists(folder / "parts/fields.pvd"));
    {
      test::Program again(folder, "eqs --resume parts --quiet");
      again.send(SIGINT);
      again.wait();  // interrupted, or done already
    }
    const auto end = test::run(folder, "eqs --resume parts --quiet");
    ASSERT_EQ(end.code, 0) << end.err;
    const std::string list = test::text_of(folder / "whole/fields.pvd");
    EXPECT_EQ(test::text_of(folder / "parts/fields.pvd"), list);
    int files = 0;
    for (const auto& entry : fs::directory_iterator(folder / "whole")) {
      const std::string name = entry.path().filename().string();
      if (entry.path().extension() != ".vtu") continue;
      ++files;
      const auto at = list.find('"' + name + '"');
      EXPECT_TRUE(at != list.npos && list.find(name, at + 2) == list.npos)
          << name << ": not once in the list";
      EXPECT_TRUE(test::text_of(folder / ("parts/" + name)) == test::text_of(entry.path())) << name;
    }
    EXPECT_EQ(files, 21) << "the start and every quarter of a millisecond";
    for (const auto& entry : fs::directory_iterator(folder / "parts"))
      EXPECT_FALSE(entry.path().filename().string().starts_with("fields") &&
                   entry.path().extension() == ".part")
          << entry.path();
  }
}

TEST(EqsRun, AnInterruptSavesAndEndsWithTheSignalsCode) {
  const TemporaryFolder folder;
  folder.write("case.toml", two_layers("\n[time]\nend = 0.5\nstep = 1e-5\n"));
  test::Program program(folder, "eqs case.toml " + options + "--output-dir out");
  ASSERT_TRUE(test::wait_until([&] { return fs::exists(folder / "out/fields.vtkhdf.part"); }));
  program.send(SIGINT);
  const auto end = program.wait();
  EXPECT_EQ(end.code, 130) << end.err;
  EXPECT_NE(end.err.find("--resume out"), end.err.npos) << end.err;
  EXPECT_TRUE(fs::exists(folder / "out/checkpoint"));
  folder.write("other.toml", two_layers("\n[time]\nend = 0.4\nstep = 1e-5\n"));
  const auto other = test::run(folder, "eqs other.toml --cpu --quiet --resume out");
  EXPECT_EQ(other.code, 2);
  EXPECT_NE(other.err.find("belongs to another case"), other.err.npos) << other.err;
  EXPECT_NE(other.err.find("([time] end, 0.5 there and 0.4 in this case or version of umov, differ)"),
            other.err.npos)
      << other.err;
  // what the run keeps of its fields goes on with it
  const auto without = test::run(folder, "eqs --cpu --quiet --no-vtk --resume out");
  EXPECT_EQ(without.code, 2);
  EXPECT_NE(without.err.find("([output] vtk, true there and false in this case"), without.err.npos)
      << without.err;
  // a checkpoint that the case beside it does not fit, as where another version wrote both
  std::string saved = test::text_of(folder / "out/resolved.toml");
  saved.replace(saved.find("end = 0.5"), 9, "end = 0.3");
  folder.write("out/resolved.toml", saved);
  const auto older = test::run(folder, "eqs --cpu --quiet --resume out");
  EXPECT_EQ(older.code, 2);
  EXPECT_NE(older.err.find("or the version of umov that wrote it"), older.err.npos) << older.err;
}

/// Which results are written is no part of the case: what is kept of its state goes on without them.
TEST(EqsRun, GoesOnWithOtherResultsThanItBeganWith) {
  for (const std::string& flags : {std::string("--pictures --no-hdf5 "), std::string("--no-pictures ")}) {
    const TemporaryFolder folder;
    folder.write("case.toml", two_layers("\n[time]\nend = 0.04\nstep = 1e-5\n[[cut]]\nname = \"c\"\n"));
    {
      test::Program program(folder, "eqs case.toml " + options + flags + "--output-dir out");
      ASSERT_TRUE(test::wait_until([&] { return fs::exists(folder / "out/fields.vtkhdf.part"); }));
      program.send(SIGINT);
      ASSERT_EQ(program.wait().code, 130);
    }
    const bool had = flags.starts_with("--pictures");
    const auto end = test::run(folder, "eqs --resume out --quiet --no-csv --hdf5 --capacitance " +
                                           std::string(had ? "--no-pictures" : "--pictures"));
    ASSERT_EQ(end.code, 0) << flags << end.err;
    EXPECT_TRUE(fs::exists(folder / "out/results.h5"));
    EXPECT_FALSE(fs::exists(folder / "out/history.csv"));
    EXPECT_EQ(fs::exists(folder / "out/cut_c.png"), !had);
  }
}

TEST(EqsRun, ARefusedResumptionNamesTheItemWhoseValueDiffers) {
  const TemporaryFolder folder;
  const std::string text = two_layers("\n[time]\nend = 0.5\nstep = 1e-5\n");
  folder.write("case.toml", text);
  {
    test::Program program(folder, "eqs case.toml " + options + "--output-dir out");
    ASSERT_TRUE(test::wait_until([&] { return fs::exists(folder / "out/fields.vtkhdf.part"); }));
    program.send(SIGINT);
    ASSERT_EQ(program.wait().code, 130);
  }
  std::string other = text;
  folder.write("other.toml", other.replace(other.find("permittivity = 4"), 16, "permittivity = 5"));
  const auto end = test::run(folder, "eqs other.toml --cpu --quiet --resume out");
  EXPECT_EQ(end.code, 2);
  EXPECT_NE(
      end.err.find("[[material]] 2 \"dielectric\" permittivity, 4 there and 5 in this case or version of "
                   "umov, differ"),
      end.err.npos)
      << end.err;
}

}  // namespace
