// Particles and electrodes on several ranks with a viewer: held, stepped, stopped; the files of a run alone.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <fstream>
#include <string>
#include <vector>

#include "view/ranked_view.hpp"

namespace umov {
namespace {

namespace fs = std::filesystem;
using test::Address, test::address_in, test::Json, test::subscribe, test::wait_for_end;

/// A sphere of 12 dipoles across, some 25 iterations a wave; each iteration has its field.
const std::string sphere =
    "dda --shape sphere --shape-grid 12 --eq-radius 0.5 --lambda 1 --m 1.6,0.01 --propagation 0.3,0.2,1 "
    "--inner double --preconditioner none --cpu ";

struct Seen {
  std::vector<double> held, last_y, last_x;
};

/// |E|^2 at iteration 6 of a held run, and at its end.
Seen seen_of(const test::TemporaryFolder& folder, const std::string& words) {
  test::Program program(folder, sphere + words + " --view-paused");
  const Address at = test::address_of(program);
  test::Viewer v(at.port, at.token);
  v.send(subscribe(1, v.array("results/E_Y_squared"), {{"index", 6}}));
  v.ask({{"do", "step"}, {"n", 6}});
  auto frame = v.frame(1);
  while (frame.step < 6) frame = v.frame(1);
  EXPECT_EQ(frame.step, 6);
  Seen seen;
  seen.held = frame.values;
  v.ask({{"do", "resume"}});
  wait_for_end(v);
  v.send(subscribe(2, v.array("results/E_Y_squared"), {{"index", 6}}));
  seen.last_y = v.frame(2).values;
  v.send(subscribe(3, v.array("results/E_X_squared"), {{"index", 6}}));
  seen.last_x = v.frame(3).values;
  program.send(SIGINT);
  EXPECT_EQ(program.wait().code, 0);
  return seen;
}

/// Largest difference over the largest value.
double difference_of_ranks_families(const std::vector<double>& a, const std::vector<double>& b) {
  EXPECT_EQ(a.size(), b.size());
  double most = 0, largest = 0;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    EXPECT_EQ(std::isnan(a[i]), std::isnan(b[i]));
    if (std::isnan(a[i])) continue;
    most = std::max(most, std::abs(a[i] - b[i]));
    largest = std::max(largest, std::abs(b[i]));
  }
  EXPECT_GT(largest, 0);
  return most / largest;
}

class ViewedDipoleRanks : public testing::TestWithParam<const char*> {};

TEST_P(ViewedDipoleRanks, FieldsAreThoseOfOneRankAndFilesThoseOfARunAlone) {
  test::TemporaryFolder folder;
  const std::string ranks = std::string("--ranks 2 --split ") + GetParam();
  const auto alone = test::run(folder, sphere + ranks + " --output-dir alone");
  ASSERT_EQ(alone.code, 0) << alone.err;
  const Seen one = seen_of(folder, "--output-dir one"), two = seen_of(folder, ranks + " --output-dir two");
  // The product on ranks is rounded otherwise (1e-16 a product, and some of it grows with the iterations);
  // the frames are floats.
  EXPECT_LT(difference_of_ranks_families(two.held, one.held), 1e-6);
  EXPECT_LT(difference_of_ranks_families(two.last_y, one.last_y), 1e-6);
  EXPECT_LT(difference_of_ranks_families(two.last_x, one.last_x), 1e-6);
  for (const char* file : {"CrossSec-Y", "CrossSec-X", "mueller"}) {
    EXPECT_NE(test::text_of(folder / "two" / file), "");
    EXPECT_EQ(test::text_of(folder / "two" / file), test::text_of(folder / "alone" / file)) << file;
  }
}

INSTANTIATE_TEST_SUITE_P(Splits, ViewedDipoleRanks, testing::Values("particle", "solves"),
                         [](const auto& info) { return std::string(info.param); });

TEST(ViewedDipoleRanks, AStopSavesTheStateOfAllRanks) {
  for (const char* split : {"particle", "solves"}) {
    test::TemporaryFolder folder;
    test::Program program(folder,
                          sphere + "--ranks 2 --output-dir out --view-paused --split " + std::string(split));
    const Address at = test::address_of(program);
    test::Viewer v(at.port, at.token);
    v.send(subscribe(1, v.array("results/E_Y_squared"), {{"index", 6}}));
    v.ask({{"do", "step"}, {"n", 4}});
    while (v.frame(1).step < 4) {
    }
    v.ask({{"do", "stop"}});
    wait_for_end(v);
    program.send(SIGINT);
    const auto ended = program.wait();
    EXPECT_EQ(ended.code, 130) << split << ended.err;
    const auto resumed = test::run(folder, "dda --resume out");
    EXPECT_EQ(resumed.code, 0) << split << resumed.err;
  }
}

/// Two layers between plates: few steps and iterations, for ranks that share a core.
void write_layers(const test::TemporaryFolder& folder) {
  std::ofstream(folder / "case.toml") << R"([geometry]
kind = "layers"
width = 1e-3
elements_across = 2
[[layer]]
region = "thin"
thickness = 2e-3
elements = 4
[[layer]]
region = "thick"
thickness = 2e-3
elements = 4
[[material]]
name = "thin"
permittivity = 4
conductivity = 1e-9
[[material]]
name = "thick"
permittivity = 2
[[electrode]]
name = "high"
groups = ["bottom"]
rms = 10e3
[[electrode]]
name = "low"
groups = ["top"]
kind = "ground"
[time]
end = 3e-4
tolerance = 1e-3
[output]
times = [3e-4]
pictures = false
)";
}

class ViewedRanksOfAll : public testing::TestWithParam<const char*> {};

TEST_P(ViewedRanksOfAll, ElectrodesAreHeldSavedAndTheFilesThoseOfARunAlone) {
  const std::string mpi = GetParam(), before = mpi == "threads" ? "" : test::mpirun(mpi, 2);
  if (before.empty() && mpi != "threads")
    GTEST_SKIP() << "no mpirun of " << mpi << ", or no module of umov for it";
  test::TemporaryFolder folder;
  write_layers(folder);
  const std::string words = std::string("eqs case.toml --cpu ") + (before.empty() ? "--ranks 2 " : "");
  const auto alone = test::umov_in(folder.path(), words + "--output-dir alone", before);
  if (alone.text.find("METIS") != std::string::npos) GTEST_SKIP() << alone.text;
  ASSERT_EQ(alone.code, 0) << alone.text;
  test::RankedRun ranked(folder, words + "--output-dir out --view-paused", before);
  const Address at = address_in([&] { return test::text_of(folder / "said"); });
  test::Viewer v(at.port, at.token);
  v.send(subscribe(1, v.array("fields/potential"), {{"axis", 1}, {"pixels", {4, 32}}}));
  v.ask({{"do", "step"}, {"n", 3}});
  auto frame = v.frame(1);
  while (frame.step < 3) frame = v.frame(1);
  const auto [low, high] = std::minmax_element(frame.values.begin(), frame.values.end());
  EXPECT_GT(*high - *low, 0) << "a potential between the plates";
  EXPECT_EQ(v.ask({{"do", "save"}}).at("type"), "done");
  EXPECT_TRUE(test::wait_until([&] { return fs::exists(folder / "out/checkpoint"); })) << "while it is held";
  v.ask({{"do", "resume"}});
  wait_for_end(v);
  ranked.send_to_rank(0, SIGINT);
  test::expect_end(ranked, 0);
  for (const char* file : {"history.csv", "electrodes.csv"}) {
    EXPECT_NE(test::text_of(folder / "out" / file), "");
    EXPECT_EQ(test::text_of(folder / "out" / file), test::text_of(folder / "alone" / file)) << file;
  }
}

TEST_P(ViewedRanksOfAll, AParticleIsSteppedAndItsFilesAreThoseOfARunAlone) {
  const std::string mpi = GetParam(), before = mpi == "threads" ? "" : test::mpirun(mpi, 2);
  if (mpi == "threads") GTEST_SKIP() << "ViewedDipoleRanks has them";
  if (before.empty()) GTEST_SKIP() << "no mpirun of " << mpi << ", or no module of umov for it";
  test::TemporaryFolder folder;
  const auto alone = test::umov_in(folder.path(), sphere + "--split particle --output-dir alone", before);
  ASSERT_EQ(alone.code, 0) << alone.text;
  test::RankedRun ranked(folder, sphere + "--split particle --output-dir out --view-paused", before);
  const Address at = address_in([&] { return test::text_of(folder / "said"); });
  test::Viewer v(at.port, at.token);
  v.send(subscribe(1, v.array("results/E_Y_squared"), {{"index", 6}}));
  v.ask({{"do", "step"}, {"n", 4}});
  while (v.frame(1).step < 4) {
  }
  v.ask({{"do", "resume"}});
  wait_for_end(v);
  ranked.send_to_rank(0, SIGINT);
  test::expect_end(ranked, 0);
  EXPECT_NE(test::text_of(folder / "out/mueller"), "");
  EXPECT_EQ(test::text_of(folder / "out/mueller"), test::text_of(folder / "alone/mueller"));
}

INSTANTIATE_TEST_SUITE_P(Ranks, ViewedRanksOfAll, testing::Values("threads", "openmpi", "mpich"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace umov
