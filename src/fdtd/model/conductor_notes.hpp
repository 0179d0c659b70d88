// How conductors were put on the grid, in words for the log.
#pragma once

#include <string>

#include "fdtd/problem.hpp"

namespace umov::fdtd {

/// One sentence on surfaces, accuracy and time step; empty where no conductor is between grid lines.
std::string conductor_note(const Problem&);
/// A warning for conductors too thin for the grid; empty where there are none.
std::string thin_conductor_warning(const Problem&);

}  // namespace umov::fdtd
