#include "eqs/observables/peaks.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "eqs/model/waveform.hpp"

namespace umov::eqs {

namespace {

/// Largest value of a function that has one maximum in [a, b], by thirds.
template <class F>
PeakInTime by_thirds(const F& f, double a, double b) {
  for (int i = 0; i < 80; ++i) {
    const double left = a + (b - a) / 3, right = b - (b - a) / 3;
    (f(left) < f(right) ? a : b) = f(left) < f(right) ? left : right;
  }
  return {f((a + b) / 2), (a + b) / 2, 0};
}

/// The polynomial through n points, at t (Neville).
double polynomial(const double* x, const double* y, std::size_t n, double t) {
  double p[5];
  std::copy(y, y + n, p);
  for (std::size_t m = 1; m < n; ++m)
    for (std::size_t i = 0; i + m < n; ++i)
      p[i] = ((t - x[i + m]) * p[i] + (x[i] - t) * p[i + 1]) / (x[i] - x[i + m]);
  return p[0];
}

}  // namespace

Peaks::Peaks(const Outcome& o, std::size_t first) : first_(std::min(first, o.history.size())) {
  const bool steps = o.simulation.analysis == Analysis::transient;
  for (std::size_t k = first_; k < o.history.size(); ++k) time_.push_back(steps ? o.history[k].time : 0);
  bend_.assign(time_.size(), !steps);
  if (!steps) return;
  for (const auto& e : o.simulation.electrodes) {
    if (e.kind != ElectrodeSpec::Kind::driven) continue;
    for (const double bend : bends(e.waveform, o.end)) {
      // a step ends there
      const auto at = std::lower_bound(time_.begin(), time_.end(), bend - 1e-9 * o.end);
      if (at != time_.end() && *at < bend + 1e-9 * o.end) bend_[std::size_t(at - time_.begin())] = true;
    }
  }
}

bool Peaks::even(std::size_t first, std::size_t last, double ratio) const {
  double shortest = std::numeric_limits<double>::infinity(), longest = 0;
  for (std::size_t k = first; k < last; ++k) {
    shortest = std::min(shortest, time_[k + 1] - time_[k]);
    longest = std::max(longest, time_[k + 1] - time_[k]);
  }
  return longest <= ratio * shortest;
}

PeakInTime Peaks::through(const std::vector<double>& value, std::size_t k, std::size_t reach) const {
  const std::size_t first = k - reach, n = 2 * reach + 1;
  const auto at = [&](double t) { return polynomial(&time_[first], &value[first], n, t); };
  // by thirds, on either side of the largest value: between its neighbours there is one maximum
  PeakInTime best{value[k], time_[k], k};
  for (const std::size_t from : {k - 1, k}) {
    const PeakInTime here = by_thirds(at, time_[from], time_[from + 1]);
    if (here.value > best.value) best.value = here.value, best.time = here.time;
  }
  return best;
}

double Peaks::bow(const std::vector<double>& value, std::size_t k) const {
  const double before = (value[k] - value[k - 1]) / (time_[k] - time_[k - 1]);
  const double after = (value[k + 1] - value[k]) / (time_[k + 1] - time_[k]);
  return 2 * (before - after) / (time_[k + 1] - time_[k - 1]);
}

bool Peaks::round_at(const std::vector<double>& value, std::size_t k) const {
  const std::size_t last = value.size() - 1;
  for (const std::size_t j : {k - 1, k + 1})
    if (j > 0 && j < last && bow(value, j) < bow(value, k) / 4) return false;
  return true;
}

PeakInTime Peaks::find(const std::vector<double>& all) const {
  const std::vector<double> value(all.begin() + std::ptrdiff_t(std::min(first_, all.size())), all.end());
  if (value.empty()) return {};
  for (const double v : value)
    if (std::isnan(v)) return {v, time_[0], first_};
  const std::size_t last = value.size() - 1;
  std::optional<PeakInTime> best;
  for (std::size_t k = 0; k <= last; ++k) {
    if ((k > 0 && value[k - 1] > value[k]) || (k < last && value[k + 1] > value[k])) continue;
    const PeakInTime peak = around(value, k);
    if (!best || peak.value > best->value) best = peak;
  }
  best->record += first_;
  return *best;
}

double Peaks::largest(const WaveformSpec& w) const {
  const auto size = [&](double t) { return std::abs(waveform(w, t)); };
  double most = 0;
  for (const double t : time_) most = std::max(most, size(t));
  // steps end where a waveform bends, and a period has twenty of them or more
  for (std::size_t k = 0; k + 1 < time_.size(); ++k)
    most = std::max(most, by_thirds(size, time_[k], time_[k + 1]).value);
  return most;
}

PeakInTime Peaks::around(const std::vector<double>& value, std::size_t k) const {
  const std::size_t last = value.size() - 1;
  PeakInTime best{value[k], time_[k], k};
  if (k == 0 || k == last || !smooth_at(k) || !even(k - 1, k + 1, 5) || !round_at(value, k)) return best;
  best = through(value, k, 1);
  if (k < 2 || k + 2 > last || !smooth_at(k - 1) || !smooth_at(k + 1) || !even(k - 2, k + 2, 3)) return best;
  const PeakInTime finer = through(value, k, 2);
  const bool agree = std::abs(finer.value - best.value) <= 0.5 * (best.value - value[k]);
  return agree || finer.value < best.value ? finer : best;
}

}  // namespace umov::eqs
