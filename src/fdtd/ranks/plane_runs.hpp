// The arrays of a saved state, plane by plane: what of them lies in which plane across the last axis.
#pragma once

#include <vector>

#include "fdtd/problem.hpp"

namespace umov::fdtd::ranks {

/// Elements first .. first + count - 1 of an array.
struct Run {
  index_t first = 0, count = 0;
};

/// One array that changes with time. Arrays of a problem and of its parts that hold the same have the same
/// key; what they hold of one plane are runs of the same lengths.
struct PlaneArray {
  int key = 0;
  index_t size = 0;                    ///< elements
  int first_plane = 0;                 ///< of `runs`
  std::vector<std::vector<Run>> runs;  ///< [plane - first_plane]
  const std::vector<Run>& at(int plane) const {
    static const std::vector<Run> none;
    const int i = plane - first_plane;
    return i < 0 || i >= int(runs.size()) ? none : runs[std::size_t(i)];
  }
};

/// In the order in which engines save them; those of transforms, which no plane owns, come after these.
std::vector<PlaneArray> plane_arrays(const Problem&);

/// Keys of all the problem's arrays that are fields or layers: what part_frame() is enough for.
bool of_frame(int key);

}  // namespace umov::fdtd::ranks
