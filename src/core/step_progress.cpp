#include "core/step_progress.hpp"

#include <fmt/format.h>

#include <utility>

#include "core/text.hpp"

namespace umov {

StepProgress::StepProgress(Options options)
    : ProgressLine(options.stream, options.terminal, options.clock, options.quiet),
      label_(std::move(options.label)),
      cells_(options.cells) {}

void StepProgress::update(long step, long limit, bool fixed, const std::string& measure) {
  if (closed()) return;
  if (!started()) {
    first_step_ = step;
    start();
  }
  step_ = step;
  limit_ = limit;
  fixed_ = fixed;
  measure_ = measure;
  show_when_due();
}

std::string StepProgress::line(double elapsed) const {
  const double speed = elapsed > 0 ? double(step_ - first_step_) / elapsed : 0;
  std::string text = label_ + (label_.empty() ? "" : " ");
  if (fixed_)
    text +=
        bar(limit_ > 0 ? double(step_) / double(limit_) : 1) + fmt::format("step {} of {}", step_, limit_);
  else
    text += fmt::format("step {}, at most {}", step_, limit_);
  if (!measure_.empty()) text += "  " + measure_;
  if (speed > 0) text += fmt::format("  {:.4g} Mcells/s", 1e-6 * speed * cells_);
  if (finished()) return text + "  in " + format_duration(elapsed);
  if (speed > 0 && fixed_) text += "  " + format_duration(double(limit_ - step_) / speed) + " left";
  return text;
}

}  // namespace umov
