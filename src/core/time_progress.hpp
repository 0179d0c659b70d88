// The progress line of a run through simulated time: where it is, iterations, and the time left.
#pragma once

#include <cstdio>
#include <functional>
#include <optional>
#include <string>

#include "core/progress_line.hpp"

namespace umov {

/// One run's line.
class TimeProgress : public ProgressLine {
 public:
  struct Options {
    std::string label;  ///< opens the line
    bool quiet = false;
    std::FILE* stream = stderr;
    std::optional<bool> terminal;   ///< nothing: ask the stream
    std::function<double()> clock;  ///< seconds; empty: steady clock
  };

  explicit TimeProgress(Options);
  ~TimeProgress() override { finish(); }

  /// Simulated time and its end, s; `measure` is further text.
  void update(double time, double end, const std::string& measure);

 private:
  std::string line(double elapsed) const override;

  std::string label_, measure_;
  double time_ = 0, end_ = 0, first_time_ = 0;
};

}  // namespace umov
