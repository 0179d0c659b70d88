// The two runs of a normalised pair side by side: the bits of one rank, whichever of them ends first.
#include <gtest/gtest.h>

#include "comm/in_process.hpp"
#include "fdtd/run/pair.hpp"
#include "support/fdtd_rank_runs.hpp"
#include "support/machines.hpp"

namespace umov::fdtd::trial {
namespace {

/// A disc of high index in the domain, of `material`, whose ringing is waited for; what the reference run has
/// of it is `in_reference`.
std::string disc(const std::string& bodies) {
  return R"(
[domain]
size = [2.4, 2.1]
resolution = 20
[pml]
layers = 8
[[material]]
name = "glass"
eps = 9
[[material]]
name = "coal"
eps = 2
sigma = 12
)" + bodies +
         R"(
[[source]]
kind = "point"
waveform = "gaussian"
frequency = 0.9
width = 0.4
center = [0.1, 0.05]
[[monitor]]
kind = "flux"
name = "wall"
center = 0.6
size = [0, 0.9]
frequencies = [0.8, 0.95]
[[monitor]]
kind = "series"
name = "probe"
center = [0.2, 0.1]
[[monitor]]
kind = "snapshot"
name = "film"
every = 2
[run]
normalize = true
[stop]
decay = 1e-3
)";
}

const std::string rings = disc(R"([[body]]
shape = "cylinder"
material = "glass"
radius = 0.4
)");
const std::string is_damped = disc(R"([[body]]
shape = "cylinder"
material = "glass"
radius = 0.4
in_reference = true
[[body]]
shape = "cylinder"
material = "coal"
radius = 0.4
)");

/// One thread for each rank of a pair that is computed so.
Machine taken(RankSplit split) {
  Machine machine = umov::test::one_thread;
  machine.split = split;
  return machine;
}

/// The same with its state in a folder.
Machine side_by_side_in(const umov::test::TemporaryFolder& folder) {
  Machine machine = taken(RankSplit::runs);
  machine.output_dir = folder.path().string();
  return machine;
}

TEST(FdtdPair, IsTheSameSideBySideAndInTurn) {
  for (const auto& text : {rings, is_damped}) {
    const Simulation s = simulation(text);
    const Numbers right = numbers(run(s, umov::test::one_thread));
    for (const RankSplit split : {RankSplit::grid, RankSplit::runs})
      for (const int ranks : {2, 3}) {
        const std::string said = expect_same_on(ranks, s, right, "", taken(split));
        EXPECT_NE(said.find(split == RankSplit::runs ? "pair: side by side, the run on rank"
                                                     : "pair: all ranks take one run after the other"),
                  std::string::npos)
            << said;
      }
  }
}

TEST(FdtdPair, AllRanksTakeTheRunOnceTheReferenceRunHasEnded) {
  const Simulation s = simulation(rings);
  const std::string said =
      expect_same_on(4, s, numbers(run(s, umov::test::one_thread)), "", taken(RankSplit::runs));
  EXPECT_NE(
      said.find("the run on ranks 0 to 1, the reference run on ranks 2 to 3; all take the run from step"),
      std::string::npos)
      << said;
}

/// Stops while both are on their way, asked for by a rank of either side, and goes on on other numbers of
/// ranks, one included, by either split.
TEST(FdtdPair, BothRunsGoOnFromOneCheckpoint) {
  const Simulation s = simulation(rings);
  const Numbers right = numbers(run(s, umov::test::one_thread));
  for (const int asks : {0, 2})
    for (const auto& [after, split] : {std::pair(1, RankSplit::automatic), std::pair(2, RankSplit::runs),
                                       std::pair(3, RankSplit::grid), std::pair(4, RankSplit::runs)}) {
      const umov::test::TemporaryFolder folder;
      Machine machine = side_by_side_in(folder);
      expect_interrupted(
          3, s, asks, [](const std::string&, long step) { return step >= 40; }, machine);
      machine.checkpoint.resume = true;
      const auto saved = load_checkpoint(checkpoint_file(machine.output_dir), case_fingerprint(s));
      ASSERT_EQ(saved.marches.size(), 2u);
      machine.split = split;
      expect_same_on(after, s, right, "then ", machine);
    }
}

/// The one-rank run that continues a pair is stopped in its reference run: the other one is kept.
TEST(FdtdPair, ARunThatWaitsForItsReferenceRunIsKept) {
  const Simulation s = simulation(is_damped);
  const Numbers right = numbers(run(s, umov::test::one_thread));
  const umov::test::TemporaryFolder folder;
  Machine machine = side_by_side_in(folder);
  expect_interrupted(
      2, s, 0, [](const std::string&, long step) { return step >= 40; }, machine);
  machine.checkpoint.resume = true;
  expect_interrupted(
      1, s, 0, [](const std::string& stage, long step) { return stage == "reference run" && step >= 200; },
      machine);
  EXPECT_EQ(load_checkpoint(checkpoint_file(machine.output_dir), case_fingerprint(s)).marches.size(), 2u);
  expect_same_on(2, s, right, "", machine);
}

/// A plate on a line, where the sides meet by steps alone: which of them is how far when a rank asks for a
/// stop does not depend on the clock. The plate of the reference run keeps its energy longer than the damped
/// one.
const std::string line_of_ranks_pair = R"(
[domain]
size = [4]
resolution = 40
[pml]
layers = 8
[[material]]
name = "glass"
eps = 30
[[material]]
name = "coal"
eps = 30
sigma = 6
[[body]]
material = "glass"
size = [1]
in_reference = true
[[body]]
material = "coal"
size = [1]
[[source]]
kind = "point"
waveform = "gaussian"
frequency = 0.9
width = 0.4
center = [0.1]
[[monitor]]
kind = "flux"
name = "wall"
center = 1.2
frequencies = [0.8, 0.95]
[[monitor]]
kind = "series"
name = "probe"
center = [0.2]
[run]
normalize = true
[stop]
decay = 1e-3
)";

/// The criterion has ended the run; its reference run, on the last rank, goes on and is stopped.
TEST(FdtdPair, ARunThatHasEndedTakesNoStepAfterAContinuation) {
  const Simulation s = simulation(line_of_ranks_pair);
  const Outcome alone = run(s, umov::test::one_thread);
  const Numbers right = numbers(alone);
  for (const int after : {1, 2, 3}) {
    const umov::test::TemporaryFolder folder;
    Machine machine = side_by_side_in(folder);
    expect_interrupted(
        2, s, 1, [&](const std::string&, long step) { return step >= alone.steps + 300; }, machine);
    machine.checkpoint.resume = true;
    const auto saved = load_checkpoint(checkpoint_file(machine.output_dir), case_fingerprint(s));
    ASSERT_EQ(saved.marches.size(), 2u);
    EXPECT_EQ(saved.marches[1].ended_by, alone.stop_reason);
    expect_same_on(after, s, right, "then ", machine);
  }
}

/// In the plane the sides meet by the clock: which of them ends first before the stop is not known, and the
/// state is that of either.
TEST(FdtdPair, AStopWhileOneSideWaitsForTheOtherIsContinued) {
  const Simulation s = simulation(is_damped);
  const Outcome alone = run(s, umov::test::one_thread);
  const umov::test::TemporaryFolder folder;
  Machine machine = side_by_side_in(folder);
  expect_interrupted(
      2, s, 1, [&](const std::string&, long step) { return step >= alone.steps + 300; }, machine);
  machine.checkpoint.resume = true;
  const auto saved = load_checkpoint(checkpoint_file(machine.output_dir), case_fingerprint(s));
  const bool both = saved.marches.size() == 2, reference_done = !saved.reference.fourier.empty();
  EXPECT_NE(both, reference_done);
  EXPECT_EQ(saved.marches.back().phase, Phase::run);
  expect_same_on(3, s, numbers(alone), "then ", machine);
}

/// Ten steps a millisecond on both sides, but for one second in which the run's rank was kept from its work.
TEST(FdtdPair, AHaltOfOneSideDoesNotSendTheOtherOneAwayForLong) {
  PairUse use;
  use.run_ranks = 1;
  use.paced = true;
  Grid grid;
  grid.mode = Mode::tm;
  grid.cells = {40, 40, 1};
  const long piece = steps_between_reports(grid, false);
  comm::run_in_process(2, [&](comm::Communicator& comm) {
    ReferenceFields reference;
    Pair pair(comm, use, grid, false, reference);
    long step = 0, last = 0, longest = 0;
    const auto seconds = [&] { return 1e-4 * double(step) + (comm.first() && step > 0 ? 1.0 : 0.0); };
    for (int meetings = 0; meetings < 3; ++meetings) {
      while (!pair.due(step)) step += piece;
      longest = std::max(longest, step - last);
      pair.meet(false, false, last = step, seconds());
    }
    EXPECT_LE(longest, 2 * piece) << "rank " << comm.rank();
  });
}

/// On GPUs a rank alone has the kernels that ranks with a shared grid have not; on two ranks of a processor a
/// run of a hundred steps has none left to join for when its reference run is done.
TEST(FdtdPair, APlanSaysWhatTakesLessTime) {
  Simulation s = simulation(rings);
  const Plan gpus = plan(s, umov::test::on("cuda"), 2);
  EXPECT_EQ(gpus.pair, "side by side, the run on rank 0, the reference run on rank 1");
  ASSERT_EQ(gpus.shares.size(), 2u);
  EXPECT_EQ(gpus.shares[0].bytes, gpus.bytes);
  s.stop = {};
  s.stop.steps = 100;
  EXPECT_EQ(plan(s, umov::test::one_thread, 2).pair,
            "all ranks take one run after the other (auto: that takes less time than side by side)");
  s.normalize = false;
  EXPECT_EQ(plan(s, umov::test::one_thread, 2).pair, "");
}

TEST(FdtdPair, SideBySideWithoutASecondRunIsRefused) {
  Simulation s = simulation(rings);
  s.normalize = false;
  try {
    comm::run_in_process(2, [&](comm::Communicator& comm) { run(s, taken(RankSplit::runs), {}, comm); });
    FAIL() << "accepted";
  } catch (const BadInput& e) {
    EXPECT_NE(std::string(e.what()).find("there is one run only"), std::string::npos);
  }
}

}  // namespace
}  // namespace umov::fdtd::trial
