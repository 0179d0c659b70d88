// Gaussian beams as sources.
#pragma once

#include <string>

#include "fdtd/problem.hpp"
#include "fdtd/simulation.hpp"
#include "fdtd/sources/waveform.hpp"

namespace umov::fdtd {

struct BeamSpec {
  double waist_radius = 0;    ///< where E has fallen to 1 / e
  double waist_distance = 0;  ///< from the middle of the plane along the beam
};

/// Time by which a beam is held back in the middle of its plane: at a slant its front meets the rim before
/// that. A whole number of steps. `index`: of the medium.
double beam_delay(const SourceSpec&, const Grid&, double index);
/// The same in the medium that a problem has there.
double beam_delay(const SourceSpec&, const Problem&);

/// Launches a beam through the source's plane along theta, phi: beyond it runs the beam, of amplitude 1 times
/// the waveform in the middle of its waist (the waveform as it is in the middle of the plane, beam_delay
/// later), behind it nothing but what is reflected. A pulse has the beam's field at several frequencies,
/// interpolated. Throws BadInput naming the source: no plane, one out of the domain or in the absorbing
/// layers, more than one medium in it, a medium with losses or poles, a direction along the plane, Bloch
/// walls, a waist too small to be a beam.
void add_beam(const SourceSpec&, const Signal&, const std::string& owner, Problem&);

}  // namespace umov::fdtd
