// The progress line of a run in time: steps, cells per second, and the time left.
#pragma once

#include <cstdio>
#include <functional>
#include <optional>
#include <string>

namespace umov {

/// One run's line on a stream. Rewritten in place on a terminal, ten seconds apart elsewhere.
class StepProgress {
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
  ~StepProgress();
  StepProgress(const StepProgress&) = delete;
  StepProgress& operator=(const StepProgress&) = delete;

  /// `limit`: the last step there can be; `fixed`: it will be reached. `measure` tells how far the run is
  /// from its end when that is not a number of steps.
  void update(long step, long limit, bool fixed, const std::string& measure = "");
  /// Writes the last state and ends the line. Later updates are ignored.
  void finish();

 private:
  std::string line(double now) const;
  void show(double now);

  Options options_;
  bool terminal_ = false, finished_ = false, shown_ = false, fixed_ = false;
  double started_ = 0, last_shown_ = 0;
  long step_ = 0, limit_ = 0, first_step_ = -1;
  std::string measure_;
};

}  // namespace umov
