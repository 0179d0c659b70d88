// Averages of the Mueller matrix over the azimuth, plain and with cos or sin of 2 phi and 4 phi.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "dda/observables/angles.hpp"
#include "dda/outcome.hpp"

namespace umov::dda {

/// Averages over phi the rows of a theta x phi grid that has a phi axis. `mask` adds 1 for the plain average
/// and 2, 4, 8, 16 for the multipliers cos 2phi, sin 2phi, cos 4phi, sin 4phi.
std::vector<PhiIntegral> integrate_over_phi(int mask, const ScatteringGrid& grid,
                                            std::span<const ScatteringRow> rows);

}  // namespace umov::dda
