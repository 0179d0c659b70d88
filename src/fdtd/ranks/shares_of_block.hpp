// Blocks of values that several ranks have: which of them has what, and what a part has of one.
#pragma once

#include <cstddef>
#include <vector>

#include "fdtd/ranks/cut.hpp"

namespace umov::fdtd::ranks {

/// Cells lo <= c < hi; ghosts may be among them.
struct Cells {
  Int3 lo{0, 0, 0}, hi{0, 0, 0};
  int size(int axis) const { return hi[axis] - lo[axis]; }
  std::size_t count() const { return std::size_t(size(0)) * std::size_t(size(1)) * std::size_t(size(2)); }
};

/// What of these is rank r's.
Cells share_of(const Cut&, int r, const Cells&);
/// Values that each of so many ranks gives, `width` for each cell of its share.
std::vector<std::size_t> share_counts(const Cut&, int ranks, const Cells&, int width = 1);
/// Values of all cells, x fastest, from those of each rank's share, one rank behind another.
std::vector<double> in_place(const Cut&, int ranks, const Cells&, std::vector<double> given, int width = 1);

/// Planes across an axis that lie one behind another in the problem and in a part: `count` from `first` on
/// are those from `place` on.
struct CopiedRun {
  int axis = -1, first = 0, count = 1, place = 0;
};
/// Of lo <= plane < hi; of an axis -1 the one that there is.
std::vector<CopiedRun> copies_of(const Slab&, const Cells&);
/// Values of some cells of a block, x fastest.
std::vector<double> cut_out(const std::vector<double>& values, const Int3& size, const Cells&);

}  // namespace umov::fdtd::ranks
