// The progress line of an iterative solve: residual against the goal, speed, and the time left.
#pragma once

#include <cstdio>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/progress_line.hpp"

namespace umov {

/// Convergence so far, on few points, and when it will reach the goal.
class ResidualTrend {
 public:
  explicit ResidualTrend(double goal) : goal_(goal) {}
  void add(long iteration, double residual);
  /// Iterations still needed at the recent rate; nothing while there is no telling (too few points, or
  /// the residual does not fall). Krylov residuals jump, so the rate is the median of the slopes of
  /// log(residual) between points half the recent history apart, not the last step.
  std::optional<double> iterations_left() const;

 private:
  double goal_;
  long stride_ = 1, told_ = 0;                     ///< of what is told every so manieth is kept; how much was
  std::vector<std::pair<double, double>> points_;  ///< iteration, log of the residual
  double last_log_ = 0;
};

/// One solve's line.
class Progress : public ProgressLine {
 public:
  struct Options {
    double goal = 1e-5;  ///< relative residual to reach
    std::string label;   ///< opens the line, e.g. "qmr Y"
    bool quiet = false;
    std::FILE* stream = stderr;
    std::optional<bool> terminal;   ///< nothing: ask the stream
    std::function<double()> clock;  ///< seconds; empty: steady clock
  };

  explicit Progress(Options);
  ~Progress() override { finish(); }

  void update(long iteration, double residual);

 private:
  void begin_if_of_another_kind(long iteration);
  std::string line(double elapsed) const override;

  std::string label_;
  double goal_;
  ResidualTrend trend_;
  double residual_ = 1, worst_ = 1;
  long iteration_ = 0, first_iteration_ = -1, step_ = 0;
  double since_ = 0;  ///< s from the start to the first iteration of this kind
};

}  // namespace umov
