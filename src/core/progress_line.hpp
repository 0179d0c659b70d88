// One line on a stream that is rewritten while something goes on: when it is shown, and how it ends.
#pragma once

#include <cstdio>
#include <functional>
#include <optional>
#include <string>

namespace umov {

/// Rewritten in place on a terminal, ten seconds apart elsewhere. A derived class calls `show_when_due` after
/// every change of its state, and `finish` in its destructor.
class ProgressLine {
 public:
  ProgressLine(std::FILE* stream, std::optional<bool> terminal, std::function<double()> clock, bool quiet);
  virtual ~ProgressLine() = default;
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  /// Writes the last state and ends the line. Later updates are ignored.
  void finish();

 protected:
  bool closed() const { return quiet_ || finished_; }
  bool finished() const { return finished_; }
  bool started() const { return started_; }
  /// The first update: time counts from here.
  void start();
  /// Seconds since then.
  double elapsed() const { return clock_() - start_; }
  void show_when_due();
  /// The text, `elapsed` seconds after the start.
  virtual std::string line(double elapsed) const = 0;

  /// "[####....]" for a part of the whole, 0 to 1.
  static std::string bar(double done);

 private:
  void show(double now);

  std::FILE* stream_;
  std::function<double()> clock_;
  bool quiet_, terminal_, finished_ = false, shown_ = false, started_ = false;
  double start_ = 0, last_shown_ = 0;
};

}  // namespace umov
