// One rank's planes of a problem: its own, and copies of those beside them.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "fdtd/problem.hpp"

namespace umov::fdtd::ranks {

/// Planes beyond its own that a part needs for so many steps between two exchanges: a step carries what is
/// not known at the part's ends one plane inwards, two with tensor terms; the nodes of shared cells reach one
/// plane further.
int halo_planes(const Problem&, int steps);

/// The planes of a rank, in the order of its part's grid. Across a periodic wall they go on from the other
/// side; where that wall has a phase, two planes of ghosts lie between (Seam).
struct Slab {
  static constexpr int ghost = -2;  ///< in `plane`

  int cells = 0;           ///< planes of the problem
  bool periodic = false;   ///< across the last axis
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

/// Planes from <= g < to of the problem that are rank r's, its walls' ghosts with those beside them: the
/// first, and one behind the last.
std::pair<int, int> stretch(std::span<const index_t> borders, int r, int from, int to);

/// Of rank `r`, where planes borders[r] .. borders[r + 1] - 1 are its own.
Slab make_slab(const Problem&, std::span<const index_t> borders, int r, int halo);

}  // namespace umov::fdtd::ranks
