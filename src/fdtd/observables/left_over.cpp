// Subtraction of lines from a record, and the spectrum of the rest.
#include "fdtd/observables/left_over.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace umov::fdtd::inversion {

namespace {

/// What the spectrum of noise, whose power is distributed exponentially, exceeds in three quarters.
const double quartile = -std::log(0.75);

}  // namespace

LeftOver::LeftOver(Record record, double step, const Band& band) : c_(std::move(record)) {
  for (const cplx& v : c_) size_ = std::max(size_, std::abs(v));
  spectrum_.emplace(c_.size(), step, band);
}

Peak LeftOver::largest(const Record& c, const Band& part) const {
  Peak peak;
  const auto values = spectrum_->of(c);
  const double doubt = spectrum_->frequency[1] - spectrum_->frequency[0];
  for (std::size_t i = 0; i < values.size(); ++i)
    if (const double f = spectrum_->frequency[i]; f >= part.from - doubt && f <= part.to + doubt)
      if (const double a = std::abs(values[i]); a > peak.amplitude) peak = {a, f};
  return peak;
}

double LeftOver::noise_beside(const std::vector<Line>& lines) const {
  std::vector<double> power;
  for (const cplx& v : spectrum_->of(without(c_, lines))) power.push_back(std::norm(v));
  std::nth_element(power.begin(), power.begin() + power.size() / 4, power.end());
  return std::max(std::sqrt(power[power.size() / 4] / quartile) / spectrum_->per_sample(), 1e-13 * size_);
}

double LeftOver::noise_beside_strongest(std::vector<Line> lines) const {
  std::erase_if(lines, [&](const Line& l) { return l.angular.imag() * double(c_.size()) > 1; });
  const std::size_t most = spectrum_->frequency.size() / 12 + 1;
  const auto stronger = [](const Line& a, const Line& b) {
    return std::abs(a.amplitude) > std::abs(b.amplitude);
  };
  std::sort(lines.begin(), lines.end(), stronger);
  if (lines.size() > most) lines.resize(most);
  return noise_beside(lines);
}

namespace {

void remove(const std::vector<cplx>& unit, std::vector<cplx>& from) {
  cplx along = 0;
  for (std::size_t i = 0; i < unit.size(); ++i) along += std::conj(unit[i]) * from[i];
  for (std::size_t i = 0; i < unit.size(); ++i) from[i] -= along * unit[i];
}

/// Orthonormal columns of a small space.
class Units {
 public:
  /// Returns the length of what a column adds, 0 where that is next to nothing.
  double add(std::vector<cplx> column) {
    const double before = length(column);
    for (const auto& u : units_) remove(u, column);
    const double size = length(column);
    if (!(size > 1e-12 * before)) return 0;
    for (cplx& x : column) x /= size;
    units_.push_back(std::move(column));
    return size;
  }
  void remove_from(std::vector<cplx>& v) const {
    for (const auto& u : units_) remove(u, v);
  }
  const std::vector<cplx>& last() const { return units_.back(); }

 private:
  std::vector<std::vector<cplx>> units_;
};

WindowedSpectrum spectrum_around(const Line& line, std::size_t samples, double step) {
  const double f = line.angular.real() / (2 * pi * step), reach = around / (double(samples) * step);
  return WindowedSpectrum(samples, step, {f - reach, f + reach});
}

/// The line times the power-th power of the time from the middle, in halves of the record.
Record line_times(const Line& line, int power, std::size_t samples) {
  Record unit(samples);
  for (std::size_t s = 0; s < samples; ++s)
    unit[s] = std::exp(cplx(0, -1) * line.angular * double(s)) *
              std::pow(2 * double(s) / double(samples) - 1, power);
  return unit;
}

}  // namespace

Split split_of(const Line& line, const Record& rest, double step, double noise) {
  const std::size_t n = rest.size();
  const WindowedSpectrum spectrum = spectrum_around(line, n, step);
  Units units;
  for (const int power : {0, 1}) units.add(spectrum.of(line_times(line, power, n)));
  auto left = spectrum.of(rest);
  units.remove_from(left);
  const double size = units.add(spectrum.of(line_times(line, 2, n))), amplitude = std::abs(line.amplitude);
  if (!(size > 0) || !(amplitude > 0)) return {};
  cplx along = 0;
  for (std::size_t i = 0; i < left.size(); ++i) along += std::conj(units.last()[i]) * left[i];
  const double unit = 2 * 4 / (double(n) * double(n) * size * amplitude);
  return {std::abs(along) * unit, noise * spectrum.per_sample() * unit};
}

double left_around(const Line& line, const std::vector<Line>& cluster, const Record& rest, double step) {
  const WindowedSpectrum spectrum = spectrum_around(line, rest.size(), step);
  auto left = spectrum.of(rest);
  Units units;
  for (const Line& other : cluster) units.add(spectrum.of(line_times(other, 0, rest.size())));
  units.remove_from(left);
  return length(left) / std::sqrt(double(left.size())) / spectrum.per_sample();
}

}  // namespace umov::fdtd::inversion
