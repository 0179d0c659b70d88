#include "core/part_progress.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/text.hpp"

namespace umov {

void PartProgress::update(double done) {
  if (closed()) return;
  if (!started()) start();
  done_ = std::clamp(done, 0.0, 1.0);
  show_when_due();
}

std::string PartProgress::line(double elapsed) const {
  const std::string text = fmt::format("{} {}{:.0f} %", label_, bar(done_), 100 * done_);
  if (finished()) return text + "  in " + format_duration(elapsed);
  return done_ > 0 ? text + "  " + format_duration(elapsed * (1 - done_) / done_) + " left" : text;
}

}  // namespace umov
