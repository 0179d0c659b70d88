// Which variants of the time steps a GPU can run: pure functions of its limits, tested without a GPU.
#pragma once

#include <algorithm>
#include <cstddef>

#include "backend/cuda/limits.hpp"

namespace umov::fdtd::tuned {

using backend::cuda::Limits;

/// Clusters of this many blocks can be launched on every GPU that has any.
inline constexpr int most_in_cluster = 8;

/// How the blocks of a launch of many steps wait for each other.
struct Gathering {
  int blocks = 0;       ///< 0: such a launch is not possible
  bool cluster = true;  ///< by the barrier of their cluster; else by a counter in memory, all of them at once
};

/// Blocks for work that would keep `wanted` of them busy. `in_cluster`: most blocks of a cluster of the
/// kernel, 0 where there are none; `resident`: its blocks on one multiprocessor.
inline Gathering gather(int wanted, int in_cluster, int resident, const Limits& l) {
  const bool few = wanted <= 2 * most_in_cluster;
  Gathering g;
  g.blocks = std::min(wanted, few ? std::max(in_cluster, 1) : l.processors);
  g.cluster = g.blocks <= in_cluster;
  if (g.cluster) return g;
  g.blocks = std::min(wanted, few ? std::min(most_in_cluster, l.processors) : l.processors);
  if (resident < 1 || (g.blocks > 1 && !l.cooperative)) g.blocks = 0;
  return g;
}

/// Rows of the columns in which a three-dimensional pass marches; their width is 64 cells.
inline constexpr int tall_rows = 32, short_rows = 16;

/// Shared memory of a block that marches through columns of `rows` rows: three planes of E, two of H, ids,
/// and what waits between two steps. Tall columns keep Ey and psi there too, short ones in registers.
constexpr std::size_t column_bytes(int rows) {
  const std::size_t quads = std::size_t(rows) * 16, padded = quads + 16, vector = 16;
  const std::size_t planes = vector * (9 * padded + 6 * quads + 2 * quads + 4 * padded) + 4 * 6 * quads;
  return planes + 256 * 8 + (rows == tall_rows ? vector * (quads + 8 * 268) : vector * 9);
}

/// Rows that fit the shared memory of a block; 0 where passes of several steps are not possible.
inline int column_rows(const Limits& l) {
  for (const int rows : {tall_rows, short_rows})
    if (column_bytes(rows) <= l.shared_block) return rows;
  return 0;
}

/// Time of a three-dimensional pass over that of the simple steps it replaces. Tall: measured on an H200.
/// Short: 1.1 times the traffic (16 x 64 cells are read for 12 x 48 written), and half as many threads to
/// hide latency.
constexpr double column_cost(int rows) { return rows == tall_rows ? 0.25 : 0.35; }

}  // namespace umov::fdtd::tuned
