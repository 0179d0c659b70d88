// Extrapolation in the size of the dipoles.
#pragma once

#include <vector>

#include "dda/extrapolation.hpp"

namespace umov::dda {

/// The value for dipoles of no size of values on grids of y = k d |m|, with errors taken to grow as y^3
/// (Yurkin, Maltsev and Hoekstra 2006, J. Opt. Soc. Am. A 23, 2592), and how far off it may be.
///  - A particle whose volume the grids fill exactly (`cubical`): the constant of a0 + a1 y + a2 y^2. The
///  error
///    is the largest of 10 standard errors, the distances from the constants of a0 + a y^1.5 and a0 + a y^2,
///    which errors at edges follow that no parabola has, and what the extrapolation changes on the finest
///    grid.
///  - Others, whose shape errors scatter from grid to grid: the constant of a0 + a1 y; the error is what the
///    extrapolation changes on the finest grid, and as many standard errors as hold in 99 of 100 cases.
/// An extrapolation that changes the finest grid's value by more than the grids differ, or whose error is
/// more than half of its value, is not believed: then it is the finest grid's value, with an error that holds
/// both. `deviations`, [any number][grid]: what else a grid has that is 0 in the limit, as its surplus of a
/// material; each has a linear term, where there are grids enough. `y` and `values` have the same length, at
/// least 2, in any order; all y are positive and different.
Extrapolated extrapolate(const std::vector<double>& y, const std::vector<double>& values, bool cubical,
                         const std::vector<std::vector<double>>& deviations = {});

/// The finest grid's value in place of one that is not believed.
Extrapolated not_believed(const Extrapolated&, double finest);

}  // namespace umov::dda
