// Extrapolation in the size of the dipoles.
#pragma once

#include <vector>

#include "dda/extrapolation.hpp"

namespace umov::dda {

/// The constant a0 of a0 + a1 y + a2 y^2, fitted to values on grids of y = k d |m| with errors taken to grow
/// as y^3, and its error (Yurkin, Maltsev and Hoekstra 2006, J. Opt. Soc. Am. A 23, 2592): from four grids on
/// 10 standard errors of a0 for a particle whose volume the grids fill exactly (`cubical`), whose errors are
/// smooth in y, and 2 for others, whose shape errors scatter. Two or three grids leave no freedom to tell an
/// error by: then it is all that the extrapolation changes on the finest of them. `y` and `values` have the
/// same length, at least 2, in any order; all y are positive and different.
Extrapolated extrapolate(const std::vector<double>& y, const std::vector<double>& values, bool cubical);

}  // namespace umov::dda
