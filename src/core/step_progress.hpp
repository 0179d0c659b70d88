// The progress line of a run in time: steps, cells per second, and the time left.
#pragma once

#include <cstdio>
#include <functional>
#include <optional>
#include <string>

#include "core/progress_line.hpp"

namespace umov {

/// One run's line.
class StepProgress : public ProgressLine {
 public:
  struct Options {
    std::string label;  ///< opens the line
    double cells = 1;   ///< of the grid, for the speed
    bool quiet = false;
    std::FILE* stream = stderr;
    std::optional<bool> terminal;   ///< nothing: ask the stream
    std::function<double()> clock;  ///< seconds; empty: steady clock
  };

  explicit StepProgress(Options);
  ~StepProgress() override { finish(); }

  /// `limit`: the last step there can be; `fixed`: it will be reached. `measure` tells how far the run is
  /// from its end when that is not a number of steps.
  void update(long step, long limit, bool fixed, const std::string& measure = "");

 private:
  std::string line(double elapsed) const override;

  std::string label_;
  double cells_;
  bool fixed_ = false;
  long step_ = 0, limit_ = 0, first_step_ = -1;
  std::string measure_;
};

}  // namespace umov
