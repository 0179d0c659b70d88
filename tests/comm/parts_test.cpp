// Stretches of planes for ranks, and what rows of one rank get from others by lists.
#include "comm/parts.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "backend/cpu/cpu.hpp"
#include "backend/serial/serial.hpp"
#include "comm/ring.hpp"

namespace umov::comm {
namespace {

using Borders = std::vector<index_t>;

TEST(Parts, SevenPlanesOnThreeRanksAndFewerPlanesThanRanks) {
  EXPECT_EQ(even_parts(7, 3), (Borders{0, 3, 5, 7}));
  EXPECT_EQ(even_parts(2, 4), (Borders{0, 1, 2, 2, 2}));
  EXPECT_EQ(even_parts(0, 2), (Borders{0, 0, 0}));
}

double dearest(const std::vector<double>& costs, const Borders& borders) {
  double most = 0;
  for (std::size_t r = 0; r + 1 < borders.size(); ++r)
    most = std::max(most, std::accumulate(costs.begin() + borders[r], costs.begin() + borders[r + 1], 0.0));
  return most;
}

/// The least cost of the dearest stretch, by trying all borders.
double least(const std::vector<double>& costs, std::size_t from, int ranks) {
  if (ranks == 1) return std::accumulate(costs.begin() + long(from), costs.end(), 0.0);
  double best = 1e300, first = 0;
  for (std::size_t to = from; to <= costs.size(); ++to) {
    best = std::min(best, std::max(first, least(costs, to, ranks - 1)));
    if (to < costs.size()) first += costs[to];
  }
  return best;
}

TEST(Parts, OfEqualCostAreAsGoodAsAnyStretchesCanBe) {
  const std::vector<std::vector<double>> cases{
      {3, 3, 1, 1, 1, 1, 1, 1, 3, 3}, {10, 1, 1, 1}, {1, 1, 1, 10}, {0, 0, 5, 0}, {1},
      {0.1, 0.7, 0.2, 0.9, 0.4}};
  for (const auto& costs : cases)
    for (int ranks = 1; ranks <= 5; ++ranks) {
      const auto borders = balanced_parts(costs, ranks);
      ASSERT_EQ(borders.size(), std::size_t(ranks + 1));
      EXPECT_EQ(borders.front(), 0);
      EXPECT_EQ(borders.back(), index_t(costs.size()));
      EXPECT_TRUE(std::is_sorted(borders.begin(), borders.end()));
      const double total = std::accumulate(costs.begin(), costs.end(), 0.0);
      EXPECT_LE(dearest(costs, borders), least(costs, 0, ranks) + 2e-9 * total);
    }
  EXPECT_EQ(balanced_parts(std::vector<double>(4, 0.0), 2), (Borders{0, 2, 4}));
}

TEST(Parts, AnItemsRankIsTheOneThatHasIt) {
  const Borders borders{0, 1, 2, 2, 4};
  EXPECT_EQ(rank_of(borders, 0), 0);
  EXPECT_EQ(rank_of(borders, 1), 1);
  EXPECT_EQ(rank_of(borders, 2), 3);
  EXPECT_EQ(rank_of(borders, 3), 3);
}

TEST(Halo, BringsTheListedValuesOfNeighboursBehindOnesOwn) {
  // A ring of one or two ranks with values sends both lists to the same rank: from 4 on they are different.
  run_in_process(4, [](Communicator& comm) { ring<backend::Serial>(comm); });
  run_in_process(5, [](Communicator& comm) { ring<backend::Cpu>(comm, 1); });
}

}  // namespace
}  // namespace umov::comm
