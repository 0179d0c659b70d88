// A batch of variants while viewers look at it: its table as it grows.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "command/live_view.hpp"
#include "eqs/command/batch.hpp"
#include "run/ledger.hpp"

namespace umov::eqs {

/// Called by one thread at a time, but for hold(), as sweep::Watch says.
class LiveBatch {
 public:
  LiveBatch(command::LiveView& view, const Batch& batch) : view_(view), batch_(batch) {}

  /// Shows the design, and the rows that an earlier run found.
  void begin(const std::string& folder);
  void solved(std::size_t variant, const sweep::Row&);
  void progress(const run::CaseProgress&);
  /// Between variants and between time steps of them. True when a viewer has had enough: what is under way is
  /// finished, and no more begun.
  bool enough();
  /// Tells viewers where the results are and why the run did not come to its end, at the end.
  void wrote(const std::string& folder, const std::string& why_not) { view_.wrote(folder, why_not); }
  bool held() const { return view_.hub().held(); }
  /// Waits while it is, until `over`.
  void hold(const std::function<bool()>& over);

 private:
  void pass(const std::function<bool()>& over);
  void show_columns(const sweep::Row&);
  void renew();

  using Clock = std::chrono::steady_clock;
  command::LiveView& view_;
  const Batch& batch_;
  std::map<std::size_t, sweep::Row> rows_;
  std::vector<std::string> columns_;  ///< of results
  int table_ = -1;                    ///< id of the array
  std::atomic<std::size_t> finished_{0};
  std::atomic<bool> enough_{false};
  Clock::time_point started_ = Clock::now();
};

}  // namespace umov::eqs
