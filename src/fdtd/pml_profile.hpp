// The graded profile of an absorbing layer, as numbers for the update.
#pragma once

#include "fdtd/problem.hpp"
#include "fdtd/simulation.hpp"

namespace umov::fdtd {

/// `index`: mean refractive index behind the wall; sigma is divided by it, so that a wave is absorbed alike
/// in every medium.
PmlSide make_pml(const PmlSettings&, double dx, double dt, double index);

/// |reflected / incident| of a plane wave from a layer before an electric wall, exactly as the discrete
/// equations have it: E parallel to the wall, in a medium of `index` with so many cells per wavelength,
/// `angle` from the normal (radians). The layer turns grid steps into dx s with 1/s = 1/kappa + c / (1 - b
/// exp(i w dt)).
double pml_reflection(const PmlSide&, double dx, double dt, double cells_per_wavelength, double angle = 0,
                      double index = 1);

}  // namespace umov::fdtd
