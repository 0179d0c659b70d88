// Sets of cells as bits, on the host: which cells need more than the curl equations, and how far that
// reaches.
#pragma once

#include <cstdint>
#include <vector>

#include "fdtd/problem.hpp"

namespace umov::fdtd::tuned {

/// Up to 32 cells of a row: cell i + b belongs to it where bit b is set.
struct Segment {
  int i, j, k;
  std::uint32_t mask;
};

/// Nodes 0 .. n of every active axis: all cells, and the E nodes on the high walls.
class CellSet {
 public:
  explicit CellSet(const Grid&);
  void add(int i, int j, int k);
  /// Nodes lo <= (i, j, k) < hi, cut to the grid.
  void add_box(Int3 lo, Int3 hi);
  /// Grows by one node in every direction, corners included: how far a step carries a change.
  void grow(int times);
  index_t count() const;
  std::vector<Segment> segments() const;

 private:
  std::uint32_t* row(int j, int k) { return bits_.data() + words_ * (std::size_t(nodes_[1]) * k + j); }
  void grow_along_x();
  void grow_rows(std::size_t stride, std::size_t group);

  Int3 nodes_;
  std::size_t words_;  ///< of a row
  std::vector<std::uint32_t> bits_;
};

/// Cells that a pass of plain curl updates inside electric walls gets wrong: driven, dispersive and tensor
/// cells, walls that are not electric, and, where asked for, the absorbing layers; and cells that are sampled
/// at intervals of `most_interval` steps or less.
CellSet special_cells(const Problem&, bool layers, int most_interval);

}  // namespace umov::fdtd::tuned
