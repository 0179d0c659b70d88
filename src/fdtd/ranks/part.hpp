// A rank's part of a problem, as a problem of its own.
#pragma once

#include "fdtd/planes.hpp"
#include "fdtd/ranks/slab.hpp"

namespace umov::fdtd::ranks {

/// Grid, walls and layers of a part, without what lies on the grid. The ends that are no walls of the problem
/// are electric walls.
Problem part_frame(const Problem&, const Block&);

/// The whole part: cut across rows, then across planes. Recorders have a channel for each of the rank's own
/// pieces (piece_end), of a block for each of its own rows of them (row_end); transforms its own points; both
/// in the problem's order. Throws BadInput for surfaces of dispersive bodies across a period of fewer than
/// five planes.
Problem make_part(const Problem&, const Block&);

}  // namespace umov::fdtd::ranks
