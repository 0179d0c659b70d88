// The real program on several ranks: under mpirun and with --ranks its files are those of one rank.
#include <gtest/gtest.h>

#include "support/fdtd_pulse.hpp"
#include "support/ranked_program.hpp"

namespace umov::fdtd::trial {
namespace {

using umov::test::mpirun, umov::test::text_of, umov::test::umov_in;
using umov::test::pulse_case, umov::test::tables;
using umov::test::RankedEnd, umov::test::TemporaryFolder;
namespace fs = std::filesystem;

/// Words that make it short.
const std::string case_words = "fdtd case.toml --cpu --steps 300 ", quiet_case = case_words + "--quiet ";

class FdtdMpirun : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    if (mpirun(GetParam(), 2).empty()) GTEST_SKIP() << "its mpirun is not here, or umov was built without it";
    folder_.write("case.toml", pulse_case);
  }
  RankedEnd alone(const std::string& words) const { return umov_in(folder_.path(), words); }
  RankedEnd on(int ranks, const std::string& words) const {
    return umov_in(folder_.path(), words, mpirun(GetParam(), ranks));
  }
  TemporaryFolder folder_;
};
INSTANTIATE_TEST_SUITE_P(Of, FdtdMpirun, testing::Values("openmpi", "mpich"),
                         [](const auto& test) { return test.param; });

TEST_P(FdtdMpirun, WritesTheFilesOfOneRank) {
  ASSERT_EQ(alone(quiet_case + "--output-dir one").code, 0);
  const auto three = on(3, quiet_case + "--output-dir three");
  ASSERT_EQ(three.code, 0) << three.text;
  const auto right = tables(folder_ / "one");
  ASSERT_FALSE(right.empty());
  EXPECT_TRUE(tables(folder_ / "three") == right);
  EXPECT_NE(text_of(folder_ / "three/log").find("ranks: 3 ("), std::string::npos);
}

const char* const film_case = R"([domain]
size = [0.9, 2.1, 1.3]
resolution = 12
[boundary]
y = "periodic"
[pml]
layers = 3
[[body]]
shape = "sphere"
material = "gold"
radius = 0.22
center = [0, 0.1, 0.05]
[[source]]
kind = "point"
component = "Ex"
center = [0.1, 0.6, -0.2]
waveform = "gaussian"
frequency = 1.2
width = 0.5
[[monitor]]
kind = "flux"
name = "around"
box = true
size = [0.5, 0.8, 0.6]
frequencies = [1, 1.3]
[[monitor]]
kind = "series"
name = "probe"
center = [0.1, -0.4, 0.2]
)";

TEST_P(FdtdMpirun, WritesTheFilesOfOneRankInBlocks) {
  folder_.write("film.toml", film_case);
  const std::string words = "fdtd film.toml --cpu --steps 60 --force --quiet ";
  ASSERT_EQ(alone(words + "--output-dir one").code, 0);
  const auto right = tables(folder_ / "one");
  ASSERT_FALSE(right.empty());
  const auto four = on(4, words + "--cut blocks --output-dir four");
  ASSERT_EQ(four.code, 0) << four.text;
  EXPECT_TRUE(tables(folder_ / "four") == right);
  const std::string log = text_of(folder_ / "four/log");
  EXPECT_NE(log.find("blocks across y"), std::string::npos) << log;
}

TEST_P(FdtdMpirun, TakesBothRunsOfAPairSideBySide) {
  ASSERT_EQ(alone(quiet_case + "--normalize --output-dir pair").code, 0);
  const auto right = tables(folder_ / "pair");
  ASSERT_FALSE(right.empty());
  for (const auto& [ranks, split] : {std::pair(2, "runs"), std::pair(3, "runs"), std::pair(2, "grid")}) {
    const std::string out = std::to_string(ranks) + split;
    const auto ended = on(ranks, quiet_case + "--normalize --split " + split + " --output-dir " + out);
    ASSERT_EQ(ended.code, 0) << ended.text;
    EXPECT_TRUE(tables(folder_ / out) == right) << out;
    EXPECT_EQ(text_of(folder_ / out / "log").find("pair: side by side") != std::string::npos,
              split == std::string("runs"));
  }
}

TEST_P(FdtdMpirun, ABadCaseIsRefusedOnce) {
  folder_.write("bad.toml", "[domain]\nsize = [3, 2.3]\nresolution = 20\n");
  const auto bad = on(3, "fdtd bad.toml --output-dir bad");
  EXPECT_EQ(bad.code, 2) << bad.text;
  EXPECT_EQ(bad.count("umov: "), 1) << bad.text;
  EXPECT_FALSE(fs::exists(folder_ / "bad"));
}

/// Ten wavelengths on a rough film: rows that go to whoever is free.
const std::string harmonic_case = R"([harmonic]
wavelength_from = 0.45
wavelength_to = 0.63
wavelength_count = 10
substrate = "glass"
period = 0.4
cell = 0.02
[[material]]
name = "glass"
index = 1.5
[[material]]
name = "film"
index = 2.5
extinction = 0.1
[[layer]]
material = "film"
thickness = 0.15
[[texture]]
above = "film"
rms = 0.02
correlation_length = 0.1
)";
const std::string harmonic_words = "fdtd harmonic.toml --backend serial --quiet ";

TEST_P(FdtdMpirun, GivesRowsOfHarmonicCellsToRanks) {
  folder_.write("harmonic.toml", harmonic_case);
  ASSERT_EQ(alone(harmonic_words + "--output-dir one").code, 0);
  const auto right = tables(folder_ / "one");
  ASSERT_FALSE(right.empty());
  for (const int ranks : {2, 4}) {
    const std::string out = "on" + std::to_string(ranks);
    const auto ended = on(ranks, harmonic_words + "--output-dir " + out);
    ASSERT_EQ(ended.code, 0) << ended.text;
    EXPECT_TRUE(tables(folder_ / out) == right) << out;
    const std::string log = text_of(folder_ / out / "log");
    EXPECT_NE(log.find("ranks: " + std::to_string(ranks) + " ("), std::string::npos) << log;
  }
}

TEST(FdtdRanksOption, GivesRowsOfHarmonicCellsToRanks) {
  const TemporaryFolder folder;
  folder.write("harmonic.toml", harmonic_case);
  const auto umov = [&](const std::string& words) { return umov_in(folder.path(), harmonic_words + words); };
  ASSERT_EQ(umov("--output-dir one").code, 0);
  const auto three = umov("--ranks 3 --output-dir three");
  ASSERT_EQ(three.code, 0) << three.text;
  EXPECT_TRUE(tables(folder / "three") == tables(folder / "one"));
  EXPECT_EQ(umov("--dry-run --ranks 3").count("# rows go to 3 ranks"), 1);
}

TEST(FdtdRanksOption, WritesTheFilesOfOneRank) {
  const TemporaryFolder folder;
  folder.write("case.toml", pulse_case);
  const auto umov = [&](const std::string& words) { return umov_in(folder.path(), words); };
  const auto one = umov(quiet_case + "--output-dir one"),
             four = umov(quiet_case + "--ranks 4 --output-dir four");
  ASSERT_EQ(one.code, 0) << one.text;
  ASSERT_EQ(four.code, 0) << four.text;
  EXPECT_TRUE(tables(folder / "four") == tables(folder / "one"));
  EXPECT_NE(text_of(folder / "four/log").find("ranks: 4 (threads)"), std::string::npos);
  const auto plan = umov(case_words + "--dry-run --ranks 4");
  EXPECT_EQ(plan.code, 0);
  EXPECT_EQ(plan.count("# rank 3: planes "), 1) << plan.text;
}

}  // namespace
}  // namespace umov::fdtd::trial
