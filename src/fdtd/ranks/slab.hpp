// One rank's planes of a problem across an axis: its own, and copies of those beside them; its block, which
// is cut across two.
#pragma once

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "fdtd/problem.hpp"

namespace umov::fdtd::ranks {

/// Planes across `axis` beyond its own that a part needs for so many steps between two exchanges: a step
/// carries what is not known at the part's ends one plane inwards, two with tensor terms; the nodes of shared
/// cells reach one plane further.
int halo_planes(const Problem&, int steps, int axis);

/// The planes of a rank across the last axis, or in space the one before it, in the order of its part's grid.
/// Across a periodic wall they go on from the other side; where that wall has a phase, two planes of ghosts
/// lie between (Seam).
struct Slab {
  static constexpr int ghost = -2;  ///< in `plane`

  int axis = 0;
  bool cut = true;         ///< false: all planes of the problem, ghosts with them
  int cells = 0;           ///< planes of the problem
  bool periodic = false;   ///< across a wall that is cut
  int begin = 0, end = 0;  ///< the rank's own planes in the problem
  std::vector<int> plane;  ///< [plane of the part], in the problem
  int own_begin = 0;       ///< place of `begin` in the part
  std::vector<Seam> seams;

  bool empty() const { return begin == end; }
  int count() const { return int(plane.size()); }
  int own_end() const { return own_begin + end - begin; }
  bool own(int local) const { return local >= own_begin && local < own_end(); }
  /// Whether the part ends where the problem does, at this wall.
  bool at_low_wall() const { return !periodic && plane.front() == 0; }
  bool at_high_wall() const { return !periodic && plane.back() == cells - 1; }
  /// The problem's plane at a plane of the part; -1 and `cells` are the ghosts of the problem, `ghost` those
  /// of a seam and of the part.
  int at(int local) const {
    if (local < 0) return at_low_wall() ? -1 : ghost;
    if (local >= count()) return at_high_wall() ? cells : ghost;
    return plane[std::size_t(local)];
  }
  /// The part's planes that hold a plane of the problem.
  std::vector<int> places_of(int global) const;
  /// The plane of the part `by` (-2 to 2) planes further, over a seam; the nearest one at its ends.
  int beside(int local, int by) const;
};

/// Planes borders[r] .. borders[r + 1] - 1 are its own.
Slab make_slab(const Problem&, int axis, std::span<const index_t> borders, int r, int halo);
/// All planes across an axis that is not cut; axis -1: the one row of every plane (Rows).
Slab whole_slab(const Problem&, int axis);

/// The plane that counts a point in this one is the part's own: ghosts count with the plane beside them.
inline bool counts(const Slab& s, int plane) {
  const int own = std::min(std::max(plane, 0), s.cells - 1);
  return own >= s.begin && own < s.end;
}
/// The place in the part of a point that counts.
inline int own_place(const Slab& s, int plane) { return s.own_begin + plane - s.begin; }

/// What a rank has of a grid: rows of each plane, and planes. Slabs have all rows.
struct Block {
  Slab rows, planes;
  bool empty() const { return rows.empty() || planes.empty(); }
};

}  // namespace umov::fdtd::ranks
