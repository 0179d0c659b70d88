// Where the light goes: reflected, transmitted, absorbed per medium and over depth.
#pragma once

#include <vector>

#include "fdtd/harmonic/cell.hpp"
#include "fdtd/harmonic/incident.hpp"

namespace umov::fdtd::harmonic {

/// Powers over the incident power.
struct Budget {
  double reflection = 0, transmission = 0;
  std::vector<double>
      absorption;  ///< per medium of the cell; the last has all that enters an absorbing substrate
  std::vector<double> density;  ///< absorbed per um of depth around plane k [nz], absorbing layers left out
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

/// Of every node (i, k) of the row j: |E|^2 over the incident one, components averaged to the node, and
/// absorbed power per um^3 over the incident power per um^2. Both [nz][nx].
struct Cut {
  std::vector<double> intensity, absorption;
};
Cut cut_along_x(const Problem&, const Fields&, const IncidentWave&, int j);

}  // namespace umov::fdtd::harmonic
