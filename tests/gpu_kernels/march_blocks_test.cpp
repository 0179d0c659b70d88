// The blocks of a part's passes in space: which go before its planes travel, which meanwhile.
#include <gtest/gtest.h>

#include <numeric>
#include <random>

#include "fdtd/tuned/cuda/block_plan.hpp"

namespace umov::fdtd::tuned {
namespace {

/// As plan_columns has them.
MarchPlan columns_of(const MarchExtent& e, int rows) {
  MarchPlan plan;
  const int written_y = rows - 2 * volume_steps;
  plan.rows = rows;
  plan.tiles_x = (e.cells[0] + written_x - 1) / written_x;
  plan.tiles_y = e.cells[1] <= rows ? 1 : 1 + (e.cells[1] - rows + written_y - 1) / written_y;
  return plan;
}

MarchExtent extent_of(const Int3& cells, int layers, int begin, int end) {
  MarchExtent e{cells, {layers, layers, 0}, {cells[0] - layers, cells[1] - layers, 1 << 30}, begin, end};
  return e;
}

std::vector<char> ends_sent(const MarchExtent& e, int low, int high) {
  std::vector<char> sent(std::size_t(e.cells[2]));
  for (int k = 0; k < low; ++k) sent[std::size_t(e.begin + k)] = 1;
  for (int k = 0; k < high; ++k) sent[std::size_t(e.end - 1 - k)] = 1;
  return sent;
}

/// Whether block b reads node (i, j, k): all cells of its column, the planes around its own included.
bool reads(const MarchPlan& plan, int b, int i, int j, int k) {
  const int x = b % plan.tiles_x * written_x - margin_x,
            y = b / plan.tiles_x % plan.tiles_y * (plan.rows - 2 * volume_steps);
  return i >= x && i < x + tile_x && j >= y && j < y + plan.rows && k >= plan.first_plane(b) - volume_steps &&
         k < plan.last_plane(b) + volume_steps;
}

struct Grid3 {
  Int3 cells;
  int rows, begin, end, low, high;
};
const Grid3 grids[] = {{{311, 97, 83}, 32, 2, 81, 2, 2},
                       {{311, 97, 83}, 16, 0, 80, 0, 3},
                       {{48, 33, 40}, 32, 5, 40, 5, 0},
                       {{13, 11, 7}, 16, 2, 4, 2, 2},
                       {{200, 61, 25}, 32, 4, 25, 4, 0}};

TEST(MarchBlocks, LeftWhileCopiesTravelNeitherWriteSentPlanesNorReadWhatPatchesChange) {
  std::mt19937 random(3);
  for (const Grid3& g : grids)
    for (const int patches : {0, 1, 4, 40}) {
      const MarchExtent e = extent_of(g.cells, 3, g.begin, g.end);
      std::vector<Segment> segments;
      for (int n = 0; n < patches; ++n)
        segments.push_back(
            {int(random() % unsigned(g.cells[0] + 1)) / 32 * 32, int(random() % unsigned(g.cells[1] + 1)),
             int(random() % unsigned(g.cells[2] + 1)), 1u << random() % 32 | 1u << random() % 32});
      const auto sent = ends_sent(e, g.low, g.high);
      const MarchPlan columns = columns_of(e, g.rows);
      const auto [plan, order] =
          cut_part(columns, e, EarlyPlaces(columns, e, sent, segments), Overlap::always, 8);
      ASSERT_EQ(int(order.order.size()), plan.blocks());
      std::vector<int> all(std::size_t(plan.blocks()));
      std::iota(all.begin(), all.end(), 0);
      EXPECT_TRUE(std::ranges::is_permutation(order.order, all)) << "each block once";
      EXPECT_EQ(plan.first_plane(0), g.begin);
      EXPECT_EQ(plan.last_plane(plan.blocks() - 1), g.end);
      for (int n = order.early; n < plan.blocks(); ++n) {
        const int b = order.order[std::size_t(n)];
        for (int k = plan.first_plane(b); k < plan.last_plane(b); ++k)
          EXPECT_FALSE(sent[std::size_t(k)]) << k;
        for (const Segment& s : segments)
          for (int bit = 0; bit < 32; ++bit)
            if (s.mask >> bit & 1) {
              // no block reads the nodes on the high wall across z
              EXPECT_FALSE(s.k < g.cells[2] && reads(plan, b, s.i + bit, s.j, s.k));
            }
      }
    }
}

TEST(MarchBlocks, FillTheMultiprocessorsBeforeTheyAreCutInTwoLaunches) {
  // ten early blocks of 8 on four multiprocessors end at 24, on two of them at 16: there three more of 3 end
  // at 25, and the other 24 take six rounds on all four
  std::vector<double> work(40, 3);
  std::vector<char> early(40);
  for (int b = 0; b < 10; ++b) work[std::size_t(4 * b)] = 8, early[std::size_t(4 * b)] = 1;
  const BlockOrder o = order_blocks(work, early, 4, 5);
  EXPECT_EQ(o.early, 16);
  EXPECT_DOUBLE_EQ(o.time, 25 + 18 + start_of_launch);
  EXPECT_DOUBLE_EQ(order_blocks(work, early, 4, 500).time, 24 + 500 + start_of_launch);
  EXPECT_EQ(order_blocks(work, 4).early, 40);
}

/// Two halves of 1024 x 1024 x 256 cells on H200s: beside half a pass and more their two planes travel for
/// nothing; the model says 7 % of the pass.
TEST(MarchBlocks, OfHalfALargeGridLeaveEnoughToHideTheExchange) {
  const MarchExtent e = extent_of({1024, 1024, 130}, 10, 0, 128);
  const MarchPlan columns = columns_of(e, 32);
  const auto sent = ends_sent(e, 0, 2);
  const EarlyPlaces places(columns, e, sent, {});
  const auto with = cut_part(columns, e, places, Overlap::where_it_pays, 132).second;
  MarchExtent all = e;
  all.end = 130;
  const auto without = cut_whole(columns, all, 132).second;
  const double travel = travel_of_plane * 2 * columns.tiles() / 132;
  EXPECT_GT(double(with.order.size() - std::size_t(with.early)) / double(with.order.size()), 0.3);
  EXPECT_LT(with.time, 0.95 * (without.time + travel));
  RecordProperty("early", with.early);
  RecordProperty("blocks", int(with.order.size()));
}

TEST(MarchBlocks, OfASmallPartGoInOneLaunch) {
  const MarchExtent e = extent_of({163, 127, 102}, 6, 0, 100);
  const MarchPlan columns = columns_of(e, 32);
  const EarlyPlaces places(columns, e, ends_sent(e, 0, 2), {});
  const auto [plan, order] = cut_part(columns, e, places, Overlap::where_it_pays, 132);
  EXPECT_EQ(order.early, plan.blocks())
      << "fewer blocks than multiprocessors: two launches take twice as long";
  EXPECT_LT(cut_part(columns, e, places, Overlap::always, 132).second.early, plan.blocks());
}

TEST(MarchBlocks, KnowTheSentPlanesOfABorder) {
  Grid g;
  g.mode = Mode::full;
  g.cells = {5, 4, 9};
  const Planes planes(g);
  const auto plane_places = [&](int array, int from, int to) {
    ArrayPlaces a{array, {}};
    for (index_t p = planes.begin(from); p < planes.begin(to) + planes.size(); ++p) a.places.push_back(p);
    return a;
  };
  Border b;
  b.messages = {{1, {plane_places(0, 5, 6), plane_places(5, 6, 6), {7, {3, 4, 5}}}, {plane_places(0, 7, 8)}},
                {0, {plane_places(2, -1, 0)}, {}}};
  EXPECT_EQ(sent_planes(b, g), (std::vector<char>{1, 0, 0, 0, 0, 1, 1, 0, 0}));
}

}  // namespace
}  // namespace umov::fdtd::tuned
