// Waveforms given as a table of times and values.
#pragma once

#include <functional>
#include <string>

namespace umov::fdtd {

/// A function through the points of a file (modified Akima interpolation), zero outside their times.
struct SampledFunction {
  std::function<double(double)> value;
  double first = 0, last = 0;    ///< times of the outermost points
  double peak_frequency = 0;     ///< where the magnitude of the spectrum is largest
  double highest_frequency = 0;  ///< beyond it the magnitude stays below a hundredth of the peak
};

/// Reads `time, value` lines as parameters/columns.hpp does, times in unit/c. Throws BadInput `file:line` for
/// what is no pair of numbers, a heading with units, times that do not increase; fewer than four points.
SampledFunction read_samples(const std::string& path);

}  // namespace umov::fdtd
