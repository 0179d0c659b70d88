// Whether the plane of a mode is large enough for it.
#pragma once

#include <string>

#include "fdtd/sources/mode_solver.hpp"

namespace umov::fdtd {

/// The field that a mode would have at the open rim of its plane without the conductor there, over its
/// largest: from the slope of the field along the rim and half of the field across, within a factor of 1.6.
/// Rims on walls of the domain and in perfect conductors do not count.
double field_at_rim(const Problem&, const ModePlane&, const ModeProfile&);

/// A warning where that is more than a hundredth; otherwise empty.
std::string rim_warning(const Problem&, const ModePlane&, const ModeProfile&, const std::string& owner);

}  // namespace umov::fdtd
