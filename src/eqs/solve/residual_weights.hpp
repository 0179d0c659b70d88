// Which combination of earlier residuals is the smallest.
#pragma once

#include <vector>

#include "linalg/small_basis.hpp"

namespace umov::eqs {

/// Weights that add up to one and make the sum of weight times residual smallest, in the norm of `gram`: the
/// residuals' inner products, oldest first. Differences of neighbours that lie within rounding of newer ones'
/// span are left out.
std::vector<double> minimal_residual_weights(const linalg::SmallMatrix& gram);

}  // namespace umov::eqs
