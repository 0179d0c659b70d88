// Which frequencies a source lights.
#pragma once

#include <array>

#include "fdtd/simulation.hpp"

namespace umov::fdtd {

/// Magnitude of a waveform's spectrum at a frequency (c / unit) over that at its peak. A continuous wave has
/// its own frequency alone, to a twentieth, or as sharply as its end allows.
double relative_strength(const Waveform&, double frequency);

/// Frequencies between which a waveform has at least this share of its peak; of samples, by a search on both
/// sides of the peak.
std::array<double, 2> band_above(const Waveform&, double share);

/// Below this share a result is mostly what rounding, folding and layers leave.
inline constexpr double faint_share = 1e-3;
/// Below this one there is nothing to divide by.
inline constexpr double absent_share = 1e-6;

}  // namespace umov::fdtd
