// A timer of what no other timer counts.
#pragma once

#include <string>
#include <utility>

#include "core/timer.hpp"

namespace umov {

/// Adds its lifetime to a table, less what other rows have got meanwhile: what is timed within it by itself.
class RemainderTimer {
 public:
  RemainderTimer(TimerTable& table, std::string name)
      : table_(&table), name_(std::move(name)), before_(sum()) {}
  ~RemainderTimer() { stop(); }
  RemainderTimer(const RemainderTimer&) = delete;
  RemainderTimer& operator=(const RemainderTimer&) = delete;

  void stop() {
    if (table_) table_->add(name_, watch_.seconds() - (sum() - before_));
    table_ = nullptr;
  }

 private:
  double sum() const {
    double all = 0;
    for (const auto& row : table_->rows()) all += row.seconds;
    return all;
  }

  TimerTable* table_;
  std::string name_;
  double before_;
  Stopwatch watch_;
};

}  // namespace umov
