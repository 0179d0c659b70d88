// A rank's part of a problem, as a problem of its own.
#pragma once

#include "fdtd/planes.hpp"
#include "fdtd/ranks/slab.hpp"

namespace umov::fdtd::ranks {

/// Grid, walls and layers of a part, without what lies on the grid. The ends that are no walls of the problem
/// are electric walls.
Problem part_frame(const Problem&, const Slab&);

/// The whole part. Recorders have a channel for each of the rank's own pieces (piece_end), transforms its own
/// points; both in the problem's order. Throws BadInput for surfaces of dispersive bodies across a period of
/// fewer than three planes.
Problem make_part(const Problem&, const Slab&);

/// The rank's own plane that counts a point in this plane: ghosts count with the plane beside them.
inline bool counts(const Slab& s, int plane) {
  const int own = std::min(std::max(plane, 0), s.cells - 1);
  return own >= s.begin && own < s.end;
}
/// The place in the part of a point that counts.
inline int own_place(const Slab& s, int plane) { return s.own_begin + plane - s.begin; }

}  // namespace umov::fdtd::ranks
