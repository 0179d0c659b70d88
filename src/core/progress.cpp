// The progress line of an iterative solve: residual against the goal, speed, and the time left.
#include "core/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "core/text.hpp"

namespace umov {

namespace {

constexpr std::size_t most_points = 128;
constexpr double terminal_period = 0.1, file_period = 10;  // seconds between lines
constexpr int bar_width = 24;

double steady_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace

void ResidualTrend::add(long iteration, double residual) {
  if (!(residual > 0) || !std::isfinite(residual)) return;
  last_log_ = std::log(residual);
  if (iteration % stride_ != 0) return;
  points_.emplace_back(static_cast<double>(iteration), last_log_);
  if (points_.size() < most_points) return;
  // Full: keep every second point and from now on every second iteration.
  stride_ *= 2;
  std::erase_if(points_, [this](const auto& p) { return std::fmod(p.first, double(stride_)) != 0; });
}

std::optional<double> ResidualTrend::iterations_left() const {
  const double distance = last_log_ - std::log(goal_);
  if (distance <= 0) return 0.0;
  if (points_.size() < 8) return std::nullopt;
  // The later half of the history, because Krylov methods change pace.
  const std::size_t first = points_.size() / 2, half = (points_.size() - first) / 2;
  std::vector<double> slopes;
  for (std::size_t i = first; i + half < points_.size(); ++i)
    slopes.push_back((points_[i + half].second - points_[i].second) /
                     (points_[i + half].first - points_[i].first));
  auto middle = slopes.begin() + static_cast<std::ptrdiff_t>(slopes.size() / 2);
  std::nth_element(slopes.begin(), middle, slopes.end());
  const double rate = -*middle;
  // Slower than a factor e in a million iterations is a standstill, and no promise.
  if (!(rate > 1e-6)) return std::nullopt;
  return distance / rate;
}

Progress::Progress(Options options) : options_(std::move(options)), trend_(options_.goal) {
  if (!options_.clock) options_.clock = steady_seconds;
  terminal_ = options_.terminal.value_or(isatty(fileno(options_.stream)) != 0);
  started_ = options_.clock();
  last_shown_ = started_;
}

Progress::~Progress() { finish(); }

void Progress::update(long iteration, double residual) {
  if (options_.quiet || finished_) return;
  if (first_iteration_ < 0) {
    first_iteration_ = iteration;
    started_ = options_.clock();
  }
  iteration_ = iteration;
  residual_ = residual;
  worst_ = std::max(worst_, residual);
  trend_.add(iteration, residual);
  const double now = options_.clock();
  if (now - last_shown_ >= (terminal_ ? terminal_period : file_period)) show(now);
}

void Progress::finish() {
  if (options_.quiet || finished_) return;
  finished_ = true;
  // A solve too short for a line of its own still leaves its result on a terminal.
  if (first_iteration_ < 0 || (!terminal_ && !shown_)) return;
  show(options_.clock());
  if (terminal_) std::fputc('\n', options_.stream);
  std::fflush(options_.stream);
}

std::string Progress::line(double now) const {
  const double span = std::log(worst_) - std::log(options_.goal);
  const double safe = residual_ > 0 && std::isfinite(residual_) ? residual_ : worst_;
  const double done = span > 0 ? (std::log(worst_) - std::log(safe)) / span : 1;
  const int filled = static_cast<int>(std::lround(bar_width * std::clamp(done, 0.0, 1.0)));
  const double elapsed = now - started_;
  const double speed = elapsed > 0 ? static_cast<double>(iteration_ - first_iteration_) / elapsed : 0;
  std::string text = fmt::format("{}{}[{}{}] {:.2e} -> {:.0e}  iteration {}", options_.label,
                                 options_.label.empty() ? "" : " ", std::string(filled, '#'),
                                 std::string(bar_width - filled, '.'), residual_, options_.goal, iteration_);
  if (speed > 0) text += fmt::format("  {:.3g}/s", speed);
  if (finished_) return text + "  in " + format_duration(elapsed);
  const auto left = trend_.iterations_left();
  if (left && speed > 0 && *left / speed < 3.6e6) text += "  " + format_duration(*left / speed) + " left";
  return text;
}

void Progress::show(double now) {
  last_shown_ = now;
  shown_ = true;
  if (terminal_)
    fmt::print(options_.stream, "\r{}\x1b[K", line(now));  // the escape clears what a longer line left
  else
    fmt::print(options_.stream, "{}\n", line(now));
  std::fflush(options_.stream);
}

}  // namespace umov
