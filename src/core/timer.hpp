// Time that has passed; named timers: where the time of a run went, as `prof` and the log report it.
#pragma once

#include <chrono>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace umov {

/// Counts from when it was made.
class Stopwatch {
 public:
  double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point start_ = Clock::now();
};

/// Adds its lifetime, in s.
class AddSeconds {
 public:
  explicit AddSeconds(double& to) : to_(to) {}
  ~AddSeconds() { to_ += watch_.seconds(); }
  AddSeconds(const AddSeconds&) = delete;
  AddSeconds& operator=(const AddSeconds&) = delete;

 private:
  double& to_;
  Stopwatch watch_;
};

/// Rows in the order of their first use; safe to use from several threads.
class TimerTable {
 public:
  struct Row {
    std::string name;
    long calls = 0;
    double seconds = 0;
  };

  void add(const std::string& name, double seconds, long calls = 1) {
    const std::lock_guard lock(mutex_);
    for (auto& row : rows_)
      if (row.name == name) {
        row.calls += calls;
        row.seconds += seconds;
        return;
      }
    rows_.push_back({name, calls, seconds});
  }

  std::vector<Row> rows() const {
    const std::lock_guard lock(mutex_);
    return rows_;
  }

  /// Seconds under a name; 0 when it was never used.
  double seconds(const std::string& name) const {
    for (const auto& row : rows())
      if (row.name == name) return row.seconds;
    return 0;
  }

 private:
  mutable std::mutex mutex_;
  std::vector<Row> rows_;
};

/// Adds its lifetime to a table; by hand with `stop`.
class ScopedTimer {
 public:
  using Clock = std::chrono::steady_clock;

  ScopedTimer(TimerTable& table, std::string name) : table_(&table), name_(std::move(name)) {}
  ~ScopedTimer() { stop(); }
  ScopedTimer(const ScopedTimer&) = delete;
  ScopedTimer& operator=(const ScopedTimer&) = delete;

  void stop() {
    if (table_) table_->add(name_, std::chrono::duration<double>(Clock::now() - start_).count());
    table_ = nullptr;
  }

 private:
  TimerTable* table_;
  std::string name_;
  Clock::time_point start_ = Clock::now();
};

}  // namespace umov
