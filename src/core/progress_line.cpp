// One line on a stream that is rewritten while something goes on.
#include "core/progress_line.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

namespace umov {

namespace {

constexpr double terminal_period = 0.1, file_period = 10;  // seconds between lines
constexpr int bar_width = 24;

double steady_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace

ProgressLine::ProgressLine(std::FILE* stream, std::optional<bool> terminal, std::function<double()> clock,
                           bool quiet)
    : stream_(stream),
      clock_(clock ? std::move(clock) : steady_seconds),
      quiet_(quiet),
      terminal_(terminal.value_or(isatty(fileno(stream)) != 0)) {
  start_ = last_shown_ = clock_();
}

void ProgressLine::start() {
  started_ = true;
  start_ = clock_();
}

void ProgressLine::show_when_due() {
  const double now = clock_();
  if (now - last_shown_ >= (terminal_ ? terminal_period : file_period)) show(now);
}

void ProgressLine::finish() {
  if (closed()) return;
  finished_ = true;
  // Something too short for a line of its own still leaves its result on a terminal.
  if (!started_ || (!terminal_ && !shown_)) return;
  show(clock_());
  if (terminal_) std::fputc('\n', stream_);
  std::fflush(stream_);
}

std::string ProgressLine::bar(double done) {
  const int filled = static_cast<int>(std::lround(bar_width * std::clamp(done, 0.0, 1.0)));
  return fmt::format("[{}{}] ", std::string(filled, '#'), std::string(bar_width - filled, '.'));
}

void ProgressLine::show(double now) {
  last_shown_ = now;
  shown_ = true;
  // The escape clears what a longer line left. A stream that takes no more is no reason to stop the run.
  const std::string text = line(now - start_);
  std::fputs((terminal_ ? "\r" + text + "\x1b[K" : text + "\n").c_str(), stream_);
  std::fflush(stream_);
}

}  // namespace umov
