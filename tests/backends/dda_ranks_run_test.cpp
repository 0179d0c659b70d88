// `umov dda` on ranks of one process and of mpirun: the files of one rank, within rounding.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "support/ranked_program.hpp"
#include "support/ranked_tables.hpp"
#include "support/temp_folder.hpp"

namespace umov::dda {
namespace {

namespace fs = std::filesystem;
using test::expect_same_files, test::names_in;
using test::mpirun, test::text_of;
using Ended = test::RankedEnd;

const std::string everything =
    "wavelength = 1.0\n"
    "[shape]\nname = \"ellipsoid\"\narguments = [0.8, 0.6]\ngrid = 9\ndpl = 12\n"
    "[material]\nm = [1.4, 0.02]\n"
    "[source]\npropagation = [0.3, 0.2, 0.9]\n"
    "[solver]\nepsilon = 1e-10\n"
    "[output]\ncsca = true\nasymmetry = true\nradiation_pressure = true\nforces = true\n"
    "internal_fields = true\nincident_field = true\npictures = false\n"
    "[machine]\nbackend = \"cpu\"\n";

class DdaOnRanks : public testing::Test {
 protected:
  void SetUp() override { std::ofstream(folder_ / "case.toml") << everything; }
  /// The case on one rank, in the folder `one`.
  void run_alone(const std::string& options = "") {
    const Ended one = test::umov_in(folder_, "dda case.toml --output-dir one " + options);
    ASSERT_EQ(one.code, 0) << one.text;
  }
  test::TempFolder temporary_;
  const fs::path folder_ = temporary_.path;
};

TEST_F(DdaOnRanks, OfOneProcessWriteTheFilesOfOneRank) {
  run_alone();
  for (const auto& [ranks, split, words] : std::vector<std::tuple<int, std::string, std::string>>{
           {2, "particle", "all share the particle"},
           {3, "particle", "all share the particle"},
           {11, "particle", "all share the particle"},
           {2, "auto", "each solves for waves of its own with the whole particle"},
           {3, "solves", "2 groups solve for waves of their own, 1 or more ranks of each share the particle"},
           {4, "solves",
            "2 groups solve for waves of their own, 2 or more ranks of each share the particle"}}) {
    SCOPED_TRACE(std::to_string(ranks) + " ranks, --split " + split);
    const std::string name = "on" + std::to_string(ranks) + split;
    const Ended r = test::umov_in(folder_, "dda case.toml --ranks " + std::to_string(ranks) + " --split " +
                                               split + " --output-dir " + name);
    ASSERT_EQ(r.code, 0) << r.text;
    expect_same_files(folder_ / "one", folder_ / name);
    const std::string log = text_of(folder_ / name / "log");
    EXPECT_NE(log.find("ranks: " + std::to_string(ranks) + " (threads), "), std::string::npos);
    EXPECT_NE(log.find("on the fullest device"), std::string::npos);
    EXPECT_NE(log.find("  rank 1: cpu, 1 thread(s)"), std::string::npos);
    EXPECT_NE(log.find(words), std::string::npos) << log;
  }
}

TEST_F(DdaOnRanks, OfMpirunWriteTheFilesOfOneRank) {
  run_alone();
  bool any = false;
  for (const auto& [mpi, ranks, split] : {std::tuple{"openmpi", 2, "particle"},
                                          {"mpich", 3, "particle"},
                                          {"openmpi", 2, "solves"},
                                          {"mpich", 3, "solves"}}) {
    const std::string start = mpirun(mpi, ranks);
    if (start.empty()) continue;
    any = true;
    SCOPED_TRACE(std::string(mpi) + ", --split " + split);
    const std::string name = std::string(mpi) + split;
    const Ended r = test::umov_in(folder_, "dda case.toml --output-dir " + name + " --split " + split, start);
    ASSERT_EQ(r.code, 0) << r.text;
    EXPECT_EQ(r.count("results: "), 1) << r.text;
    expect_same_files(folder_ / "one", folder_ / name);
  }
  if (!any) GTEST_SKIP() << "there is no mpirun, or umov was built without MPI";
}

TEST_F(DdaOnRanks, AverageOverOrientations) {
  std::ofstream(folder_ / "average.toml")
      << "wavelength = 1.0\n"
         "[shape]\nname = \"ellipsoid\"\narguments = [0.8, 0.6]\ngrid = 6\ndpl = 10\n"
         "[material]\nm = [1.4, 0.02]\n"
         "[orientation]\naverage = true\n"
         "[solver]\nepsilon = 1e-10\nblock = 1\n"
         "[output]\npictures = false\n"
         "[machine]\nbackend = \"cpu\"\n";
  const Ended one = test::umov_in(folder_, "dda average.toml --output-dir one");
  ASSERT_EQ(one.code, 0) << one.text;
  for (const std::string split : {"auto", "particle"}) {
    const Ended r =
        test::umov_in(folder_, "dda average.toml --ranks 4 --output-dir " + split + " --split " + split);
    ASSERT_EQ(r.code, 0) << r.text;
    expect_same_files(folder_ / "one", folder_ / split, 3);
  }
}

/// Lines of the table, without what tells of the run: columns of seconds.
std::vector<std::vector<double>> table_of(const fs::path& folder) {
  std::vector<std::vector<double>> rows;
  std::ifstream in(folder / "cases.csv");
  std::vector<bool> kept;
  for (std::string line; std::getline(in, line);) {
    std::vector<std::string> words{""};
    for (const char c : line)
      if (c == ',')
        words.emplace_back();
      else
        words.back() += c;
    if (kept.empty()) {
      for (const auto& word : words)
        kept.push_back(word.find("second") == word.npos && word.find("time") == word.npos);
      continue;
    }
    rows.emplace_back();
    for (std::size_t k = 0; k < words.size() && k < kept.size(); ++k)
      if (kept[k]) rows.back().push_back(std::strtod(words[k].c_str(), nullptr));
  }
  return rows;
}

TEST_F(DdaOnRanks, CasesOfAListGoToRanksOfTheirOwn) {
  const std::string words = "dda list.toml --no-neighbours --output-dir ";
  std::ofstream(folder_ / "list.toml")
      << "wavelength = [1.0, 1.1, 1.2, 1.3, 1.4]\n"
         "[shape]\nname = \"ellipsoid\"\narguments = [0.8, 0.6]\ngrid = 7\nsize = 0.6\n"
         "[material]\nm = [1.4, 0.02]\n"
         "[source]\npropagation = [0.3, 0.2, 0.9]\n"
         "[solver]\nepsilon = 1e-10\n"
         "[machine]\nbackend = \"cpu\"\n";
  const Ended alone = test::umov_in(folder_, words + "one");
  ASSERT_EQ(alone.code, 0) << alone.text;
  const auto one = table_of(folder_ / "one");
  ASSERT_EQ(one.size(), 5u);
  ASSERT_GT(one.front().size(), 5u);
  std::vector<std::pair<std::string, std::string>> runs{{"--ranks 2", ""}, {"--ranks 7", ""}};
  if (const std::string start = mpirun("mpich", 3); !start.empty()) runs.emplace_back("", start);
  for (const auto& [options, start] : runs) {
    SCOPED_TRACE(options + start);
    fs::remove_all(folder_ / "other");
    const Ended r = test::umov_in(folder_, words + "other " + options, start);
    ASSERT_EQ(r.code, 0) << r.text;
    // every case is solved as by one rank: the same bits
    EXPECT_EQ(table_of(folder_ / "other"), one);
    EXPECT_EQ(names_in(folder_ / "other"), names_in(folder_ / "one"));
    EXPECT_NE(text_of(folder_ / "other" / "log").find("ranks: "), std::string::npos);
  }
}

TEST_F(DdaOnRanks, ABadCaseEndsAllWithOneMessage) {
  const Ended here = test::umov_in(folder_, "dda case.toml --ranks 3 --fft-grid 2,2,2 --output-dir bad");
  EXPECT_EQ(here.code, 2) << here.text;
  EXPECT_EQ(here.count("umov: "), 1) << here.text;
  EXPECT_FALSE(fs::exists(folder_ / "bad"));
  const std::string start = mpirun("mpich", 3);
  if (start.empty()) return;
  const Ended there = test::umov_in(folder_, "dda case.toml --fft-grid 2,2,2 --output-dir bad", start);
  EXPECT_EQ(there.code, 2) << there.text;
  EXPECT_EQ(there.count("umov: "), 1) << there.text;
  EXPECT_FALSE(fs::exists(folder_ / "bad"));
}

TEST_F(DdaOnRanks, WhatTheyCannotDoIsRefusedByName) {
  for (const auto& [options, words] : std::vector<std::pair<std::string, std::string>>{
           {"--ftype ldouble", "long double cannot be used on ranks that share a particle"},
           {"--sectors on", "mirror sectors cannot be used on ranks that share a particle"},
           {"--wavelength [1,2]",
            "--split particle: a case with lists gives its cases to ranks of their own"},
           {"--wavelength [1,2] --block 2",
            "a case with lists cannot have blocks of right-hand sides on several ranks"},
           {"--gpus 2", "--ranks and --gpus were both given"}}) {
    const Ended r =
        test::umov_in(folder_, "dda case.toml --ranks 2 --split particle --output-dir refused " + options);
    EXPECT_EQ(r.code, 2) << options << ": " << r.text;
    EXPECT_NE(r.text.find(words), std::string::npos) << options << ": " << r.text;
    EXPECT_FALSE(fs::exists(folder_ / "refused")) << options;
  }
}

TEST_F(DdaOnRanks, BlocksAreOfRanksThatShareTheParticle) {
  // both polarizations have one polarizability
  const std::string block = "--block 2 --polarizability lak ";
  run_alone(block);
  for (const std::string split : {"", "--split particle "}) {
    const Ended r = test::umov_in(folder_, "dda case.toml --ranks 3 --output-dir three " + block + split);
    ASSERT_EQ(r.code, 0) << r.text;
    expect_same_files(folder_ / "one", folder_ / "three");
    const std::string log = text_of(folder_ / "three" / "log");
    EXPECT_NE(log.find("all share the particle"), std::string::npos) << log;
    EXPECT_NE(log.find("block"), std::string::npos) << log;
    fs::remove_all(folder_ / "three");
  }
  const Ended plan = test::umov_in(folder_, "dda case.toml --ranks 3 --dry-run " + block);
  EXPECT_EQ(plan.code, 0) << plan.text;
  EXPECT_EQ(plan.count("block of right-hand sides"), 1) << plan.text;
  const Ended solves =
      test::umov_in(folder_, "dda case.toml --ranks 2 --split solves --output-dir refused " + block);
  EXPECT_EQ(solves.code, 2) << solves.text;
  EXPECT_NE(
      solves.text.find("--split solves: waves that are solved for together (--block) cannot go to ranks"),
      std::string::npos)
      << solves.text;
}

TEST_F(DdaOnRanks, OneSolveCannotBeSplit) {
  // a sphere with the wave along its axis: symmetry gives the other polarization
  const Ended r = test::umov_in(folder_, "dda --cpu --ranks 2 --split solves --output-dir refused");
  EXPECT_EQ(r.code, 2) << r.text;
  EXPECT_NE(r.text.find("--split solves: there is one solve only"), std::string::npos) << r.text;
}

TEST_F(DdaOnRanks, APlanSaysWhatARankHolds) {
  const Ended one = test::umov_in(folder_, "dda case.toml --dry-run"),
              two = test::umov_in(folder_, "dda case.toml --dry-run --ranks 2 --split particle");
  ASSERT_EQ(two.code, 0) << two.text;
  EXPECT_EQ(one.count("ranks: 1"), 0) << one.text;
  EXPECT_EQ(two.count("# ranks: 2; all share the particle"), 1) << two.text;
  EXPECT_EQ(two.count("# memory estimate of the fullest rank:"), 1) << two.text;
  EXPECT_EQ(two.count("# each of 2 ranks holds "), 1) << two.text;
  EXPECT_EQ(two.count("# fits this machine ("), 1) << two.text;
}

TEST_F(DdaOnRanks, ASplitOfOneRankIsSaidToBeWithoutEffect) {
  const Ended r = test::umov_in(folder_, "dda case.toml --dry-run --split particle");
  EXPECT_EQ(r.code, 0) << r.text;
  EXPECT_EQ(r.count("umov: warning: --split is without effect"), 1) << r.text;
  EXPECT_EQ(test::umov_in(folder_, "dda case.toml --dry-run --ranks 2 --split particle").count("--split is"),
            0);
}

TEST_F(DdaOnRanks, LongDoubleIsSolvedByAsManyAsThereAreWaves) {
  run_alone("--ftype ldouble");
  const Ended r = test::umov_in(folder_, "dda case.toml --ftype ldouble --ranks 3 --output-dir three");
  ASSERT_EQ(r.code, 0) << r.text;
  expect_same_files(folder_ / "one", folder_ / "three");
  EXPECT_EQ(r.count("2 of them solve with the whole particle"), 1) << r.text;
}

TEST_F(DdaOnRanks, ARefusedRunDoesNotSayThatFilesAreReplaced) {
  fs::create_directory(folder_ / "used");
  std::ofstream(folder_ / "used" / "notes") << "mine";
  const Ended refused = test::umov_in(folder_, "dda case.toml --fft-grid 2,2,2 --output-dir used");
  EXPECT_EQ(refused.code, 2) << refused.text;
  EXPECT_EQ(refused.count("is not empty"), 0) << refused.text;
  const Ended run = test::umov_in(folder_, "dda case.toml --output-dir used");
  EXPECT_EQ(run.code, 0) << run.text;
  EXPECT_EQ(run.count("is not empty"), 1) << run.text;
}

}  // namespace
}  // namespace umov::dda
