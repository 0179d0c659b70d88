// Extrapolation in the size of the dipoles.
#pragma once

#include <vector>

#include "dda/extrapolation.hpp"

namespace umov::dda {

/// The constant a0 of a0 + a1 y + a2 y^2, fitted to values on grids of y = k d |m| with errors taken to grow
/// as y^3, and its error (Yurkin, Maltsev and Hoekstra 2006, J. Opt. Soc. Am. A 23, 2592): the largest of
///  - 10 standard errors of a0 for a particle whose volume the grids fill exactly (`cubical`), 2 for others,
///    whose shape errors scatter; more for few grids, by Student's distribution. Two or three grids leave no
///    freedom to tell one by: then it is all that the extrapolation changes on the finest of them;
///  - the distances of a0 from the constants of a0 + a y^1.5 and a0 + a y^2, which errors at edges follow
///  that
///    no parabola has: where these disagree, the grids do not tell which is right.
/// `deviations`, [any number][grid]: what else a grid has that is 0 in the limit, as its surplus of a
/// material; each has a linear term, where there are grids enough. `y` and `values` have the same length, at
/// least 2, in any order; all y are positive and different.
Extrapolated extrapolate(const std::vector<double>& y, const std::vector<double>& values, bool cubical,
                         const std::vector<std::vector<double>>& deviations = {});

}  // namespace umov::dda
