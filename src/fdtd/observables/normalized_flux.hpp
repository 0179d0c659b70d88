// A flux as a fraction of the incident one: transmission and reflection.
#pragma once

#include <vector>

#include "fdtd/monitors/flux.hpp"
#include "fdtd/outcome.hpp"

namespace umov::fdtd {

/// Below this share of the largest incident flux there is nothing to divide by: rounding in single precision
/// is 1e-7 of the amplitude, and so 1e-2 of a field with 1e-10 of the flux.
inline constexpr double no_incident = 1e-10;

/// Frequencies at which there is nothing to divide by: the incident flux is next to nothing beside its
/// largest, or faint and smaller than ten times the error of the flux's record.
std::vector<bool> without_incident(const FluxResult&);

/// Fraction of the reference flux per frequency; NaN `without_incident` flux. By the flux of a named
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
