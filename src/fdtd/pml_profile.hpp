// The graded profile of an absorbing layer, as numbers for the update.
#pragma once

#include "fdtd/problem.hpp"
#include "fdtd/simulation.hpp"

namespace umov::fdtd {

/// `index`: mean refractive index behind the wall; sigma is divided by it, so that a wave is absorbed alike
/// in every medium.
PmlSide make_pml(const PmlSettings&, double dx, double dt, double index);

/// The profiles of a case, with alpha low enough for its sources; one that is fitted (fit_layers.hpp), which
/// is not `discrete`, as it is.
PmlSettings settings_for(const Simulation&, double dx);

/// Reflected / incident E along an electric wall behind the layer, two cells before the layer, of a wave that
/// the grid carries towards it, exactly as the discrete equations have it: `phase` = w dt, `normal` = (K
/// dx)^2 of what differences across the layer make of the wave, eps mu (Omega dx)^2 less those along it
/// (negative: it decays towards the wall). H parallel to the wall has the opposite. The layer turns grid
/// steps into dx s with 1/s = 1/kappa + c / (1 - b exp(i w dt)).
cplx normal_reflection(const PmlSide&, double phase, double normal);

/// Its magnitude of a plane wave in a medium of `index` with so many cells per wavelength, `angle` from the
/// normal (radians).
double pml_reflection(const PmlSide&, double dx, double dt, double cells_per_wavelength, double angle = 0,
                      double index = 1);

}  // namespace umov::fdtd
