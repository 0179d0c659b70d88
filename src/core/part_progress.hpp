// The progress line of what is known by its part that is done: preparations, writing.
#pragma once

#include <string>
#include <utility>

#include "core/progress_line.hpp"

namespace umov {

class PartProgress : public ProgressLine {
 public:
  PartProgress(std::string label, bool quiet, std::FILE* stream = stderr, std::optional<bool> terminal = {},
               std::function<double()> clock = {})
      : ProgressLine(stream, terminal, std::move(clock), quiet), label_(std::move(label)) {}
  ~PartProgress() override { finish(); }

  /// 0 to 1.
  void update(double done);

 private:
  std::string line(double elapsed) const override;

  std::string label_;
  double done_ = 0;
};

}  // namespace umov
