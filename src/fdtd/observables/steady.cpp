// Amplitudes of the last two windows of a series.
#include "fdtd/observables/steady.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <optional>

namespace umov::fdtd {
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

double Settling::time_to(double goal) const {
  if (left <= goal) return 0;
  return halves < infinity ? halves * std::log2(left / goal) : infinity;
}

namespace {

/// Beyond this many changes of the last sixth nothing is estimated: a ratio close to 1 is not known well
/// enough.
constexpr double most_changes = 100;
constexpr double rounding = 1e-6;  // of the largest amplitude
constexpr double faintest = 1e-3;  // of the largest: what is below counts as that

Eigen::VectorXcd fit(const Oscillation& s, std::size_t first, std::size_t count,
                     const std::vector<double>& frequencies) {
  const auto found = fit_waves(
      count, [&](std::size_t i) { return s.first + double(first + i) * s.step; },
      [&](std::size_t i) { return cplx(s.value[first + i], s.imag.empty() ? 0 : s.imag[first + i]); },
      frequencies);
  return Eigen::Map<const Eigen::VectorXcd>(found.data(), Eigen::Index(found.size()));
}

/// Amplitude at the end of a record, and how it came there.
struct Changes {
  double amplitude = 0, before = 0,
         last = 0;    ///< `before`, `last`: over the last sixth but one, and the last
  double span = 0;    ///< time of a sixth
  double window = 0;  ///< change over the last window
};

/// Nothing where the record is too short.
std::optional<Changes> changes_of(const Oscillation& s, const std::vector<double>& frequencies) {
  // Whole windows apart, what the fits take of the transient for the wave's own mirror frequency is alike,
  // too.
  const std::size_t size = s.value.size(), count = std::size_t(std::ceil(window_of(frequencies) / s.step)),
                    back = count * std::max<std::size_t>(1, (size / 6 + count - 1) / count);
  if (size < 2 * back + count || count < 4 * frequencies.size()) return {};
  const auto at = [&](std::size_t behind) { return fit(s, size - count - behind, count, frequencies); };
  const Eigen::VectorXcd end = at(0), middle = at(back);
  return Changes{end.norm(), (middle - at(2 * back)).norm(), (end - middle).norm(), double(back) * s.step,
                 (end - at(count)).norm()};
}

}  // namespace

Settling settling(std::span<const Oscillation> series, const std::vector<double>& frequencies) {
  if (series.empty() || frequencies.empty()) return {};
  double largest = 0;
  std::vector<Changes> all;
  for (const Oscillation& s : series) {
    const auto one = changes_of(s, frequencies);
    if (!one) return {};
    largest = std::max(largest, one->amplitude);
    all.push_back(*one);
  }
  if (!(largest > 0)) return {};
  Settling worst{0, 0};
  for (const Changes& c : all) {
    const double least = std::max(c.last, c.window), scale = std::max(c.amplitude, faintest * largest);
    const double q = c.before > 0 ? c.last / c.before : infinity;
    const double to_come = q < 1 ? std::min(q / (1 - q), most_changes) : most_changes;
    const double left = (least < rounding * largest ? least : std::max(least, to_come * c.last)) / scale;
    if (left <= worst.left) continue;
    worst = {left, q < 1 ? c.span / std::log2(1 / std::max(q, 1e-9)) : infinity};
  }
  return worst;
}

}  // namespace umov::fdtd
