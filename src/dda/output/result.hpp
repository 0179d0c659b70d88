// The outcome of a dipole run as named arrays with units.
#pragma once

#include <vector>

#include "dda/outcome.hpp"
#include "results/result.hpp"

namespace umov::dda {

/// Everything a dipole run found. Keeps references into `outcome` for the voxel data.
results::Result to_result(const Outcome& outcome);

}  // namespace umov::dda
