// The graded profile of an absorbing layer, as numbers for the update.
#pragma once

#include "fdtd/problem.hpp"
#include "fdtd/simulation.hpp"

namespace umov::fdtd {

/// `index`: mean refractive index behind the wall; sigma is divided by it, so that a wave is absorbed alike
/// in every medium.
PmlSide make_pml(const PmlSettings&, double dx, double dt, double index);

/// The profiles of a case, with alpha low enough for its sources.
PmlSettings settings_for(const Simulation&, double dx);

/// |reflected / incident| before an electric wall of a wave that the grid carries towards it, exactly as the
/// discrete equations have it: `phase` = w dt, `normal` = (K dx)^2 of what differences across the layer make
/// of the wave, eps mu (Omega dx)^2 less those along it (negative: it decays towards the wall). E parallel to
/// the wall and H parallel to it have the same. The layer turns grid steps into dx s with 1/s = 1/kappa + c /
/// (1 - b exp(i w dt)).
double normal_reflection(const PmlSide&, double phase, double normal);

/// The same of a plane wave in a medium of `index` with so many cells per wavelength, `angle` from the normal
/// (radians).
double pml_reflection(const PmlSide&, double dx, double dt, double cells_per_wavelength, double angle = 0,
                      double index = 1);

}  // namespace umov::fdtd
