// Waveguide modes as sources.
#pragma once

#include <string>

#include "fdtd/problem.hpp"
#include "fdtd/simulation.hpp"
#include "fdtd/sources/waveform.hpp"

namespace umov::fdtd {

/// Launches mode `spec.mode` of the cross-section at the source's plane towards `spec.direction`: beyond the
/// plane runs the mode with tangential E = waveform times the profile in the plane as asked (where that is
/// between nodes, the one nearest to it has what is there, by beta of the grid), so that an amplitude of 1
/// carries unit power (for peak values); behind it nothing but what is reflected. A pulse follows the profile
/// over its band by interpolation between modes at several frequencies. Throws BadInput naming the source: no
/// plane, out of the domain, no such guided mode.
void add_mode(const SourceSpec&, const Signal&, const std::string& owner, Problem&);

}  // namespace umov::fdtd
