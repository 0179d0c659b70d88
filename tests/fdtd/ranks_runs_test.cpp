// Whole runs on several ranks against the same on one: every number of every result, bit for bit.
#include <gtest/gtest.h>

#include "support/fdtd_rank_runs.hpp"
#include "support/machines.hpp"

namespace umov::fdtd::trial {
namespace {

struct RanksRunsCase {
  std::string name, text;
};
void PrintTo(const RanksRunsCase& c, std::ostream* to) { *to << c.name; }

const std::string gold_sphere = R"(
[domain]
size = [1.7, 1.6, 1.6]
resolution = 22
[pml]
layers = 6
[[body]]
shape = "sphere"
material = "gold"
radius = 0.17
center = [0.013, 0.021, 0.008]
[[source]]
kind = "plane_wave"
waveform = "gaussian"
frequency = 1.6
width = 0.3
theta = 20
phi = 30
size = [0.55, 0.55, 0.55]
[[monitor]]
kind = "near_to_far"
name = "far"
size = [0.8, 0.8, 0.8]
frequencies = [1.4, 1.7]
theta = [0, 50, 90]
phi = [0, 40]
[[monitor]]
kind = "flux"
name = "around"
box = true
size = [0.4, 0.4, 0.4]
frequencies = [1.5]
[[monitor]]
kind = "series"
name = "probe"
center = [0.1, 0.2, 0.13]
[[monitor]]
kind = "snapshot"
name = "film"
every = 0.4
plane = "x"
[stop]
steps = 150
[output]
animation = true
frames = 5
)";

const std::string bloch_lattice = R"(
[domain]
size = [0.8, 0.7, 0.9]
resolution = 14
[boundary]
x = "bloch"
y = "periodic"
z = "bloch"
bloch = [0.2, 0, 0.3]
[[material]]
name = "glass"
eps = 5
[[body]]
shape = "sphere"
material = "glass"
radius = 0.3
center = [0.02, 0.03, 0.31]
[[body]]
shape = "sphere"
material = "silver"
radius = 0.2
center = [0.02, 0.03, -0.43]
[[source]]
kind = "point"
component = "Ex"
center = [0.12, 0.23, 0.1]
waveform = "gaussian"
frequency = 0.8
width = 0.4
[[monitor]]
kind = "resonance"
name = "bands"
center = [-0.2, 0.1, 0.2]
frequency_from = 0.3
frequency_to = 1.4
start = 2
[[monitor]]
kind = "fourier"
name = "plane"
size = [0.7, 0.6, 0.8]
frequencies = [0.7]
[stop]
steps = 400
)";

const std::string mirrored_metal = R"(
[domain]
size = [1.2, 1.2, 1.2]
resolution = 20
[boundary]
z = ["mirror_even", "pml"]
[pml]
layers = 6
[[body]]
shape = "sphere"
material = "pec"
radius = 0.21
center = [0.011, 0.017, 0]
[[source]]
kind = "point"
component = "Ex"
center = [0.3, 0.1, 0.0]
waveform = "gaussian"
frequency = 1.2
width = 0.4
[[monitor]]
kind = "flux"
name = "up"
center = [0, 0, 0.25]
size = [0.5, 0.5, 0]
frequencies = [1, 1.3]
[[monitor]]
kind = "series"
name = "near"
center = [0.25, 0, 0.02]
[stop]
steps = 120
)";

const std::string guide_of_ranks_runs = R"(
[domain]
size = [4, 3]
resolution = 16
polarization = "te"
[[material]]
name = "core"
eps = 4
[[material]]
name = "stub"
eps = 2.3
[[body]]
shape = "box"
material = "core"
size = [10, 0.5]
in_reference = true
[[body]]
shape = "cylinder"
material = "stub"
radius = 0.23
center = [0.3, 0.41]
[[source]]
kind = "mode"
center = [-1, 0]
size = [0, 1.8]
waveform = "gaussian"
frequency = 0.8
width = 0.1
[[monitor]]
kind = "mode"
name = "in"
center = [-0.5, 0]
size = [0, 1.8]
frequencies = [0.75, 0.8]
[[monitor]]
kind = "flux"
name = "through"
center = [0.8, 0]
size = [0, 1.8]
frequencies = [0.75, 0.8]
[run]
normalize = true
[stop]
decay = 1e-3
)";

const std::string grating = R"(
[domain]
size = [5, 1.6]
resolution = 20
[boundary]
y = "periodic"
[[material]]
name = "glass"
index = 1.5
[[body]]
shape = "box"
material = "glass"
center = [5, 0]
size = [10, inf]
[[body]]
shape = "box"
material = "glass"
center = [-0.25, 0]
size = [0.5, 0.63]
[[source]]
kind = "plane_wave"
waveform = "gaussian"
frequency = 1
width = 0.12
[[monitor]]
kind = "orders"
name = "transmitted"
center = [1.5, 0]
size = [0, inf]
frequencies = [0.9, 1.1]
[stop]
decay = 1e-4
)";

const std::string guide_in_space = R"(
[domain]
size = [2.6, 1.5, 1.3]
resolution = 14
[pml]
layers = 4
[[material]]
name = "core"
eps = 6
[[material]]
name = "stub"
eps = 2.3
[[body]]
shape = "box"
material = "core"
size = [10, 0.4, 0.36]
in_reference = true
[[body]]
shape = "sphere"
material = "stub"
radius = 0.16
center = [0.3, 0.21, 0.02]
[[source]]
kind = "mode"
center = [-0.7, 0, 0]
size = [0, 0.9, 0.7]
waveform = "gaussian"
frequency = 0.9
width = 0.2
[[monitor]]
kind = "mode"
name = "out"
center = [0.7, 0, 0]
size = [0, 0.9, 0.7]
frequencies = [0.85, 0.9]
[[monitor]]
kind = "flux"
name = "side"
center = [0.2, 0.33, 0]
size = [0.8, 0, 0.6]
frequencies = [0.85, 0.9]
[run]
normalize = true
[stop]
decay = 1e-2
)";

const std::string grating_in_space = R"(
[domain]
size = [0.7, 0.9, 1.9]
resolution = 14
[boundary]
x = "periodic"
y = "periodic"
[pml]
layers = 5
[[material]]
name = "glass"
index = 1.5
[[body]]
shape = "box"
material = "glass"
center = [0, 0.1, 0.13]
size = [0.4, 0.5, 0.3]
[[source]]
kind = "plane_wave"
waveform = "gaussian"
frequency = 1.3
width = 0.2
theta = 0
[[monitor]]
kind = "orders"
name = "transmitted"
center = [0, 0, 0.5]
size = [inf, inf, 0]
frequencies = [1.2, 1.4]
[stop]
steps = 200
)";

class FdtdRankRuns : public testing::TestWithParam<RanksRunsCase> {};

TEST_P(FdtdRankRuns, GiveTheResultsOfOneRank) {
  const Simulation s = simulation(GetParam().text);
  const Numbers right = numbers(run(s, umov::test::one_thread));
  ASSERT_GT(right.size(), 3u);
  for (const int ranks : {2, 3, 4}) expect_same_on(ranks, s, right);
}

TEST_P(FdtdRankRuns, GiveTheResultsOfOneRankInBlocks) {
  const Simulation s = simulation(GetParam().text);
  Machine machine = umov::test::one_thread;
  machine.cut = RankCut::blocks;
  if (s.size[2] == 0) {  // blocks are of space
    EXPECT_THROW(expect_same_on(2, s, {}, "", machine), BadInput);
    return;
  }
  const Numbers right = numbers(run(s, umov::test::one_thread));
  machine.split = RankSplit::grid;
  for (const int ranks : {2, 4, 6}) {
    const std::string said = expect_same_on(ranks, s, right, "", machine);
    EXPECT_NE(said.find(" blocks across y"), std::string::npos) << said;
  }
  if (!s.normalize) return;
  machine.split = RankSplit::runs;
  const std::string said = expect_same_on(5, s, right, "", machine);
  EXPECT_NE(said.find("side by side"), std::string::npos) << said;
}

/// Stops in the run itself, past the reference run of a normalised pair or beside it, where the sources are
/// on.
TEST_P(FdtdRankRuns, GoOnFromTheCheckpointOfAnotherNumberOfRanks) {
  const Simulation s = simulation(GetParam().text);
  const Numbers right = numbers(run(s, umov::test::one_thread));
  for (const auto& [before, after] : {std::pair(1, 3), std::pair(3, 1), std::pair(4, 2)}) {
    const umov::test::TemporaryFolder folder;
    Machine machine = umov::test::in(umov::test::one_thread, folder.path().string());
    machine.cut = before == 4 && s.size[2] > 0 ? RankCut::blocks : RankCut::automatic;
    // one rank alone asks for the end: the last, where it takes the run
    expect_interrupted(
        before, s, s.normalize ? 0 : before - 1,
        [](const std::string& stage, long step) { return (stage == "run" || stage.empty()) && step >= 60; },
        machine);
    machine.checkpoint.resume = true;
    expect_same_on(after, s, right, std::to_string(before) + " ranks, then ", machine);
  }
}

INSTANTIATE_TEST_SUITE_P(Of, FdtdRankRuns,
                         testing::Values(RanksRunsCase{"GoldSphere", gold_sphere},
                                         RanksRunsCase{"BlochLattice", bloch_lattice},
                                         RanksRunsCase{"MirroredMetal", mirrored_metal},
                                         RanksRunsCase{"Guide", guide_of_ranks_runs},
                                         RanksRunsCase{"Grating", grating},
                                         RanksRunsCase{"GuideInSpace", guide_in_space},
                                         RanksRunsCase{"GratingInSpace", grating_in_space}),
                         [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace umov::fdtd::trial
