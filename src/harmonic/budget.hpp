// Where the light goes: reflected, transmitted, absorbed per medium and over depth.
#pragma once

#include <vector>

#include "harmonic/cell.hpp"
#include "harmonic/incident.hpp"

namespace umov::harmonic {

/// Powers over the incident power.
struct Budget {
  double reflection = 0, transmission = 0;
  std::vector<double>
      absorption;  ///< per medium of the cell; the last has all that enters an absorbing substrate
  /// Absorbed per um of depth around plane k by each medium [media][nz], absorbing layers left out.
  std::vector<std::vector<double>> density;
  double sum() const;
};

/// Power that flows down between plane k and k + 1, over all columns: sum of Im(conj(Ex) Hy' - conj(Ey) Hx'),
/// H' = curl E.
double vertical_flux(const Problem&, const Fields&, int k);

/// Powers of E [3][nz][ny][nx] under a wave. On the grid Poynting's theorem holds exactly (the flux through
/// two planes differs by k0^2 dz Im(eps) |E|^2 summed over the edges between), so the sum misses 1 by what
/// the iteration left of the residual and what the absorbing layers send back: a check of the solution, not
/// of the grid. `media`: permittivities as make_problem took them.
Budget power_budget(const LayeredCell&, const Problem&, const Fields&, const IncidentWave&);

/// Permittivity of edge (c, k, column).
cplx permittivity_at(const Problem&, int c, int k, index_t column);

}  // namespace umov::harmonic
