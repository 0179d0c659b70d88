// The frames of a run as a looping GIF.
#pragma once

#include <string>

#include "fdtd/outcome.hpp"

namespace umov::fdtd {

/// Writes the frames of the outcome (of the first frame's component and size) in one colour scale over the
/// outlines of the permittivity, at most 800 pixels across, with the time below. Small domains are enlarged
/// by whole factors. False and no file without frames. Complete or absent; throws MachineFailure naming it.
bool write_animation(const Outcome&, const std::string& path);

}  // namespace umov::fdtd
