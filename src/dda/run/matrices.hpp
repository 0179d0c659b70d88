// Scattering matrices of one orientation: directions, amplitudes there, rows of the tables.
#pragma once

#include <vector>

#include "dda/run/inputs.hpp"
#include "dda/run/solve.hpp"

namespace umov::dda {

/// Directions in the plane and on the grid, as far as the case wants them.
struct Directions {
  std::vector<Observation> plane, grid;
};
Directions make_directions(const Prepared&, const Angles&);

/// Amplitudes of the scattered field in these directions.
struct Amplitudes {
  std::vector<CVec3> plane, grid;
};
/// `turned`: those of the other polarization, by the symmetry of rotation about the beam.
Amplitudes amplitudes(const Prepared&, const Solution&, const Directions&, bool turned = false);

/// Fills the plane, the grid and its integrals over phi.
void tabulate(const Prepared&, const Angles&, const Directions&, const Amplitudes& y, const Amplitudes& x,
              Outcome&);

/// The integrals over phi of the rows of the grid, where they are wanted.
std::vector<PhiIntegral> phi_integrals(const Prepared&, const Angles&,
                                       const std::vector<ScatteringRow>& grid);

/// Intervals of theta in the plane.
int theta_intervals(const Prepared&);

}  // namespace umov::dda
