// A time-harmonic cell while viewers look at it: residuals, rows as they are finished, fields of their cuts.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "command/live_arrays.hpp"
#include "command/live_view.hpp"
#include "harmonic/run/run.hpp"

namespace umov::harmonic {

/// Called by one thread at a time, as RunObserver and Sweep say, but for what `hold` of the sweep calls.
class LiveRun {
 public:
  explicit LiveRun(command::LiveView& view) : view_(view), shown_(view.hub()) {}

  /// Hears of stages, warnings and iterations, besides whoever hears of them already, and may stop the run.
  void listen(RunObserver&);
  /// Hears of rows, besides whoever hears of them already. The sweep must not outlive this.
  void listen(Sweep&);
  /// Everything, at the end.
  void end(const Outcome&);
  /// Tells viewers where the results are and why the run did not come to its end, at the end.
  void wrote(const std::string& folder, const std::string& why_not) { view_.wrote(folder, why_not); }
  /// Whether a viewer has ended the run.
  bool stopped() const { return stopped_; }

 private:
  using Clock = std::chrono::steady_clock;
  void begin(const Plan&, const Outcome& outline);
  void take(const FinishedRow&);
  bool iterate(long iteration, double residual);
  void show_residual(bool at_once);
  void show_tables(const Outcome&);
  bool pass(const std::function<bool()>& over);
  double fraction() const;

  command::LiveView& view_;
  Outcome so_far_;  ///< with the rows that are finished, in their order
  std::vector<Row> order_;
  std::map<std::size_t, FinishedRow> rows_;  ///< by their place in the order, without cuts
  command::LiveArrays shown_;
  command::Pace residual_pace_{std::chrono::milliseconds(200)};
  command::Pace table_pace_{std::chrono::milliseconds(500), 50};
  std::vector<double> iterations_, residuals_;  ///< of the solve that goes on
  std::atomic<long> steps_{0};                  ///< iterations of all solves
  std::atomic<bool> stopped_{false};
  Clock::time_point began_{}, told_{};
};

}  // namespace umov::harmonic
