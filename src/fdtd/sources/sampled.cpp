// Waveforms given as a table: reading, interpolating, and where their spectrum lies.
#include "fdtd/sources/sampled.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <boost/math/interpolators/makima.hpp>
#include <memory>
#include <unsupported/Eigen/FFT>
#include <vector>

#include "core/error.hpp"
#include "core/text.hpp"
#include "core/types.hpp"
#include "shapes/textfile.hpp"

namespace umov::fdtd {
namespace {

struct Points {
  std::vector<double> time, value;
};

std::optional<std::array<double, 2>> parse_pair(std::string_view line) {
  std::string text(line);
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == ',' || c == ';' || c == '\t'; }, ' ');
  std::string_view rest = text;
  double t = 0, v = 0;
  if (!take(rest, t) || !take(rest, v) || !trim(rest).empty()) return std::nullopt;
  if (!std::isfinite(t) || !std::isfinite(v)) return std::nullopt;
  return std::array<double, 2>{t, v};
}

Points read_points(const std::string& path) {
  const shapes::TextFile file(path);
  Points points;
  bool headed = false;
  for (std::size_t i = 0; i < file.lines(); ++i) {
    const auto line = trim(file.line(i));
    if (line.empty() || line.front() == '#') continue;
    const auto pair = parse_pair(line);
    if (!pair) {
      if (points.time.empty() && !headed) {
        headed = true;
        continue;
      }
      file.refuse(i, "not a time and a value", "a waveform has two finite numbers a line",
                  "write `time, value`");
    }
    if (!points.time.empty() && !((*pair)[0] > points.time.back()))
      file.refuse(i, "time does not increase", fmt::format("the line before has {:g}", points.time.back()),
                  "sort the lines by time");
    points.time.push_back((*pair)[0]);
    points.value.push_back((*pair)[1]);
  }
  if (points.time.size() < 4)
    throw BadInput(
        fmt::format("{}: {} samples (a waveform needs at least four); give more lines of `time, value`", path,
                    points.time.size()));
  return points;
}

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
  Points points = read_points(path);
  SampledFunction f;
  f.first = points.time.front();
  f.last = points.time.back();
  const std::size_t count = points.time.size();
  using Akima = boost::math::interpolators::makima<std::vector<double>>;
  auto spline = std::make_shared<Akima>(std::move(points.time), std::move(points.value));
  f.value = [spline, first = f.first, last = f.last](double t) {
    return t < first || t > last ? 0.0 : (*spline)(t);
  };
  measure_spectrum(f, count);
  return f;
}

}  // namespace umov::fdtd
