// What several grids say, as arrays and tables.
#pragma once

#include "dda/extrapolation.hpp"
#include "results/result.hpp"

namespace umov::dda {

/// Adds the tables `grids` and `extrapolated`, one per set of Mueller matrices, and their arrays in groups
/// `grids/` and `extrapolated/`.
void add_extrapolation(results::Result&, const Extrapolation&);

}  // namespace umov::dda
