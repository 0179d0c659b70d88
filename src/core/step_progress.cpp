// The progress line of a run in time: steps, cells per second, and the time left.
#include "core/step_progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

#include "core/text.hpp"

namespace umov {

namespace {

constexpr double terminal_period = 0.1, file_period = 10;  // seconds between lines
constexpr int bar_width = 24;

double steady_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

std::string bar(double done) {
  const int filled = static_cast<int>(std::lround(bar_width * std::clamp(done, 0.0, 1.0)));
  return fmt::format("[{}{}] ", std::string(filled, '#'), std::string(bar_width - filled, '.'));
}

}  // namespace

StepProgress::StepProgress(Options options) : options_(std::move(options)) {
  if (!options_.clock) options_.clock = steady_seconds;
  terminal_ = options_.terminal.value_or(isatty(fileno(options_.stream)) != 0);
  started_ = last_shown_ = options_.clock();
}

StepProgress::~StepProgress() { finish(); }

void StepProgress::update(long step, long limit, bool fixed, const std::string& measure) {
  if (options_.quiet || finished_) return;
  const double now = options_.clock();
  if (first_step_ < 0) {
    first_step_ = step;
    started_ = now;
  }
  step_ = step;
  limit_ = limit;
  fixed_ = fixed;
  measure_ = measure;
  if (now - last_shown_ >= (terminal_ ? terminal_period : file_period)) show(now);
}

void StepProgress::finish() {
  if (options_.quiet || finished_) return;
  finished_ = true;
  // A run too short for a line of its own still leaves its result on a terminal.
  if (first_step_ < 0 || (!terminal_ && !shown_)) return;
  show(options_.clock());
  if (terminal_) std::fputc('\n', options_.stream);
  std::fflush(options_.stream);
}

std::string StepProgress::line(double now) const {
  const double elapsed = now - started_;
  const double speed = elapsed > 0 ? double(step_ - first_step_) / elapsed : 0;
  std::string text = options_.label + (options_.label.empty() ? "" : " ");
  if (fixed_)
    text +=
        bar(limit_ > 0 ? double(step_) / double(limit_) : 1) + fmt::format("step {} of {}", step_, limit_);
  else
    text += fmt::format("step {}, at most {}", step_, limit_);
  if (!measure_.empty()) text += "  " + measure_;
  if (speed > 0) text += fmt::format("  {:.4g} Mcells/s", 1e-6 * speed * options_.cells);
  if (finished_) return text + "  in " + format_duration(elapsed);
  if (speed > 0 && fixed_) text += "  " + format_duration(double(limit_ - step_) / speed) + " left";
  return text;
}

void StepProgress::show(double now) {
  last_shown_ = now;
  shown_ = true;
  if (terminal_)
    fmt::print(options_.stream, "\r{}\x1b[K", line(now));  // the escape clears what a longer line left
  else
    fmt::print(options_.stream, "{}\n", line(now));
  std::fflush(options_.stream);
}

}  // namespace umov
