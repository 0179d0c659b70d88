// A flux as a fraction of the incident one: transmission and reflection.
#pragma once

#include <vector>

#include "fdtd/outcome.hpp"

namespace umov::fdtd {

/// Fraction of the reference flux per frequency; NaN where there is none to divide by. By the flux of a named
/// monitor the sign of `transmission` is that of the flux along the monitor's own normal, that of
/// `reflection` positive against the reference run's flux (where it has one there, else against the
/// normal). Nothing for a box that is `balanced`.
struct NormalizedFlux {
  std::vector<double> transmission;  ///< flux / reference or flux / |incident|; empty without either
  std::vector<double> reflection;    ///< -scattered / reference likewise; empty without scattered fields
};
NormalizedFlux normalized(const FluxResult&);

/// Whether what the monitor sees scattered runs against the incident flux: only then is `reflection` one, and
/// not the shadow that a body casts.
bool shows_reflection(const FluxResult&);

}  // namespace umov::fdtd
