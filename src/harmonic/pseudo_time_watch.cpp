// When the pseudo-time iteration is done, or will be, or never: what is read from the changes of the fields.
#include "harmonic/pseudo_time_watch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace umov::harmonic {

namespace {

constexpr int fewest = 8;  ///< samples after the ramp before anything is said
constexpr int periods_per_sample = 2;
constexpr double one_mode = 0.9;     ///< of the change's square is that of one mode
constexpr double enhancement = 1e4;  ///< of the amplitude; hot spots of metals stay far below
constexpr double growth = 1e3;       ///< of changes since they were least, beyond the beats of resonances

/// Slope of log(y) per sample over the last `n`, by least squares.
double slope(const std::vector<double>& y, std::size_t n) {
  const std::size_t from = y.size() - n;
  const double middle = double(n - 1) / 2;
  double sum = 0, weight = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const double x = double(i) - middle;
    sum += x * std::log(std::max(y[from + i], 1e-300));
    weight += x * x;
  }
  return sum / weight;
}

}  // namespace

PseudoTimeWatch::PseudoTimeWatch(double scale, double tolerance, long ramp_steps, int steps_per_period,
                                 double rounding)
    : scale_(scale),
      tolerance_(tolerance),
      rounding_(rounding),
      ramp_(ramp_steps),
      period_(steps_per_period) {}

void PseudoTimeWatch::add(const PseudoTimeSample& s, std::vector<cplx> change) {
  last_ = s;
  fit(std::move(change));
  if (s.step < ramp_ + 2 * period_ || !(s.size > 0)) return;
  changes_.push_back(s.period_change / s.size);
  least_ = changes_.size() == 1 ? changes_[0] : std::min(least_, changes_.back());
  if (changes_.size() >= fewest) estimate();
}

void PseudoTimeWatch::estimate() {
  const std::size_t n = changes_.size();
  // slow waves show when fast ones have left: the slowest fall of any span counts
  double slowest = -1e9;
  for (std::size_t span = fewest; span <= std::max<std::size_t>(fewest, n / 2); span *= 2)
    slowest = std::max(slowest, slope(changes_, std::min(span, n)) / periods_per_sample);
  const std::size_t recent = std::max<std::size_t>(3, n / 10);
  recent_ = *std::max_element(changes_.end() - std::ptrdiff_t(recent), changes_.end());
  decay_ = slowest < 0 ? -1 / slowest : 0;
  const double turn = std::min({turn_[0], turn_[1], turn_[2]});
  distance_ = slowest < 0 ? std::min(1.0, recent_ / std::max(turn, -std::expm1(slowest))) : 1;
}

void PseudoTimeWatch::fit(std::vector<cplx> change) {
  cplx product = 0;
  double square = 0, own = 0;
  for (std::size_t i = 0; i < std::min(change.size(), before_.size()); ++i) {
    product += std::conj(before_[i]) * change[i];
    square += std::norm(before_[i]);
    own += std::norm(change[i]);
  }
  turn_[0] = turn_[1];
  turn_[1] = turn_[2];
  // |d - lambda d_before|^2 = |d|^2 - |product|^2 / |d_before|^2; of both roots the one nearer to 1
  const bool one = square > 0 && own > 0 && std::norm(product) / square > one_mode * own;
  turn_[2] = one ? std::abs(1.0 - std::pow(product / square, 1.0 / periods_per_sample)) : 0;
  before_ = std::move(change);
}

std::string PseudoTimeWatch::trouble(double size) const {
  if (!std::isfinite(size)) return "a field is not a number or infinite";
  if (size > enhancement * scale_)
    return fmt::format("the field is {:.1e} times the incident one", size / scale_);
  if (changes_.size() >= fewest && changes_.back() > growth * std::max(least_, 10 * rounding_))
    return fmt::format("changes per period have grown by {:.1e}", changes_.back() / least_);
  return "";
}

bool PseudoTimeWatch::settled() const {
  return changes_.size() >= fewest && decay_ > 0 && distance_ <= tolerance_;
}

bool PseudoTimeWatch::at_rounding() const {
  return changes_.size() >= 2 * fewest && recent_ <= rounding_ && (decay_ == 0 || decay_ > 20);
}

double PseudoTimeWatch::steps_left() const {
  if (!(decay_ > 0) || distance_ >= 1) return -1;
  return distance_ <= tolerance_ ? 0 : period_ * decay_ * std::log(distance_ / tolerance_);
}

}  // namespace umov::harmonic
