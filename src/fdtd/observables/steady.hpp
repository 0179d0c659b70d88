// How far an oscillation is from a steady state.
#pragma once

#include <limits>
#include <span>
#include <vector>

#include "fdtd/observables/samples.hpp"

namespace umov::fdtd {

/// Largest relative change of the amplitudes at `frequencies` in any of the series from the window before the
/// last to the last one. A window is the longest period or beat of the frequencies; amplitudes are fitted by
/// least squares in it. A change is relative to the series' own amplitude, at least to a thousandth of the
/// largest of all. Infinity without frequencies, series, two full windows or any amplitude.
double amplitude_change(std::span<const Samples* const> series, const std::vector<double>& frequencies);

}  // namespace umov::fdtd
