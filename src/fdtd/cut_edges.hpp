// Edges that conductors cut, as monitors read them: the engine holds l E there, l the free fraction.
#pragma once

#include "fdtd/problem.hpp"

namespace umov::fdtd {

/// Free fraction of an edge; 1 where no conductor cuts it, and for H.
double free_fraction(const Problem&, Component, index_t cell);

/// Makes all recorders record E on cut edges. Transforms that are multiplied with H (fluxes, modes, far
/// fields) keep l E: its product with H is the power through the free part.
void record_fields(Problem&);

}  // namespace umov::fdtd
