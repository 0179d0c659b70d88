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

double left_around(const Line& line, const std::vector<Line>& cluster, const Record& rest, double step) {
  const double f = line.angular.real() / (2 * pi * step), reach = around / (double(rest.size()) * step);
  const WindowedSpectrum spectrum(rest.size(), step, {f - reach, f + reach});
  auto left = spectrum.of(rest);
  const auto remove = [](const std::vector<cplx>& unit, std::vector<cplx>& from) {
    cplx along = 0;
    for (std::size_t i = 0; i < unit.size(); ++i) along += std::conj(unit[i]) * from[i];
    for (std::size_t i = 0; i < unit.size(); ++i) from[i] -= along * unit[i];
  };
  std::vector<std::vector<cplx>> units;
  for (const Line& other : cluster) {
    Record unit(rest.size());
    for (std::size_t s = 0; s < unit.size(); ++s) unit[s] = std::exp(cplx(0, -1) * other.angular * double(s));
    auto column = spectrum.of(unit);
    const double before = length(column);
    for (const auto& u : units) remove(u, column);
    const double size = length(column);
    if (!(size > 1e-12 * before)) continue;
    for (cplx& x : column) x /= size;
    units.push_back(std::move(column));
  }
  for (const auto& u : units) remove(u, left);
  return length(left) / std::sqrt(double(left.size())) / spectrum.per_sample();
}

}  // namespace umov::fdtd::inversion
