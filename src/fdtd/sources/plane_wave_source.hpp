// Plane waves as sources: total-field/scattered-field with waves of the grid itself.
#pragma once

#include <string>

#include "fdtd/problem.hpp"
#include "fdtd/simulation.hpp"
#include "fdtd/sources/waveform.hpp"

namespace umov::fdtd {

/// Adds the corrections on the faces of the box of plane_wave_setup. The incident field is a sum over the
/// signal's frequencies of exact solutions of the grid's equations (analytic propagation: Schneider and
/// Abdijalilov 2006, IEEE Trans. Antennas Propag. 54, 2531), so that
/// nothing leaks but by interpolation along the direction of travel: values are tabulated twice a cell and
/// taken with eight points. Amplitude: E is waveform.amplitude at every frequency of the signal.
void add_plane_wave(const SourceSpec&, const Signal&, const std::string& owner, Problem&);

}  // namespace umov::fdtd
