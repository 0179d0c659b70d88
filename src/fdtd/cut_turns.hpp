// Phases between edges of a cell that Bloch walls separate.
#pragma once

#include "fdtd/problem.hpp"

namespace umov::fdtd {

/// Least cells along a Bloch axis from which it is plain on which side of the wall a neighbour lies.
constexpr int least_bloch_cells = 3;

/// The factor by which what is stored at edge `of` is multiplied to be what edge `from`, less than a cell and
/// a half away, has beside it: E a period on is exp(i phase) E. 1 where no Bloch wall lies between them.
cplx turn_between(const Problem&, index_t from, index_t of);

}  // namespace umov::fdtd
