// How a grid is cut among ranks: what is chosen, what each rank has, what is refused.
#include <gtest/gtest.h>

#include "core/error.hpp"
#include "fdtd/ranks/cut.hpp"
#include "fdtd/run/run.hpp"
#include "support/fdtd_problems.hpp"
#include "support/fdtd_rank_runs.hpp"
#include "support/machines.hpp"

namespace umov::fdtd::trial {
namespace {

using ranks::choose_cut, ranks::copy_costs, ranks::Cut, ranks::make_cut;

Cut chosen(const Int3& cells, int ranks, bool on_gpus = false, RankCut asked = RankCut::automatic) {
  const Problem p = vacuum(Mode::full, cells, Precision::single_);
  return choose_cut(p, ranks, asked, copy_costs(p, on_gpus ? 2 : 1, on_gpus));
}

TEST(FdtdCut, TakesSlabsOfCubesOnFewRanksAndBlocksOnMany) {
  for (const int ranks : {1, 2, 3, 4}) EXPECT_FALSE(chosen({512, 512, 512}, ranks).blocks()) << ranks;
  EXPECT_EQ(chosen({512, 512, 512}, 16).text(), "4 x 4 blocks across y and z");
}

TEST(FdtdCut, CutsThinFilmsAcrossY) {
  EXPECT_EQ(chosen({256, 2048, 64}, 8).text(), "8 blocks across y");
  EXPECT_EQ(chosen({256, 2048, 64}, 8, true).text(), "8 blocks across y");
  EXPECT_EQ(chosen({256, 64, 2048}, 8).text(), "8 slabs across z");
}

TEST(FdtdCut, TakesSlabsOfThickGridsOnGpusWhereCopiesHide) {
  EXPECT_FALSE(chosen({256, 1024, 1024}, 8, true).blocks());
}

TEST(FdtdCut, DealsOutAllRanksAsDemanded) {
  EXPECT_EQ(chosen({16, 40, 40}, 6, false, RankCut::blocks).text(), "2 x 3 blocks across y and z");
  EXPECT_EQ(chosen({16, 40, 40}, 6, false, RankCut::slabs).text(), "6 slabs across z");
  EXPECT_EQ(chosen({16, 40, 1}, 6, false, RankCut::blocks).text(), "6 blocks across y");
  EXPECT_LE(chosen({16, 3, 2}, 9, false, RankCut::blocks).ranks(), 6);
  EXPECT_EQ(chosen({16, 3, 2}, 9, false, RankCut::slabs).text(), "2 slabs across z");
}

TEST(FdtdCut, GivesEveryRowToOneRank) {
  const Problem p = vacuum(Mode::full, {8, 13, 11}, Precision::single_);
  const Cut cut = make_cut(p, 3, 4);
  ASSERT_EQ(cut.ranks(), 12);
  for (int k = 0; k < 11; ++k)
    for (int j = 0; j < 13; ++j) {
      const int r = cut.rank_of(j, k);
      const auto [row, row_end] = cut.stretch(r, 1, 0, 13);
      const auto [plane, plane_end] = cut.stretch(r, 2, 0, 11);
      EXPECT_TRUE(row <= j && j < row_end && plane <= k && k < plane_end) << j << " " << k;
    }
  EXPECT_EQ(cut.rank_of(-1, -1), cut.rank_of(0, 0));
  EXPECT_EQ(cut.rank_of(13, 11), cut.rank_of(12, 10));
}

TEST(FdtdCut, CountsLayersWhereTheyAre) {
  // ten layers at the low wall across y of forty rows: the part with them is the smaller one
  Problem p = vacuum(Mode::full, {16, 40, 16}, Precision::single_);
  add_pml(p, 1, 10);
  p.pml[1][1] = {};
  const Cut cut = make_cut(p, 2, 1);
  EXPECT_LT(cut.rows[1], 20);
  EXPECT_GT(cut.rows[1], 10);
}

const std::string film_of_ranks_cut = R"(
[domain]
size = [1, 4, 0.5]
resolution = 20
[boundary]
x = "periodic"
y = "periodic"
[pml]
layers = 2
[[source]]
kind = "point"
component = "Ex"
waveform = "gaussian"
frequency = 1.5
width = 0.4
[stop]
steps = 30
)";

TEST(FdtdCut, IsWhatTheDryRunSays) {
  Simulation s = simulation(film_of_ranks_cut);
  const Plan planned = plan(s, umov::test::one_thread, 4);
  EXPECT_EQ(planned.cut, "4 blocks across y");
  ASSERT_EQ(planned.shares.size(), 4u);
  int rows = 0;
  double bytes = 0;
  for (const RankShare& share : planned.shares) {
    EXPECT_EQ(share.first_row, rows);
    rows = share.last_row;
    EXPECT_EQ(share.last - share.first, 10);
    bytes += double(share.bytes);
  }
  EXPECT_EQ(rows, 80);
  // two rows beside twenty on each rank
  EXPECT_NEAR(bytes, 1.1 * double(planned.bytes), 0.001 * double(planned.bytes));
  const std::string said = expect_same_on(4, s, numbers(run(s, umov::test::one_thread)));
  EXPECT_NE(said.find("cut: 4 blocks across y\n"), std::string::npos) << said;
  Machine slabs = umov::test::one_thread;
  slabs.cut = RankCut::slabs;
  EXPECT_EQ(plan(s, slabs, 4).cut, "4 slabs across z");
}

TEST(FdtdCut, IsRefusedWhereThereAreNoBlocks) {
  const Simulation s = simulation(R"(
[domain]
size = [2, 2]
resolution = 20
[[source]]
kind = "point"
component = "Ez"
waveform = "gaussian"
frequency = 1
[stop]
steps = 3
)");
  Machine blocks = umov::test::one_thread;
  blocks.cut = RankCut::blocks;
  EXPECT_THROW(plan(s, blocks, 2), BadInput);
  EXPECT_THROW(comm::run_in_process(2, [&](comm::Communicator& comm) { run(s, blocks, {}, comm); }),
               BadInput);
  const Outcome alone = run(s, blocks);
  ASSERT_FALSE(alone.warnings.empty());
  EXPECT_NE(alone.warnings.back().find("`machine.cut` is without effect"), std::string::npos);
}

}  // namespace
}  // namespace umov::fdtd::trial
