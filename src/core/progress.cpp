#include "core/progress.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/text.hpp"

namespace umov {

namespace {

constexpr std::size_t most_points = 128;

/// By how much the logarithm falls in an iteration, among the points from `first` on: the median between
/// those half of them apart.
double rate_from(const std::vector<std::pair<double, double>>& points, std::size_t first) {
  const std::size_t half = std::max<std::size_t>(1, (points.size() - first) / 2);
  std::vector<double> slopes;
  for (std::size_t i = first; i + half < points.size(); ++i)
    slopes.push_back((points[i + half].second - points[i].second) /
                     (points[i + half].first - points[i].first));
  if (slopes.empty()) return 0;
  const auto middle = slopes.begin() + static_cast<std::ptrdiff_t>(slopes.size() / 2);
  std::nth_element(slopes.begin(), middle, slopes.end());
  return -*middle;
}

}  // namespace

void ResidualTrend::add(long iteration, double residual) {
  if (!(residual > 0) || !std::isfinite(residual)) return;
  last_log_ = std::log(residual);
  if (told_++ % stride_ != 0) return;
  points_.emplace_back(static_cast<double>(iteration), last_log_);
  if (points_.size() < most_points) return;
  // Full: keep every second point and from now on half as many of what is told.
  stride_ *= 2;
  for (std::size_t i = 0; 2 * i < points_.size(); ++i) points_[i] = points_[2 * i];
  points_.resize((points_.size() + 1) / 2);
}

std::optional<double> ResidualTrend::iterations_left() const {
  const double distance = last_log_ - std::log(goal_);
  if (distance <= 0) return 0.0;
  if (points_.size() < 8) return std::nullopt;
  // The later half of the history, because Krylov methods change pace.
  const double rate = rate_from(points_, points_.size() / 2);
  // Slower than a factor e in a million iterations is a standstill, and no promise; nor is what has turned
  // since.
  if (!(rate > 1e-6) || !(rate_from(points_, points_.size() - points_.size() / 4) > 0.25 * rate))
    return std::nullopt;
  return distance / rate;
}

Progress::Progress(Options options)
    : ProgressLine(options.stream, options.terminal, options.clock, options.quiet),
      label_(std::move(options.label)),
      goal_(options.goal),
      trend_(options.goal) {}

void Progress::update(long iteration, double residual) {
  if (closed()) return;
  if (!started()) {
    first_iteration_ = iteration;
    start();
  }
  begin_if_of_another_kind(iteration);
  iteration_ = iteration;
  residual_ = residual;
  worst_ = std::max(worst_, residual);
  trend_.add(iteration, residual);
  show_when_due();
}

/// Another solver that goes on counts other steps: what was before tells nothing of its pace.
void Progress::begin_if_of_another_kind(long iteration) {
  constexpr long most = 8;  // times as long a step
  const long step = iteration - iteration_;
  const bool first = iteration == first_iteration_;
  if (!first && (step < 0 || (step_ > 0 && step > most * step_))) {
    trend_ = ResidualTrend(goal_);
    first_iteration_ = iteration;
    since_ = elapsed();
    step_ = 0;
  } else if (!first && step > 0) {
    step_ = step;
  }
}

std::string Progress::line(double elapsed) const {
  const double span = std::log(worst_) - std::log(goal_);
  const double safe = residual_ > 0 && std::isfinite(residual_) ? residual_ : worst_;
  const double done = span > 0 ? (std::log(worst_) - std::log(safe)) / span : 1;
  const double taken = elapsed - since_;
  const double speed = taken > 0 ? static_cast<double>(iteration_ - first_iteration_) / taken : 0;
  std::string text = fmt::format("{}{}{}{:.2e} -> {:.0e}  iteration {}", label_, label_.empty() ? "" : " ",
                                 bar(done), residual_, goal_, iteration_);
  if (speed > 0) text += fmt::format("  {:.3g}/s", speed);
  if (finished()) return text + "  in " + format_duration(elapsed);
  const auto left = trend_.iterations_left();
  if (left && speed > 0 && *left / speed < 3.6e6) text += "  " + format_duration(*left / speed) + " left";
  return text;
}

}  // namespace umov
