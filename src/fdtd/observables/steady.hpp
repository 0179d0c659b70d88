// Amplitudes of oscillations of known frequencies, and how far they are from a steady state.
#pragma once

#include <functional>
#include <limits>
#include <span>
#include <vector>

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

/// Evenly spaced samples of an oscillation, `imag` empty where it is real.
struct Oscillation {
  double first = 0, step = 1;  ///< times
  std::span<const double> value, imag;
};

/// How far amplitudes are from those of the steady state.
struct Settling {
  double left =
      std::numeric_limits<double>::infinity();  ///< estimated change that is still to come, relative
  double halves = std::numeric_limits<double>::infinity();  ///< time in which that falls to a half
  /// Time until it has fallen to `goal`; infinity where it does not fall.
  double time_to(double goal) const;
};

/// Of the amplitudes at `frequencies`, the worst of several series. They are fitted by least squares in
/// windows of the longest period or beat at the end of the record, whole windows apart: a sixth of it before,
/// and two sixths. An amplitude that a resonance builds up changes by D between the first two and by q D
/// between the last two, and is then q D q / (1 - q) from its end (Aitken, Proc. R. Soc. Edinburgh 46, 289,
/// 1926); the estimate is that, at least q D and the change over the last window, at most 100 q D. Changes
/// are relative to the series' own amplitude, at least to a thousandth of the largest of all; below a
/// millionth of the largest they are rounding. Infinity without frequencies, series, amplitudes, or where the
/// record is too short.
Settling settling(std::span<const Oscillation> series, const std::vector<double>& frequencies);

}  // namespace umov::fdtd
