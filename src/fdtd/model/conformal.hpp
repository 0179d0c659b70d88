// Conductors between grid lines: lengths and areas of cut edges and faces, and what keeps them stable.
#pragma once

#include "fdtd/model/coefficient_table.hpp"
#include "fdtd/model/conductors.hpp"

namespace umov::fdtd {

/// The largest step with conductors, as a fraction tau of the limit in the medium that fills the grid. A
/// surface parallel to the grid leaves a face that needs at least tau^2 / 2 (in space tau^2 / 3) of an area
/// beside one that needs tau^2 (4 tau^2 / 3); at this step both together are less than the one whole face
/// that there is (face_areas.hpp).
constexpr double conductor_courant(Mode mode) { return mode == Mode::full ? 0.75 : 0.8; }

/// Whether any edge or face is cut so that its fraction counts.
bool has_fractions(const ConductorCuts&);

/// Puts conductors into a painted problem; to be called when indices are final but for tensor terms, which
/// edges with cut faces do not get.
///
/// An edge holds e = l E, l its free fraction, and H of a face of free area A is driven by
///   A mu dH/dt = -curl e,   (eps / l) de/dt = curl H
/// (Dey and Mittra 1997, IEEE Microw. Guided Wave Lett. 7, 273): coefficients alone, and energy is conserved
/// for every A > 0 and l > 0 within the limit of the time step. That limit is kept by face_areas.hpp.
/// Without `conformal` edges and faces less than half free belong to the conductor, the others are free.
void add_conductors(const ConductorCuts&, bool conformal, CoefficientTable&, Problem&);

}  // namespace umov::fdtd
