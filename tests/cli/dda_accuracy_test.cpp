// `--accuracy` from the command line: files, codes, words, runs that go on, refusals.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <sstream>

#include "support/program.hpp"
#include "support/shell.hpp"

using namespace umov;
using test::TemporaryFolder;
namespace fs = std::filesystem;

namespace {

const std::string sphere_of_accuracy =
                      "dda --eq-radius 0.2 --lambda 1.2 --m 1.5,0.1 --backend serial --no-pictures ",
                  particle = sphere_of_accuracy + "--shape-grid 10 ";

void expect_flags_refused(const std::string& flags, const std::string& words) {
  TemporaryFolder folder;
  const auto ended = test::run(folder, "dda --dry-run " + flags);
  EXPECT_EQ(ended.code, 2) << flags;
  EXPECT_NE(ended.err.find(words), std::string::npos) << flags << ": " << ended.err;
}

std::vector<std::string> cells(const std::string& line) {
  std::vector<std::string> out;
  std::istringstream in(line);
  for (std::string cell; std::getline(in, cell, ',');) out.push_back(cell);
  return out;
}

}  // namespace

TEST(DdaAccuracyCommand, LeavesTheFinestGridsFilesAndTheTablesOfAll) {
  TemporaryFolder folder;
  const auto ended = test::run(folder, particle + "--accuracy 8% --output-dir out");
  ASSERT_EQ(ended.code, 0) << ended.err << ended.out;
  for (const char* name : {"CrossSec-Y", "mueller", "log", "grids.csv", "extrapolated.csv",
                           "extrapolated_scattering_plane.csv", "results.vtkhdf", "resolved.toml"})
    EXPECT_TRUE(fs::exists(folder / (std::string("out/") + name))) << name;
  const std::string log = test::text_of(folder / "out/log"),
                    table = test::text_of(folder / "out/extrapolated.csv");
  for (const std::string& text : {log, ended.out}) {
    EXPECT_NE(text.find("Extrapolation to dipoles of no size"), std::string::npos);
    EXPECT_NE(text.find("Cext_Y [um^2]"), std::string::npos);
    EXPECT_NE(text.find("reached: every error is below 8 %"), std::string::npos);
  }
  EXPECT_NE(table.find("Qabs_Y"), std::string::npos) << table;
  EXPECT_FALSE(fs::exists(folder / "out/checkpoint-grids"));
  EXPECT_NE(test::text_of(folder / "out/resolved.toml").find("accuracy = 0.08"), std::string::npos);
}

/// Light along z on a sphere: across it g is 0, and what the sums leave is no number to extrapolate.
TEST(DdaAccuracyCommand, ComponentsThatAreRoundingAloneAreZero) {
  TemporaryFolder folder;
  const auto ended = test::run(folder, particle + "--csca --asymmetry --accuracy 8% --output-dir out");
  ASSERT_EQ(ended.code, 0) << ended.err << ended.out;
  for (const char* name : {"g_Y_x", "g_Y_y", "g_Y_z", "Csca_g_Y_x"}) {
    const auto at = ended.out.find(std::string("  ") + name);
    ASSERT_NE(at, std::string::npos) << name << ended.out;
    std::istringstream row(ended.out.substr(at, ended.out.find('\n', at) - at));
    std::string word, unit;
    row >> word;
    if (word.starts_with("Csca")) row >> unit;
    double finest = 1, limit = 1;
    row >> finest >> limit;
    const std::string rest(std::istreambuf_iterator<char>(row), {});
    if (std::string(name) == "g_Y_z") {
      EXPECT_GT(limit, 0.1);
      continue;
    }
    EXPECT_EQ(limit, 0) << name << " finest " << finest;
    EXPECT_EQ(rest.find("finest grid"), std::string::npos) << rest;
  }
}

TEST(DdaAccuracyCommand, AMissedAccuracyIsCodeThreeAndGoesOn) {
  TemporaryFolder folder;
  const auto ended = test::run(folder, particle + "--accuracy 8% --accuracy-time 1e-9 --output-dir out");
  EXPECT_EQ(ended.code, 3) << ended.err;
  EXPECT_NE(ended.err.find("NOT reached"), std::string::npos) << ended.err;
  EXPECT_TRUE(fs::exists(folder / "out/checkpoint-grids"));
  // as in one go, with the grids that were there
  const auto resumed = test::run(folder, "dda --resume out --accuracy 8% --accuracy-time 0");
  ASSERT_EQ(resumed.code, 0) << resumed.err;
  ASSERT_EQ(test::run(folder, particle + "--accuracy 8% --output-dir whole").code, 0);
  const auto values = [&](const char* name) {
    return test::text_of(folder / (std::string(name) + "/extrapolated.csv"));
  };
  EXPECT_EQ(values("out"), values("whole"));
}

/// Of a run from a grid of 40 that has no time only the coarsest is there, 20 dipoles; from 10 dipoles on 8 %
/// are reached with 12.
TEST(DdaAccuracyCommand, ALooserAccuracyUsesTheFinerGridsThatWereFinished) {
  TemporaryFolder folder;
  const auto finest = [&](const std::string& name) {
    std::istringstream table(test::text_of(folder / (name + "/grids.csv")));
    int last = 0;
    std::string row;
    for (std::getline(table, row); std::getline(table, row);) last = std::stoi(row);
    return last;
  };
  const std::string early = sphere_of_accuracy + "--shape-grid 40 --accuracy 1% --accuracy-time 1e-9 ",
                    late = " --shape-grid 10 --accuracy 8% --accuracy-time ";
  ASSERT_EQ(test::run(folder, early + "--output-dir out").code, 3);
  ASSERT_EQ(finest("out"), 20);
  ASSERT_EQ(test::run(folder, particle + "--accuracy 8% --output-dir alone").code, 0);
  ASSERT_LT(finest("alone"), 20);
  fs::copy(folder / "out", folder / "out2");

  const auto resumed = test::run(folder, "dda --resume out" + late + "0");
  ASSERT_EQ(resumed.code, 0) << resumed.err;
  EXPECT_GE(finest("out"), 20);
  const std::string words = "used as well: finer grids that were finished before, up to 20x20x20";
  for (const std::string& text : {resumed.out, test::text_of(folder / "out/log")})
    EXPECT_NE(text.find(words), std::string::npos) << text;
  EXPECT_FALSE(fs::exists(folder / "out/checkpoint-grids"));

  // no time to solve the finest once more for its results: it stays in the state
  EXPECT_EQ(test::run(folder, "dda --resume out2" + late + "1e-9").code, 3);
  EXPECT_LT(finest("out2"), 20);
  EXPECT_EQ(test::run(folder, "dda --resume out2" + late + "0").code, 0);
  EXPECT_GE(finest("out2"), 20);
}

TEST(DdaAccuracyCommand, AMissedAccuracyWithFilesGoesOnFromAnotherFolder) {
  TemporaryFolder folder, elsewhere;
  folder.write("nk.csv", "wl,n,k\n0.4,1.5,0.1\n1.9,1.5,0.1\n");
  const auto ended = test::run(folder,
                               "dda --eq-radius 0.2 --lambda 1.2 --m nk.csv --shape-grid 10 --backend serial "
                               "--no-pictures --accuracy 8% --accuracy-time 1e-9 --output-dir out");
  ASSERT_EQ(ended.code, 3) << ended.err;
  const auto out = (folder / "out").string();
  const auto resumed = test::run(elsewhere, "dda --resume " + out + " --accuracy 8% --accuracy-time 0");
  EXPECT_EQ(resumed.code, 0) << resumed.err;
}

TEST(DdaAccuracyCommand, AddasCommandLineHasItToo) {
  TemporaryFolder folder;
  const std::string line =
      "adda -eq_rad 0.2 -lambda 1.2 -m 1.5 0.1 -grid 10 --backend serial --no-pictures -ntheta 6 ";
  const auto ended = test::run(folder, line + "--accuracy 0.08 -dir out");
  ASSERT_EQ(ended.code, 0) << ended.err;
  EXPECT_NE(test::text_of(folder / "out/log").find("reached: every error is below"), std::string::npos);
  const auto missed = test::run(folder, line + "--accuracy 8% --accuracy-time 1e-9 -dir missed");
  EXPECT_EQ(missed.code, 3) << missed.err;
  const auto wrong = test::run(folder, line + "--accuracy 150%");
  EXPECT_EQ(wrong.code, 2);
  EXPECT_NE(wrong.err.find("give e.g. 1% or 0.01"), std::string::npos) << wrong.err;
}

TEST(DdaAccuracyCommand, WhatIsOfOneGridIsRefused) {
  expect_flags_refused("--accuracy 1", "give e.g. \"1%\" or 0.01");
  expect_flags_refused("--accuracy 0", "give e.g.");
  expect_flags_refused("--accuracy many", "--accuracy");
  expect_flags_refused("--accuracy 1% --lambda 1,2", "lists cannot be combined");
  expect_flags_refused("--accuracy 1% --grid 64", "chooses the particle's grids");
  expect_flags_refused("--accuracy 1% --shape-grid 8,8,8", "give the first");
  expect_flags_refused("--accuracy 1% --granule-fraction 0.1 --granule-diameter 0.2 --m 1.5 --m 1.3",
                       "granules");
  expect_flags_refused("--accuracy 5% --shape line", "one dipole thick on every grid");
  expect_flags_refused("--accuracy-time 10", "no accuracy is asked for");
}

/// The core lies off every site: no lattice that is counted has a dipole in it.
TEST(DdaAccuracyCommand, AMaterialThatNoGridHasLeavesItMissed) {
  TemporaryFolder folder;
  const auto ended = test::run(
      folder,
      "dda --shape coated --shape-arguments 1e-4,0.0123,0.0071,0.0037 --size 0.2 --lambda 0.5 --m 1.33 "
      "--m 1.5,0.1 --shape-grid 12 --backend serial --no-pictures --accuracy 10% --output-dir out");
  EXPECT_EQ(ended.code, 3) << ended.err;
  const std::string words = "NOT reached: material 2 has no dipole on the finest grid, 12x12x12";
  EXPECT_NE(ended.err.find(words), std::string::npos) << ended.err;
  EXPECT_NE(test::text_of(folder / "out/log").find(words), std::string::npos);
  EXPECT_NE(test::text_of(folder / "out/results.vtkhdf").find(words), std::string::npos);
  const std::string warning = "material 2 has no dipole on this grid";
  const auto first = ended.err.find(warning);
  ASSERT_NE(first, std::string::npos) << ended.err;
  EXPECT_EQ(ended.err.find(warning, first + 1), std::string::npos) << "once for all grids: " << ended.err;
  EXPECT_NE(test::text_of(folder / "out/log").find(warning), std::string::npos);
}

/// A core of 0.08 d holds sites of grids of odd numbers, its centre, and of even ones from 22 on
/// (sqrt(3)/2 of a dipole from there): those of 16 and 20, with which the run begins, have none.
TEST(DdaAccuracyCommand, GridsWithoutAMaterialAreInNoFit) {
  TemporaryFolder folder;
  const auto ended =
      test::run(folder,
                "dda --shape coated --shape-arguments 0.08 --size 0.2 --lambda 0.5 --m 1.33 --m "
                "1.33,0.5 --shape-grid 16 --backend serial --no-pictures --accuracy 20% "
                "--output-dir out --quiet");
  std::istringstream table(test::text_of(folder / "out/grids.csv"));
  std::string line;
  std::getline(table, line);
  const auto columns = cells(line);
  const auto at = [&](const std::string& name) {
    return std::size_t(std::find_if(columns.begin(), columns.end(),
                                    [&](const std::string& c) { return c.starts_with(name); }) -
                       columns.begin());
  };
  int without = 0;
  double finest = 0;
  while (std::getline(table, line)) {
    const auto row = cells(line);
    finest = std::stod(row.at(at("Cabs_Y")));
    if (finest != 0) continue;
    ++without;
    EXPECT_EQ(row.at(at("fitted")), "0") << line;
  }
  EXPECT_GE(without, 2);
  EXPECT_GT(finest, 0) << "the finest grid has the core";
  const std::string limits = test::text_of(folder / "out/extrapolated.csv");
  const auto found = limits.find("Cabs_Y");
  ASSERT_NE(found, std::string::npos) << limits;
  const auto cabs = cells(limits.substr(found, limits.find('\n', found) - found));
  // exact: umov mie --radius 0.1 --lambda 0.5 --m 1.33 --core-radius 0.008 --core-m 1.33,0.5
  EXPECT_NEAR(std::stod(cabs.at(2)), 3.740292e-05, std::stod(cabs.at(3)));
  EXPECT_EQ(ended.code, 0) << ended.err;
}

TEST(DdaAccuracyCommand, AMaterialWithoutDipoleIsWarnedOf) {
  TemporaryFolder folder;
  folder.write("gap.dat", "Nmat=3\n0 0 0 1\n1 0 0 3\n0 1 0 1\n1 1 0 3\n");
  const auto count = [](const std::string& text) {
    int n = 0;
    for (auto at = text.find("has no dipole"); at != std::string::npos;
         at = text.find("has no dipole", at + 1))
      ++n;
    return n;
  };
  const auto warned = [&](const std::string& line, const std::string& words, int times) {
    fs::remove_all(folder / "out");
    const auto ended = test::run(folder, line);
    EXPECT_EQ(ended.code, 0) << line << ended.err;
    EXPECT_EQ(count(ended.err), times) << line << ended.err;
    const std::string log = test::text_of(folder / "out/log");
    EXPECT_EQ(count(log), times) << line;
    EXPECT_NE(log.find(words), std::string::npos) << log;
  };
  const std::string
      ours = "dda --lambda 0.5 --size 0.2 --backend serial --no-pictures --output-dir out --m 1.33 ",
      coated = ours + "--m 1.5,0.1 --shape coated --shape-grid 16 --shape-arguments ";
  warned(coated + "0.01", "material 2 has no dipole on this grid", 1);
  warned(coated + "1", "material 1 has no dipole on this grid", 1);
  warned(coated + "0.5", "", 0);
  warned(ours + "--m 1.5 --m 1.4 --shape read --shape-file gap.dat", "material 2 has no dipole in the file",
         1);
  warned("adda -lambda 0.5 -shape onion 0.5 0.01 -grid 16 -m 1.33 0 1.5 0 1.4 0 -dir out",
         "material 3 has no dipole on this grid", 1);
}

namespace {

/// An average of few angles over an ellipsoid, whose first grid is all that there is time for.
struct ShortAverage {
  ShortAverage() {
    const std::string one = "min=0\nmax=180\nJmin=1\nJmax=1\neps=0\nequiv=true\nperiodic=";
    folder.write("angles", "alpha:\n" + one + "true\nbeta:\n" + one + "false\ngamma:\n" + one + "true\n");
  }
  test::Ended run(const std::string& more) const { return test::run(folder, line + "--lambda 0.6 " + more); }
  std::string values(const std::string& name) const {
    return test::text_of(folder / (name + "/extrapolated.csv"));
  }

  TemporaryFolder folder;
  const std::string line =
      "dda --shape ellipsoid --shape-arguments 1,2 --eq-radius 0.1 --m 1.5,0.3 --shape-grid 6 "
      "--orientation-average --orientation-average-file angles --backend serial --no-pictures ";
};

}  // namespace

TEST(DdaAccuracyCommand, AnAverageOverOrientationsGoesOnFromItsFinishedGrids) {
  const ShortAverage average;
  const auto missed = average.run("--accuracy 8% --accuracy-time 1e-9 --output-dir out");
  ASSERT_EQ(missed.code, 3) << missed.err;
  const auto resumed = test::run(average.folder, "dda --resume out --accuracy-time 0");
  ASSERT_EQ(resumed.code, 0) << resumed.err;
  ASSERT_EQ(average.run("--accuracy 8% --output-dir whole").code, 0);
  EXPECT_EQ(average.values("out"), average.values("whole"));
  EXPECT_FALSE(fs::exists(average.folder / "out/checkpoint-grids"));
}

/// One rank and two: what a signal promises is what the next run does.
TEST(DdaAccuracyCommand, AStoppedAverageOverOrientationsKeepsWhatItSays) {
  for (const std::string ranks : {"", "--ranks 2 "}) {
    const ShortAverage average;
    ASSERT_EQ(average.run(ranks + "--accuracy 0.2% --accuracy-time 1e-9 --output-dir out").code, 3);
    const auto state = average.folder / "out/checkpoint-grids";
    const auto before = fs::last_write_time(state);
    test::Program run(average.folder, "dda --resume out --accuracy-time 0");
    ASSERT_TRUE(test::wait_until([&] { return fs::last_write_time(state) != before; }));
    run.send(SIGTERM);
    const auto stopped = run.wait();
    EXPECT_EQ(stopped.code, 128 + SIGTERM) << stopped.err;
    EXPECT_NE(stopped.err.find("finished grids are kept, the one under way begins anew, continue with "
                               "--resume out"),
              std::string::npos)
        << stopped.err;
    const auto resumed = test::run(average.folder, "dda --resume out --accuracy 20% --accuracy-time 1e9");
    EXPECT_EQ(resumed.code, 0) << resumed.err;
  }
}

/// The state of an average is the list's, not that of a solver.
TEST(DdaLists, AStoppedListOfAveragesSaysThatItsCasesAreKept) {
  const ShortAverage average;
  test::Program run(average.folder, average.line + "--lambda 0.5:0.6:400 --output-dir out");
  ASSERT_TRUE(test::wait_until([&] { return fs::exists(average.folder / "out/checkpoint-cases"); }));
  run.send(SIGTERM);
  const auto stopped = run.wait();
  EXPECT_EQ(stopped.code, 128 + SIGTERM) << stopped.err;
  EXPECT_NE(stopped.err.find("cases are finished, continue with umov dda --resume out"), std::string::npos)
      << stopped.err;
}

TEST(DdaAccuracyCommand, APlainAverageOverOrientationsIsNotContinued) {
  const ShortAverage average;
  ASSERT_EQ(average.run("--output-dir out").code, 0);
  fs::remove(average.folder / "out/log");
  const auto again = test::run(average.folder, "dda --resume out");
  EXPECT_EQ(again.code, 2) << again.err;
  EXPECT_NE(again.err.find("has no single state"), std::string::npos) << again.err;
}
