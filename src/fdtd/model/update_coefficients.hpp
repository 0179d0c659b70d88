// From constants of a material to the numbers of the update equations.
#pragma once

#include <vector>

#include "fdtd/problem.hpp"
#include "materials/material.hpp"

namespace umov::fdtd {

/// E' = decay E + drive (curl H) of eps dE/dt + sigma E = curl H, sigma E centred in time:
///   decay = (1 - s) / (1 + s), drive = (dt / dx) / (eps (1 + s)), s = sigma dt / (2 eps).
/// The same for H with mu and the magnetic conductivity.
Coefficients plain_coefficients(double inverse, double sigma, const Grid&);

/// Of a whole material for one component; zero for E in perfect conductors, where H stays zero by itself.
/// Debye poles, each by the trapezoidal rule P' = a P + b (E' + E) with a = (2 tau - dt) / (2 tau + dt), b =
/// delta dt / (2 tau + dt), add b to eps in `drive` and in the denominator, and take it off eps in the
/// numerator of `decay`.
Coefficients material_coefficients(const materials::Material&, int component, const Grid&);

/// The new E's share in the new P and in the charge that flowed, on one axis: b of the Debye poles, sigma dt
/// / 2.
double permittivity_within_step(const materials::Material&, int axis, double dt);

/// The polarization currents of a material for one electric component (see PoleTerm). Drude and Lorentz:
///   dJ/dt + gamma J + w0^2 P = s E, s = wp^2 or delta w0^2, J half a step from P and E:
///   a = (1 - g) / (1 + g), b = s dt / (1 + g), c = w0^2 dt / (1 + g), g = gamma dt / 2,
/// with gain = dt / (eps + sigma dt / 2 + sum of Debye b); Debye: gain = (1 - a) over the same.
std::vector<PoleTerm> pole_terms(const materials::Material&, int component, const Grid&);

/// Whether sigma dt / 2 and the Debye poles answer within a step by more than vacuum does: such bodies keep
/// the edges whose middle they hold. Measured in random clutter, averaging them is stable up to 2.5 and not
/// above 3.
bool quick(const materials::Material&, double dt);

/// Materials with what they are within one step: that added to eps, no conductivity.
std::vector<materials::Material> as_within_step(std::vector<materials::Material>, double dt);

/// The same for a site of CutMedia, with the conductivity as one more term.
std::vector<PoleTerm> memory_terms(const materials::Material&, int axis, const Grid&);

}  // namespace umov::fdtd
