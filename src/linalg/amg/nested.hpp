// Prolongations that come from geometry instead of from the matrix.
#pragma once

#include <vector>

#include "linalg/sparse/csr.hpp"

namespace umov::amg {

/// P of the first levels, the finest first: P[l] has as many rows as level l has unknowns, and columns
/// ascending. Where a mesh came from refining another, its linear functions contain the other's.
using Nested = std::vector<sparse::HostCsr>;

}  // namespace umov::amg
