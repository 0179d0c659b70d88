// The real program on several ranks: under mpirun and with --ranks its files are those of one rank.
#include <gtest/gtest.h>

#include "support/ranked_program.hpp"

namespace umov::fdtd::test {
namespace {

using umov::test::mpirun, umov::test::text_of, umov::test::umov_in;
using umov::test::RankedEnd, umov::test::TemporaryFolder;
namespace fs = std::filesystem;

const std::string small_case = R"([domain]
size = [3, 2.3]
resolution = 20
[[material]]
name = "glass"
index = 1.5
[[body]]
shape = "cylinder"
material = "glass"
radius = 0.31
center = [0.1, 0.13]
[[source]]
kind = "point"
waveform = "gaussian"
frequency = 1
width = 0.3
center = [-0.6, 0.3]
[[monitor]]
kind = "flux"
name = "wall"
center = 0.6
size = [0, 1.1]
frequencies = [0.8, 1, 1.2]
[[monitor]]
kind = "series"
name = "probe"
center = [0.5, 0.2]
[machine]
backend = "cpu"
[stop]
steps = 300
[output]
pictures = false
csv = true
)";

/// The tables of a run's folder, by name.
std::vector<std::pair<std::string, std::string>> tables(const fs::path& folder) {
  std::vector<std::pair<std::string, std::string>> all;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == ".csv")
      all.emplace_back(entry.path().filename().string(), text_of(entry.path()));
  std::ranges::sort(all);
  return all;
}

class FdtdMpirun : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    if (mpirun(GetParam(), 2).empty()) GTEST_SKIP() << "its mpirun is not here, or umov was built without it";
    folder_.write("case.toml", small_case);
  }
  RankedEnd on(int ranks, const std::string& words) const {
    return umov_in(folder_.path(), "fdtd " + words, mpirun(GetParam(), ranks));
  }
  TemporaryFolder folder_;
};
INSTANTIATE_TEST_SUITE_P(Of, FdtdMpirun, testing::Values("openmpi", "mpich"),
                         [](const auto& test) { return test.param; });

TEST_P(FdtdMpirun, WritesTheFilesOfOneRank) {
  ASSERT_EQ(umov_in(folder_.path(), "fdtd case.toml --quiet --output-dir one").code, 0);
  const auto three = on(3, "case.toml --quiet --output-dir three");
  ASSERT_EQ(three.code, 0) << three.text;
  const auto right = tables(folder_ / "one");
  ASSERT_FALSE(right.empty());
  EXPECT_TRUE(tables(folder_ / "three") == right);
  EXPECT_NE(text_of(folder_ / "three/log").find("ranks: 3 ("), std::string::npos);
}

TEST_P(FdtdMpirun, ABadCaseIsRefusedOnce) {
  folder_.write("bad.toml", "[domain]\nsize = [3, 2.3]\nresolution = 20\n");
  const auto bad = on(3, "bad.toml --output-dir bad");
  EXPECT_EQ(bad.code, 2) << bad.text;
  EXPECT_EQ(bad.count("umov: "), 1) << bad.text;
  EXPECT_FALSE(fs::exists(folder_ / "bad"));
}

TEST_P(FdtdMpirun, WhatOneRankComputesIsRefusedByName) {
  const auto refused = on(2, "case.toml --view");
  EXPECT_EQ(refused.code, 2) << refused.text;
  EXPECT_EQ(refused.count("a run with a view cannot be computed on several ranks"), 1) << refused.text;
}

TEST(FdtdRanksOption, WritesTheFilesOfOneRank) {
  const TemporaryFolder folder;
  folder.write("case.toml", small_case);
  const auto umov = [&](const std::string& words) {
    return umov_in(folder.path(), "fdtd case.toml --quiet " + words);
  };
  const auto one = umov("--output-dir one"), four = umov("--ranks 4 --output-dir four");
  ASSERT_EQ(one.code, 0) << one.text;
  ASSERT_EQ(four.code, 0) << four.text;
  EXPECT_TRUE(tables(folder / "four") == tables(folder / "one"));
  EXPECT_NE(text_of(folder / "four/log").find("ranks: 4 (threads)"), std::string::npos);
  const auto plan = umov("--dry-run --ranks 4"), viewed = umov("--ranks 2 --view");
  EXPECT_EQ(plan.code, 0);
  EXPECT_EQ(plan.count("# rank 3: planes "), 1) << plan.text;
  EXPECT_EQ(viewed.code, 2);
  EXPECT_EQ(viewed.count("a run with a view cannot be computed on several ranks"), 1) << viewed.text;
}

}  // namespace
}  // namespace umov::fdtd::test
