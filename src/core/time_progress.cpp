// The progress line of a run through simulated time.
#include "core/time_progress.hpp"

#include <fmt/format.h>

#include <utility>

#include "core/text.hpp"

namespace umov {

TimeProgress::TimeProgress(Options options)
    : ProgressLine(options.stream, options.terminal, options.clock, options.quiet),
      label_(std::move(options.label)) {}

void TimeProgress::update(double time, double end, const std::string& measure) {
  if (closed()) return;
  if (!started()) {
    first_time_ = time;
    start();
  }
  time_ = time;
  end_ = end;
  measure_ = measure;
  show_when_due();
}

std::string TimeProgress::line(double elapsed) const {
  std::string text = label_ + (label_.empty() ? "" : " ");
  if (end_ > 0) text += bar(time_ / end_) + format_time(time_) + " of " + format_time(end_);
  if (!measure_.empty()) text += "  " + measure_;
  if (finished()) return text + "  in " + format_duration(elapsed);
  const double done = time_ - first_time_;
  if (done > 0 && elapsed > 0) text += "  " + format_duration(elapsed * (end_ - time_) / done) + " left";
  return text;
}

}  // namespace umov
