// Waveguide modes as sources.
#pragma once

#include <string>

#include "fdtd/problem.hpp"
#include "fdtd/simulation.hpp"
#include "fdtd/sources/waveform.hpp"

namespace umov::fdtd {

/// Launches mode `spec.mode` of the cross-section at the source's plane towards `spec.direction`.
void add_mode(const SourceSpec&, const Signal&, const std::string& owner, Problem&);

}  // namespace umov::fdtd
