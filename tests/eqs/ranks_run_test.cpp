// `umov eqs` on ranks of one process and of mpirun: the files of one rank, a resumed run, refusals.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

#include "support/ranked_program.hpp"
#include "support/temp_folder.hpp"

namespace umov::eqs {
namespace {

namespace fs = std::filesystem;
using umov::test::mpirun, umov::test::parted, umov::test::text_of;
using Ended = umov::test::RankedEnd;

/// Tables of two runs: the same words, and numbers that differ by what solves to 1e-12 of the fluxes (Newton:
/// 1e-8) leave.
void expect_same_tables(const fs::path& one, const fs::path& other, const std::string& but = "") {
  int compared = 0;
  for (const auto& entry : fs::recursive_directory_iterator(one)) {
    if (entry.path().extension() != ".csv" || entry.path().filename() == but) continue;
    const auto name = fs::relative(entry.path(), one);
    ASSERT_TRUE(fs::exists(other / name)) << name;
    const auto [a, words] = parted(text_of(one / name));
    const auto [b, other_words] = parted(text_of(other / name));
    ASSERT_EQ(a.size(), b.size()) << name;
    EXPECT_EQ(words, other_words) << name;
    double largest = 0;
    for (const double v : a) largest = std::max(largest, std::abs(v));
    for (std::size_t i = 0; i < a.size(); ++i) ASSERT_NEAR(a[i], b[i], 1e-6 * largest) << name;
    ++compared;
  }
  EXPECT_GE(compared, 2);
}

/// Fixed steps: of controlled ones the lengths would differ by the solvers' last digits, too.
const std::string steps_of_ranks_run =
    "[mesh]\norder = 1\n"
    "[geometry]\nkind = \"layers\"\nwidth = 0.002\nelements_across = 4\n"
    "[[layer]]\nregion = \"gas\"\nthickness = 0.002\nelements = 5\n"
    "[[layer]]\nregion = \"film\"\nthickness = 0.001\nelements = 4\n"
    "[[material]]\nname = \"gas\"\nconductivity = 1e-12\n"
    "[[material]]\nname = \"film\"\npermittivity = 12\nconductivity_formula = \"1e-10 * (1 + (E / 5e5)^4)\"\n"
    "[[electrode]]\nname = \"bottom\"\namplitude = 2000\n"
    "[[electrode]]\nname = \"top\"\nkind = \"ground\"\n"
    "[[line]]\nname = \"axis\"\npoints = [[0.001, 0.001, 0], [0.001, 0.001, 0.003]]\n"
    "[time]\nperiods = 0.5\nstep = 5e-4\n"
    "[output]\ncsv = true\n";

class EqsRanksRun : public testing::Test {
 protected:
  EqsRanksRun() { std::ofstream(folder_.path / "case.toml") << steps_of_ranks_run; }
  Ended run(const std::string& words, const std::string& before = "") const {
    return umov::test::umov_in(folder_.path, "eqs case.toml --cpu --no-pictures " + words, before);
  }
  fs::path out(const std::string& name) const { return folder_.path / name; }
  umov::test::TempFolder folder_;
};

TEST_F(EqsRanksRun, LeavesTheTablesOfOneRank) {
  const Ended one = run("--output-dir one");
  ASSERT_EQ(one.code, 0) << one.text;
  for (const int ranks : {2, 3}) {
    const std::string name = "ranks" + std::to_string(ranks);
    const Ended several = run("--ranks " + std::to_string(ranks) + " --output-dir " + name);
    ASSERT_EQ(several.code, 0) << several.text;
    expect_same_tables(out("one"), out(name));
    EXPECT_NE(text_of(out(name) / "log").find("ranks: " + std::to_string(ranks) + " (threads)"),
              std::string::npos)
        << text_of(out(name) / "log");
  }
  for (const std::string mpi : {"openmpi", "mpich"}) {
    const std::string launcher = mpirun(mpi, 2);
    if (launcher.empty()) continue;
    const Ended several = run("--output-dir " + mpi, launcher);
    ASSERT_EQ(several.code, 0) << several.text;
    expect_same_tables(out("one"), out(mpi));
    EXPECT_NE(text_of(out(mpi) / "log").find("ranks: 2"), std::string::npos);
    // the same bits as from threads
    EXPECT_EQ(text_of(out(mpi) / "history.csv"), text_of(out("ranks2") / "history.csv"));
  }
}

TEST_F(EqsRanksRun, SteadyStateLeavesTheTablesOfOneRank) {
  const std::string words = "--steady-state --periods 1 --output-dir ";
  const Ended one = run(words + "one");
  ASSERT_EQ(one.code, 0) << one.text;
  EXPECT_NE(text_of(out("one") / "log").find("periods marched, by halves"), std::string::npos);
  for (const std::string ranks : {"2", "3"}) {
    const Ended several = run("--ranks " + ranks + " " + words + "ranks" + ranks);
    ASSERT_EQ(several.code, 0) << several.text;
    // the start of the last period differs by rounding, which some step takes an iteration more for
    expect_same_tables(out("one"), out("ranks" + ranks), "history.csv");
  }
}

/// MB behind these words; 0: they are not there.
double megabytes_after(const std::string& text, const std::string& words) {
  const auto at = text.find(words);
  if (at == std::string::npos) return 0;
  double number = 0;
  char unit[8] = "";
  if (std::sscanf(text.c_str() + at + words.size(), "%lf %7[A-Za-z]", &number, unit) != 2) return 0;
  return number * (std::string(unit) == "GB" ? 1e3 : std::string(unit) == "kB" ? 1e-3 : 1);
}

TEST_F(EqsRanksRun, ADryRunSaysWhetherRanksHaveRoom) {
  const std::string words = "--order 2 --refine 1 --ranks 2 ";
  const Ended dry = run(words + "--dry-run");
  ASSERT_EQ(dry.code, 0) << dry.text;
  EXPECT_NE(dry.text.find("# fits this machine ("), std::string::npos) << dry.text;
  const double said = megabytes_after(dry.text, "# each of 2 ranks holds ");
  const Ended ran = run(words + "--output-dir whole");
  ASSERT_EQ(ran.code, 0) << ran.text;
  const auto log = text_of(out("whole") / "log");
  const auto ranks = log.find("\nranks: 2");
  ASSERT_NE(ranks, std::string::npos) << log;
  const auto line = log.substr(ranks, log.find('\n', ranks + 1) - ranks);
  const double held = megabytes_after(line, "at most), ");
  ASSERT_GT(held, 0) << line;
  // an estimate for large meshes; this one is much surface
  EXPECT_GT(said, 0.7 * held);
  EXPECT_LT(said, 1.5 * held);
}

TEST_F(EqsRanksRun, RefusesWhatItDoesNotComputeByName) {
  const auto refused = [&](const std::string& words, const std::string& what) {
    const Ended e = run("--ranks 2 --output-dir refused " + words);
    EXPECT_EQ(e.code, 2) << e.text;
    EXPECT_NE(e.text.find(what), std::string::npos) << e.text;
  };
  refused("--compare", "a comparison of methods cannot be computed on several ranks");
}

TEST_F(EqsRanksRun, AnErrorOfTheCaseIsSaidOnce) {
  std::ofstream(out("bad.toml")) << steps_of_ranks_run << "[[point]]\nname = \"far\"\nat = [1, 1, 1]\n";
  const Ended threads = umov::test::umov_in(folder_.path, "eqs bad.toml --cpu --ranks 3 --output-dir bad");
  EXPECT_EQ(threads.code, 2) << threads.text;
  EXPECT_EQ(threads.count("lies outside the mesh"), 1) << threads.text;
  for (const std::string mpi : {"openmpi", "mpich"}) {
    const std::string launcher = mpirun(mpi, 2);
    if (launcher.empty()) continue;
    const Ended processes =
        umov::test::umov_in(folder_.path, "eqs bad.toml --cpu --output-dir bad", launcher);
    EXPECT_EQ(processes.code, 2) << processes.text;
    EXPECT_EQ(processes.count("lies outside the mesh"), 1) << processes.text;
  }
}

}  // namespace
}  // namespace umov::eqs
