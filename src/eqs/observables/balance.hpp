// Balance of the electrodes' currents and of power, whatever the linear solver says of its residual.
#pragma once

#include <string>
#include <vector>

#include "eqs/outcome.hpp"

namespace umov::eqs {

/// Of a harmonic solution: empty where the electrodes' currents sum to zero and the power fed in, sum Re(U
/// conj(I)) / 2, is the power lost, both to 1e-8 (and what the linear solver was asked for): of the largest
/// current, of the apparent power. Else what is wrong, and what to do.
std::string imbalance(const Observation&, double linear_tolerance);

/// Of a stationary conduction or of steps in time: empty where the electrodes' currents sum to zero, to 1e-8
/// of the largest current of the run and what `tolerance`, that of the solver's residual, leaves over.
/// Records before `first`, whose currents pass at once, have no part in the run's largest, and are held
/// against their own.
std::string imbalance_of_currents(const std::vector<Record>&, double tolerance, std::size_t first = 0);

}  // namespace umov::eqs
