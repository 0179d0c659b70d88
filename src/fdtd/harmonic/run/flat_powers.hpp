// Flat cells: their powers are known exactly, and with them what the grid is off by.
#pragma once

#include "fdtd/harmonic/cell.hpp"
#include "fdtd/harmonic/outcome.hpp"
#include "fdtd/transfer_matrix.hpp"

namespace umov::fdtd::harmonic {

/// The layers of a cell whose interfaces are flat; `media` are true permittivities, as make_problem takes
/// them.
FlatStack flat_stack(const LayeredCell&, const std::vector<cplx>& media);

/// Largest error of a power that the grid gives a flat cell.
double largest_error(const Budget& grid, const FlatResponse& exact);

/// Gives a point of a flat cell the exact powers in place of the grid's: totals, the integral of what is
/// absorbed over depth in each medium, and order 0, the only one that carries power.
void take_exact(SpectrumPoint&, const FlatResponse& exact, cplx substrate, Polarization);

}  // namespace umov::fdtd::harmonic
