// Waveforms given as a table: reading, interpolating, and where their spectrum lies.
#include "fdtd/sources/sampled.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <boost/math/interpolators/makima.hpp>
#include <memory>
#include <unsupported/Eigen/FFT>
#include <vector>

#include "core/types.hpp"
#include "parameters/columns.hpp"

namespace umov::fdtd {
namespace {

/// Magnitude of the spectrum on a fine raster of frequencies.
void measure_spectrum(SampledFunction& f, std::size_t points) {
  const std::size_t n = std::bit_ceil(std::min<std::size_t>(16 * points, 1 << 20));
  const double span = f.last - f.first, step = 4 * span / double(n);
  std::vector<double> x(n, 0.0);
  for (std::size_t i = 0; i < n / 4; ++i) x[i] = f.value(f.first + step * double(i));
  std::vector<cplx> spectrum;
  Eigen::FFT<double> fft;
  fft.fwd(spectrum, x);
  std::size_t peak = 0, highest = 0;
  for (std::size_t k = 0; k < n / 2; ++k)
    if (std::abs(spectrum[k]) > std::abs(spectrum[peak])) peak = k;
  for (std::size_t k = 0; k < n / 2; ++k)
    if (std::abs(spectrum[k]) > 0.01 * std::abs(spectrum[peak])) highest = k;
  f.peak_frequency = double(peak) / (double(n) * step);
  f.highest_frequency = double(highest) / (double(n) * step);
}

}  // namespace

SampledFunction read_samples(const std::string& path) {
  // four points: what the interpolation takes for its slopes
  auto points = read_columns(path, {{{"time", "", "unit/c"}, {"value", ""}}, 0, true, 4}, "");
  auto &time = points.value[0], &value = points.value[1];
  SampledFunction f;
  f.first = time.front();
  f.last = time.back();
  const std::size_t count = points.rows();
  using Akima = boost::math::interpolators::makima<std::vector<double>>;
  auto spline = std::make_shared<Akima>(std::move(time), std::move(value));
  f.value = [spline, first = f.first, last = f.last](double t) {
    return t < first || t > last ? 0.0 : (*spline)(t);
  };
  measure_spectrum(f, count);
  return f;
}

}  // namespace umov::fdtd
