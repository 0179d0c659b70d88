// The incident plane wave on the grid, and what it does in the laterally averaged cell.
#pragma once

#include <vector>

#include "fdtd/harmonic/problem.hpp"
#include "fdtd/harmonic/transfer_matrix.hpp"

namespace umov::fdtd::harmonic {

/// A plane wave as the grid carries it, through the uniform medium above the cell.
struct IncidentWave {
  cplx kz;           ///< of the grid's own dispersion relation, 1/um
  double power = 0;  ///< per column at |E| = 1, in the units of `vertical_flux`
};

/// E of the layered cell [3][nz] under the incident wave, every column alike: below plane `grid.source` all
/// of it, above only what leaves. Exact on the grid: no iteration. Throws BadInput when no wave enters
/// (beyond grazing incidence).
std::vector<cplx> layered_field(const Problem&, Polarization, IncidentWave&);

}  // namespace umov::fdtd::harmonic
