// The arrays of a saved state, row by row: what of them lies in which row of which plane (Rows).
#pragma once

#include <vector>

#include "fdtd/problem.hpp"

namespace umov::fdtd::ranks {

/// Elements first .. first + count - 1 of an array.
struct Run {
  index_t first = 0, count = 0;
};

/// One array that changes with time. Arrays of a problem and of its parts that hold the same have the same
/// key; what they hold of one row are runs of the same lengths.
struct RowArray {
  int key = 0;
  index_t size = 0;  ///< elements

  /// Rows of fields and layers: one run each, in steps of these strides.
  struct Box {
    int first_row = 0, rows = 0, first_plane = 0, planes = 0;
    index_t begin = 0, row_stride = 0, plane_stride = 0, length = 0;
  } box;
  /// Of lists: those of row (j, k) are entries from first[spot] to first[spot + 1]. An entry is a run, or one
  /// element of each of `copies` lists of `stride` elements.
  struct Lists {
    int first_row = 0, rows = 0, planes = 0;
    std::vector<index_t> first;
    std::vector<Run> runs;
    index_t copies = 0, stride = 0;
  } lists;

  /// Calls f(Run) for what the array has of a row, which may be nothing.
  template <class F>
  void each(int row, int plane, const F& f) const {
    if (lists.first.empty()) {
      const int j = row - box.first_row, k = plane - box.first_plane;
      if (j >= 0 && j < box.rows && k >= 0 && k < box.planes)
        f(Run{box.begin + box.row_stride * j + box.plane_stride * k, box.length});
      return;
    }
    const int j = row - lists.first_row, k = plane + 1;
    if (j < 0 || j >= lists.rows || k < 0 || k >= lists.planes) return;
    const auto spot = std::size_t(lists.rows) * std::size_t(k) + std::size_t(j);
    const index_t from = lists.first[spot], to = lists.first[spot + 1];
    if (from == to) return;
    for (index_t n = 0; n < lists.copies; ++n) f(Run{n * lists.stride + from, to - from});
    if (lists.copies == 0)
      for (index_t n = from; n < to; ++n) f(lists.runs[std::size_t(n)]);
  }
  bool has(int row, int plane) const {
    bool any = false;
    each(row, plane, [&](const Run&) { any = true; });
    return any;
  }
};

/// In the order in which engines save them; those of transforms, which no row owns, come after these.
std::vector<RowArray> row_arrays(const Problem&);

/// Keys of all the problem's arrays that are fields or layers: what part_frame() is enough for.
bool of_frame(int key);

}  // namespace umov::fdtd::ranks
