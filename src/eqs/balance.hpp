// What a harmonic solution must balance, whatever the linear solver says of its residual.
#pragma once

#include <string>

#include "eqs/engine.hpp"

namespace umov::eqs {

/// Empty where the electrodes' currents sum to zero and the power fed in, sum Re(U conj(I)) / 2, is the power
/// lost, both to 1e-8 (and what the linear solver was asked for): of the largest current, of the apparent
/// power. Else what is wrong, and what to do.
std::string imbalance(const Observation&, double linear_tolerance);

}  // namespace umov::eqs
