// Lists of `umov dda` that were interrupted, killed or have not converged, and go on from what is there.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <fstream>
#include <sstream>
#include <thread>

#include "cli/dda_lists.hpp"
#include "core/error.hpp"
#include "dda/run/case_rows.hpp"
#include "dda/run/run.hpp"
#include "support/shell.hpp"

using namespace umov;
using test::request;
using test::run_all;
using test::sphere;
using test::table_of;
using test::TemporaryFolder;
namespace fs = std::filesystem;

namespace {

/// A folder as an interrupted run leaves it: the first `n` cases are finished.
void leave_interrupted(const TemporaryFolder& folder, const std::string& flags, std::size_t n) {
  const auto r = request(flags);
  fs::create_directory(folder / "a");
  folder.write("a/resolved.toml", dda::resolved_toml(r.given, r.simulation));
  dda::CaseRows rows((folder / "a/checkpoint-cases").string(), dda::shared_settings(r.given, r.simulation),
                     false);
  for (std::size_t i = 0; i < n; ++i) {
    auto row = dda::row_of(dda::run(r.cases[i], r.given.machine));
    row.polarizations[0].seconds = 12345;  // a mark that it was taken over
    rows.add(dda::key_of(r.cases[i]), row);
  }
}

}  // namespace

TEST(DdaListsContinued, AnInterruptedRunTakesFinishedRowsOver) {
  const TemporaryFolder folder;
  leave_interrupted(folder, sphere, 2);
  const auto end = test::run(folder, "dda --resume a");
  ASSERT_EQ(end.code, 0) << end.err;
  EXPECT_NE(end.out.find("2 of them taken over"), end.out.npos) << end.out;
  const auto table = table_of(folder / "a/cases.csv");
  const auto whole = run_all(request(sphere + " --no-neighbours").cases);
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(table.at("seconds").at(i) == 12345, i < 2);
    EXPECT_NEAR(table.at("Cext").at(i), whole.rows[i].polarizations[0].cross.cext,
                1e-5 * table.at("Cext").at(i));
  }
}

TEST(DdaListsContinued, AnInterruptedRunWithFilesGoesOnFromAnyFolderByTheirNamesAndContents) {
  const TemporaryFolder folder;
  folder.write("nk.csv", "wavelength (nm),n,k\n400,1.5,0.1\n900,1.6,0.2\n");
  folder.write("ball.geom", "0 0 0\n1 0 0\n0 1 0\n1 1 0\n0 0 1\n1 0 1\n0 1 1\n1 1 1\n");
  folder.write("case.toml",
               "wavelength = [0.5, 0.6, 0.7]\n[shape]\nname = \"read\"\nfile = \"ball.geom\"\n"
               "size = 0.1\n[[material]]\nnk_file = \"nk.csv\"\n");
  const auto here = fs::current_path();
  fs::current_path(folder.path());
  leave_interrupted(folder, "case.toml", 2);
  fs::current_path(here);
  fs::copy(folder / "a", folder / "b");
  const auto end = test::run(folder, "dda --resume a --no-hdf5");
  ASSERT_EQ(end.code, 0) << end.err;
  EXPECT_NE(end.out.find("2 of them taken over"), end.out.npos) << end.out;
  folder.write("nk.csv", "wavelength (nm),n,k\n400,1.5,0.1\n900,1.7,0.2\n");
  const auto other = test::run(folder, "dda --resume b");
  EXPECT_EQ(other.code, 2) << other.out;
  EXPECT_NE(other.err.find("contents of nk.csv: "), other.err.npos) << other.err;
}

TEST(DdaListsContinued, AContinuedRunMakesTheFoldersThatItsRowsLack) {
  const TemporaryFolder folder;
  leave_interrupted(folder, sphere, 2);
  const auto end = test::run(folder, "dda --resume a --case-folders");
  ASSERT_EQ(end.code, 0) << end.err;
  EXPECT_EQ(end.out.find("taken over"), end.out.npos) << end.out;
  for (int i = 1; i <= 5; ++i) EXPECT_TRUE(fs::exists(folder / fmt::format("a/case_000{}/log", i))) << i;
  const auto table = table_of(folder / "a/cases.csv");
  for (const double seconds : table.at("seconds")) EXPECT_LT(seconds, 12345);
}

TEST(DdaListsContinued, AContinuedRunOnAnotherBackendSaysSo) {
  const TemporaryFolder folder;
  leave_interrupted(folder, sphere, 2);
  fs::copy(folder / "a", folder / "b");
  const auto same = test::run(folder, "dda --resume a");
  ASSERT_EQ(same.code, 0) << same.err;
  EXPECT_EQ(same.err.find("rows of the run before"), same.err.npos) << same.err;
  const auto other = test::run(folder, "dda --resume b --cpu");
  ASSERT_EQ(other.code, 0) << other.err;
  const std::string said =
      "rows of the run before were computed by --backend serial, the others are by --cpu";
  EXPECT_NE(other.err.find(said), other.err.npos) << other.err;
  EXPECT_NE(test::text_of(folder / "b/log").find(said), std::string::npos);
}

TEST(DdaListsContinued, AListThatHasNotConvergedEndsAsItDidWhenItIsContinued) {
  const TemporaryFolder folder;
  const auto first = test::run(
      folder, "dda --lambda 0.5,0.6 --size 0.3 --shape-grid 8 --m 1.5 --max-iterations 1 --output-dir a");
  EXPECT_EQ(first.code, 3) << first.err;
  const auto again = test::run(folder, "dda --resume a");
  EXPECT_EQ(again.code, 3) << again.out << again.err;
  EXPECT_NE(again.err.find("2 of 2 cases have not converged"), again.err.npos) << again.err;
}

TEST(DdaListsContinued, AContinuedRunMayHaveOtherValuesInItsListsAndNothingElse) {
  const TemporaryFolder folder;
  leave_interrupted(folder, sphere, 2);
  const auto other = test::run(folder, "dda --resume a --m 1.6");
  EXPECT_EQ(other.code, 2);
  for (const char* part : {"of another case", "m = [1.5, 0.02]", "m = [1.6, 0]"})
    EXPECT_NE(other.err.find(part), other.err.npos) << other.err;
  EXPECT_TRUE(fs::exists(folder / "a/checkpoint-cases"));
  const auto more = test::run(folder, "dda --resume a --lambda 0.8:1:3");
  ASSERT_EQ(more.code, 0) << more.err;
  EXPECT_NE(more.out.find("3 cases, 1 of them taken over"), more.out.npos) << more.out;
}

namespace {

/// The lines of a table without the time of the solves, which is another each time.
std::vector<std::string> timeless(const fs::path& file) {
  std::ifstream in(file);
  std::vector<std::string> lines;
  std::size_t timed = std::string::npos;
  for (std::string line; std::getline(in, line);) {
    std::istringstream cells(line);
    std::size_t column = 0;
    lines.emplace_back();
    for (std::string cell; std::getline(cells, cell, ','); ++column) {
      if (lines.size() == 1 && cell.starts_with("seconds")) timed = column;
      if (column != timed) lines.back() += cell + ",";
    }
  }
  EXPECT_NE(timed, std::string::npos) << file;
  return lines;
}

/// How many rows a run has on disk.
std::size_t rows_there(const fs::path& state, const std::string& settings) {
  try {
    return dda::CaseRows(state.string(), settings, true).size();
  } catch (const BadInput&) {  // not begun yet
    return 0;
  }
}

/// Kills the run in the folder "cut" when some rows are there, and continues it.
void kill_and_continue(const TemporaryFolder& folder, const std::string& flags) {
  const auto r = dda::parse(test::words(flags));
  test::Program run(folder, "dda " + flags + " --no-pictures --output-dir cut");
  const std::string settings = dda::shared_settings(r.given, r.simulation);
  for (int i = 0; i < 20000 && rows_there(folder / "cut/checkpoint-cases", settings) < 3; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  run.send(SIGKILL);
  ASSERT_EQ(run.wait().code, 128 + SIGKILL) << "it ended before it was killed";
  const std::size_t there = rows_there(folder / "cut/checkpoint-cases", settings);
  EXPECT_GE(there, 3u);
  EXPECT_LT(there, r.cases.size());
  EXPECT_FALSE(fs::exists(folder / "cut/cases.csv"));
  const auto end = test::run(folder, "dda --resume cut");
  ASSERT_EQ(end.code, 0) << end.err;
  EXPECT_NE(end.out.find(fmt::format("{} of them taken over", there)), end.out.npos) << end.out;
  EXPECT_FALSE(fs::exists(folder / "cut/checkpoint-cases"));
}

const std::string killed_list =
    "--lambda 0.8:1:10 --size 1.3 --shape-grid 12 --m 1.7,0.02 --propagation 1,2,3 --epsilon 1e-8 --cpu ";

}  // namespace

TEST(DdaListsContinued, ARunThatIsKilledHasEveryFinishedCaseAndGoesOnToTheSameBytes) {
  for (const std::string flags :
       {"--no-neighbours", "--no-neighbours --ranks 2", "--no-neighbours --beta 0,40 --case-folders"}) {
    SCOPED_TRACE(flags);
    const TemporaryFolder folder;
    ASSERT_EQ(test::run(folder, "dda " + killed_list + flags + " --no-pictures --output-dir whole").code, 0);
    kill_and_continue(folder, killed_list + flags);
    EXPECT_EQ(timeless(folder / "cut/cases.csv"), timeless(folder / "whole/cases.csv"));
  }
}

// The first open case begins from nothing, as the first of all does. Ten times the residual is the tolerance
// of other tests for what follows from it.
TEST(DdaListsContinued, AKilledRunWithStartsFromBeforeGoesOnWithinItsResidual) {
  const TemporaryFolder folder;
  ASSERT_EQ(test::run(folder, "dda " + killed_list + "--no-pictures --output-dir whole").code, 0);
  kill_and_continue(folder, killed_list);
  const auto cut = table_of(folder / "cut/cases.csv"), whole = table_of(folder / "whole/cases.csv");
  for (std::size_t i = 0; i < 10; ++i) {
    EXPECT_LE(cut.at("residual").at(i), 1e-8);
    EXPECT_NEAR(cut.at("Cext").at(i), whole.at("Cext").at(i), 1e-7 * whole.at("Cext").at(i));
  }
}
