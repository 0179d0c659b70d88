// From the runs on several grids to values for dipoles of no size.
#pragma once

#include <vector>

#include "dda/many_outcome.hpp"

namespace umov::dda {

/// A run on one grid as an extrapolation keeps it; `row.extra` holds the Mueller matrices.
struct GridRun {
  int n = 0;  ///< as Grids counts
  Int3 box{0, 0, 0};
  std::vector<double> surplus;  ///< of each material but the last, as share_surplus gives it; may be empty
  std::vector<int> absent;      ///< materials of the shape that no dipole of the grid is of
  CaseRow row;
};

/// The Mueller matrices of all directions, one after the other: CaseRow::extra.
std::vector<double> mueller_of(const Outcome&);

/// The extrapolation of runs with ascending n, of which `fitted` (by n) enter the fit, but for those that
/// lack a material: what it does is 0 there, not small. `finest` names the directions of the matrices and
/// holds the case; the verdict is left open.
Extrapolation extrapolation_of(const std::vector<GridRun>&, const std::vector<int>& fitted, bool cubical,
                               const Outcome& finest);

/// Largest error over the one allowed.
double excess_of(const Extrapolation&);

}  // namespace umov::dda
