// What is measured of a mode's fields.
#pragma once

#include "modes/solve.hpp"

namespace umov::modes {

/// Where a component sits: half a cell above its node along transverse axis s.
inline bool at_half(const Section& s, int component, int axis) {
  return fdtd::is_electric(component) == (fdtd::axis_of(component) == s.axis(axis));
}

/// Scales to unit power, 1/2 Re sum (e x h*) cos(Re beta dx / 2) = 1, and the largest of the transverse E to
/// a positive real number.
void normalise(const Section&, Mode&);

/// te, area, confined and rim; `layers` cells of absorber at open ends do not count but in rim.
void measure(const Section&, int layers, Mode&);

/// Power that a Gaussian beam around the middle of the plane, polarised along the mode's main axis, couples
/// into it: |int e_g h_m|^2 over the power of both, for the transverse fields of the main polarisation.
double coupled_to_beam(const Section&, const Mode&, double waist);

/// |int e_a x h_b* int e_b x h_a*| / |int e_a x h_a* int e_b x h_b*| of two modes, each on its own section,
/// in the same coordinates: the power that passes at a joint of two guides but for what is reflected (Snyder
/// and Love 1983, Optical Waveguide Theory, chapter 20). Fields at the middles of a's cells, b's between
/// those of its own.
double coupled(const Section& at_a, const Mode& a, const Section& at_b, const Mode& b);

}  // namespace umov::modes
