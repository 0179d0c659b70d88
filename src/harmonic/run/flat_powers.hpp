// Flat cells: their powers are known exactly, and with them what the grid is off by.
#pragma once

#include "harmonic/cell.hpp"
#include "harmonic/outcome.hpp"
#include "layers/transfer_matrix.hpp"

namespace umov::harmonic {

/// The layers of a cell whose interfaces are flat; `media` are true permittivities, as make_problem takes
/// them.
layers::FlatStack flat_stack(const LayeredCell&, const std::vector<cplx>& media);

/// Largest error of a power that the grid gives a flat cell.
double largest_error(const Budget& grid, const layers::FlatResponse& exact);

/// Gives a point of a flat cell the exact powers in place of the grid's: totals, the integral of what is
/// absorbed over depth in each medium, and order 0, the only one that carries power.
void take_exact(SpectrumPoint&, const layers::FlatResponse& exact, cplx substrate, Polarization);

}  // namespace umov::harmonic
