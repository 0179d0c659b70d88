// Whether a far-field box stands where its far field means something.
#pragma once

#include <string>
#include <vector>

#include "fdtd/observables/far_field.hpp"

namespace umov::fdtd {

/// Looks at what is around a closed surface: the medium on it has to go on to the walls (a body that encloses
/// the surface is refused, other media outside are a warning), no current may flow through a face (refused),
/// sources outside and absorbing layers that a face touches are warnings. Throws BadInput, returns the
/// warnings.
std::vector<std::string> look_around(const MonitorSpec&, const std::vector<PlaneFace>&, const Surface&,
                                     const Region&, const Whole&, const Simulation&, const Scene&);

}  // namespace umov::fdtd
