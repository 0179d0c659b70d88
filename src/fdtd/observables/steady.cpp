// Amplitudes of the last two windows of a series.
#include "fdtd/observables/steady.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

namespace umov::fdtd {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

}  // namespace

std::vector<double> continuous_frequencies(const Simulation& sim) {
  std::vector<double> list;
  for (const SourceSpec& s : sim.sources)
    if (s.waveform.kind == Waveform::Kind::continuous) list.push_back(s.waveform.frequency);
  std::sort(list.begin(), list.end());
  list.erase(std::unique(list.begin(), list.end(), [](double a, double b) { return b - a < 1e-6 * b; }),
             list.end());
  return list;
}

double window_of(const std::vector<double>& frequencies) {
  double longest = 0;
  for (std::size_t i = 0; i < frequencies.size(); ++i) {
    longest = std::max(longest, 1 / frequencies[i]);
    for (std::size_t j = 0; j < i; ++j)
      longest = std::max(longest, 1 / std::abs(frequencies[i] - frequencies[j]));
  }
  return longest;
}

std::vector<cplx> fit_waves(std::size_t count, const std::function<double(std::size_t)>& time,
                            const std::function<cplx(std::size_t)>& value,
                            const std::vector<double>& frequencies) {
  const auto unknowns = 2 * frequencies.size();
  Eigen::MatrixXd waves(count, unknowns);
  Eigen::VectorXcd values(count);
  for (std::size_t i = 0; i < count; ++i) {
    const double t = time(i);
    for (std::size_t f = 0; f < frequencies.size(); ++f) {
      waves(i, 2 * f) = std::cos(2 * pi * frequencies[f] * t);
      waves(i, 2 * f + 1) = std::sin(2 * pi * frequencies[f] * t);
    }
    values[i] = value(i);
  }
  const Eigen::HouseholderQR<Eigen::MatrixXd> qr(waves);
  const Eigen::VectorXd re = qr.solve(values.real()), im = qr.solve(values.imag());
  std::vector<cplx> out(unknowns);
  for (std::size_t k = 0; k < unknowns; ++k) out[k] = {re[k], im[k]};
  return out;
}

namespace {

Eigen::VectorXcd fit(const Samples& s, std::size_t first, std::size_t count,
                     const std::vector<double>& frequencies) {
  const auto found = fit_waves(
      count, [&](std::size_t i) { return s.time(first + i); },
      [&](std::size_t i) { return cplx(s.value()[first + i], s.imag().empty() ? 0 : s.imag()[first + i]); },
      frequencies);
  return Eigen::Map<const Eigen::VectorXcd>(found.data(), Eigen::Index(found.size()));
}

}  // namespace

double amplitude_change(std::span<const Samples* const> series, const std::vector<double>& frequencies) {
  if (series.empty() || frequencies.empty()) return infinity;
  double largest = 0;
  std::vector<std::array<double, 2>> changes;  // absolute change and amplitude of each series
  for (const Samples* s : series) {
    const auto count = std::size_t(std::ceil(window_of(frequencies) / s->step()));
    if (s->size() < 2 * count || count < 4 * frequencies.size()) return infinity;
    const Eigen::VectorXcd before = fit(*s, s->size() - 2 * count, count, frequencies);
    const Eigen::VectorXcd last = fit(*s, s->size() - count, count, frequencies);
    changes.push_back({(last - before).norm(), last.norm()});
    largest = std::max(largest, last.norm());
  }
  if (!(largest > 0)) return infinity;
  double worst = 0;
  for (const auto& [change, amplitude] : changes)
    worst = std::max(worst, change / std::max(amplitude, 1e-3 * largest));
  return worst;
}

}  // namespace umov::fdtd
