// Amplitudes of oscillations of known frequencies, and how far they are from a steady state.
#pragma once

#include <functional>
#include <limits>
#include <span>
#include <vector>

#include "fdtd/observables/samples.hpp"
#include "fdtd/simulation.hpp"

namespace umov::fdtd {

/// The distinct frequencies of continuous sources, ascending.
std::vector<double> continuous_frequencies(const Simulation&);

/// The longest period or beat of frequencies.
double window_of(const std::vector<double>& frequencies);

/// Cosine and sine amplitudes of every frequency, by least squares over samples [0, count).
std::vector<cplx> fit_waves(std::size_t count, const std::function<double(std::size_t)>& time,
                            const std::function<cplx(std::size_t)>& value,
                            const std::vector<double>& frequencies);

/// Largest relative change of the amplitudes at `frequencies` in any of the series from the window before the
/// last to the last one. A window is the longest period or beat of the frequencies; amplitudes are fitted by
/// least squares in it. A change is relative to the series' own amplitude, at least to a thousandth of the
/// largest of all. Infinity without frequencies, series, two full windows or any amplitude.
double amplitude_change(std::span<const Samples* const> series, const std::vector<double>& frequencies);

}  // namespace umov::fdtd
