// Aggregates: valid, of useful size, and the same everywhere.
#include <gtest/gtest.h>

#include <set>

#include "backend/cpu/cpu.hpp"
#include "backend/serial/serial.hpp"
#include "linalg/amg/aggregate.hpp"
#include "linalg/sparse/rows.hpp"
#include "support/sparse_cases.hpp"

namespace umov {
namespace {

using backend::Cpu;
using backend::Serial;

template <class Device>
std::vector<int> aggregates_of(Device& dev, const sparse::HostCsr& a, double theta, int dense, int& count) {
  std::vector<double> diagonal(a.rows);
  dev.for_each(a.rows, sparse::Diagonal<double, double>{a.view(), diagonal.data()});
  const auto out =
      amg::aggregate(dev, amg::make_strength(a.view(), std::as_const(diagonal).data(), theta), dense);
  count = out.count;
  return {out.of_node.data(), out.of_node.data() + a.rows};
}

TEST(Aggregation, CoversEveryNodeWithConnectedGroupsOfUsefulSize) {
  Serial dev;
  const auto a = test::poisson(16);
  int count = 0;
  const auto of = aggregates_of(dev, a, 0, 1000, count);
  std::vector<std::vector<int>> members(count);
  for (int i = 0; i < a.rows; ++i) {
    ASSERT_GE(of[i], 0);
    ASSERT_LT(of[i], count);
    members[of[i]].push_back(i);
  }
  for (const auto& group : members) {
    ASSERT_FALSE(group.empty());
    // connected: everything is reached from the first member without leaving the group
    std::set<int> rest(group.begin(), group.end()), reached;
    std::vector<int> todo{group[0]};
    while (!todo.empty()) {
      const int i = todo.back();
      todo.pop_back();
      if (!rest.erase(i)) continue;
      for (int k = a.start[i]; k < a.start[i + 1]; ++k) todo.push_back(a.column[k]);
    }
    EXPECT_TRUE(rest.empty());
  }
  // A root and its six neighbours fill at most 7; the closest packing of the seven-point star has 7, loose
  // ones and stragglers around 6.
  EXPECT_GT(double(a.rows) / count, 4.5);
  EXPECT_LT(double(a.rows) / count, 9.0);
}

TEST(Aggregation, IsTheSameOnEveryBackendAndForAnyNumberOfThreads) {
  for (const double theta : {0.0, 0.2}) {
    const auto a = test::diffusion(
        22, [](int x, int y, int z, int axis) { return axis == 2 ? 0.05 : 1.0 + ((x * 7 + y * 3 + z) % 5); });
    Serial serial;
    int count = 0;
    const auto reference = aggregates_of(serial, a, theta, 1000, count);
    for (const int threads : {1, 2, 3, 8}) {
      Cpu cpu(threads);
      int again = 0;
      EXPECT_EQ(aggregates_of(cpu, a, theta, 1000, again), reference);
      EXPECT_EQ(again, count);
    }
  }
}

TEST(Aggregation, StaysWithinPlanesThatAreWeaklyCoupled) {
  Serial dev;
  const int m = 12;
  const auto a = test::diffusion(m, [](int, int, int, int axis) { return axis == 2 ? 1e-3 : 1.0; });
  int count = 0;
  const auto of = aggregates_of(dev, a, 0.08, 1000, count);
  std::vector<int> plane(count, -1);
  for (int i = 0; i < a.rows; ++i) {
    const int z = i / (m * m);
    if (plane[of[i]] < 0) plane[of[i]] = z;
    EXPECT_EQ(plane[of[i]], z);
  }
}

TEST(Aggregation, LeavesNodesWithoutNeighboursOutAndDenseRowsAlone) {
  Serial dev;
  // a chain, a node coupled with all of it, and a node coupled with nothing
  const int n = 400, hub = n, lonely = n + 1;
  test::Rows rows(n + 2);
  for (int i = 0; i < n; ++i) {
    rows[i][i] = 3;
    if (i > 0) rows[i][i - 1] = rows[i - 1][i] = -1;
    rows[i][hub] = rows[hub][i] = -0.5;
  }
  rows[hub][hub] = n, rows[lonely][lonely] = 1;
  const auto a = test::to_csr(rows, n + 2);
  int count = 0;
  const auto of = aggregates_of(dev, a, 0, 100, count);
  EXPECT_EQ(of[lonely], -1);
  EXPECT_EQ(std::count(of.begin(), of.end(), of[hub]), 1);
  // the hub does not make neighbours of distant nodes: a chain has aggregates of three to five
  EXPECT_GT(count, n / 6);
}

}  // namespace
}  // namespace umov
