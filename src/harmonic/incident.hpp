// The incident plane wave on the grid, and what it does in the laterally averaged cell.
#pragma once

#include <array>
#include <vector>

#include "core/types.hpp"
#include "harmonic/problem.hpp"
#include "layers/transfer_matrix.hpp"

namespace umov::harmonic {

using layers::Polarization;

/// A plane wave as the grid carries it, through the uniform medium above the cell.
struct IncidentWave {
  cplx kz;           ///< of the grid's own dispersion relation, 1/um
  double power = 0;  ///< per column at |E| = 1, in the units of `vertical_flux`
};

/// E of the layered cell [3][nz] under the incident wave, every column alike: below plane `grid.source` all
/// of it, above only what leaves. Exact on the grid: no iteration. s has E across the plane of incidence, p
/// in it; along the normal, where the Bloch vector tells no plane, `azimuth` (rad, from x towards y) does.
/// Throws BadInput when no wave enters (beyond grazing incidence).
std::vector<cplx> layered_field(const Problem&, Polarization, IncidentWave&, double azimuth = 0);

/// k0 of a wavelength in vacuum.
inline double wavenumber(double wavelength) { return 2 * pi / wavelength; }

/// K of a wave in the superstrate (1/um): angle of incidence and azimuth in rad.
std::array<double, 2> bloch_vector(double wavelength, double permittivity, double angle, double azimuth);

}  // namespace umov::harmonic
