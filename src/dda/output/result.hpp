// What a dipole run left behind, as named arrays with units.
#pragma once

#include <vector>

#include "dda/outcome.hpp"
#include "results/result.hpp"

namespace umov::results {

/// Everything a dipole run found. Keeps references into `outcome` for the voxel data.
Result to_result(const dda::Outcome& outcome);

}  // namespace umov::results
