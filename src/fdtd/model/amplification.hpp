// Growth per step of a plane wave in a dispersive material, as the discrete update has it, and stable steps.
#pragma once

#include "materials/material.hpp"

namespace umov::fdtd {

/// The largest modulus of the eigenvalues of one step dt, over plane waves of all lengths a grid of spacing
/// dx in `dim` dimensions has: above 1 something grows. Lengths in units, poles in c / unit; conductivities
/// and Debye terms are left out, as they only take energy out.
double growth_per_step(const materials::Material&, double dx, int dim, double dt);

/// The first of `wanted`, 0.95 `wanted`, ... at which nothing grows. Throws BadInput naming the material when
/// none above a hundredth of `wanted` is.
double step_without_growth(const materials::Material&, double dx, int dim, double wanted);

/// The longest time step up to `wanted` that is stable where the material fills all space. `near_limit`: how
/// near its own limit the step may come, which leaves room for rounding in single precision. Throws BadInput
/// as step_without_growth() does.
double longest_step(const materials::Material&, double dx, int dim, double wanted, double near_limit = 0.98);

}  // namespace umov::fdtd
