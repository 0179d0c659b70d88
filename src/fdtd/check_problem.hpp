// The last gate before the kernels: a problem whose numbers would lead them astray is refused.
#pragma once

#include "fdtd/problem.hpp"

namespace umov::fdtd {

/// Throws BadInput where sizes do not fit each other, an index points nowhere, or absorbing layers do not fit
/// in the grid. The time step is make_grid's concern.
void check_problem(const Problem&);

}  // namespace umov::fdtd
