// What a run does, second by second: stages that last are told, end at a signal, and are counted for the log.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "core/stage_times.hpp"
#include "core/timer.hpp"

namespace umov::command {

/// A thread of its own looks at the stage that a run is in. One that lasts more than a second is told, its
/// text anew where it changes. A signal that comes while a run does not look for signals by itself ends the
/// program half a second later, by the signal's exit code: a stage has nothing to keep that is not in a file.
class StageWatch {
 public:
  struct Options {
    std::string label;  ///< opens what is told
    bool quiet = false;
    bool ends = true;  ///< false: of several processes, which agree on their end between steps
    /// Called instead of ending the program, for tests.
    std::function<void(const std::string& message, int code)> end = {};
    std::function<void(const std::string& line)> tell = {};  ///< empty: standard error
  };

  explicit StageWatch(Options);
  /// For a run that tells its stages, and looks for signals, by itself.
  inline static constexpr struct OnlyTimed {
  } only_timed{};
  explicit StageWatch(OnlyTimed) : StageWatch(Options{.label = {}, .quiet = true, .ends = false}) {}
  ~StageWatch();
  StageWatch(const StageWatch&) = delete;
  StageWatch& operator=(const StageWatch&) = delete;

  /// A stage begins; what follows ": " in its text is how far it is, and no stage of its own.
  void begin(const std::string& text);
  /// Results are written: a stage that is told, and that a signal does not cut short.
  void finish(const std::string& text);
  /// The run is in a stage with a line of its own, and looks for signals by itself.
  void looks_itself(const std::string& stage);
  /// Called before a signal ends the program within a stage; empty: nothing.
  void save_at_end(std::function<void()> save);
  /// Nothing runs: what waits for a user may wait.
  void rest();
  /// Seconds of each stage so far, in their order.
  std::vector<StageTime> times() const;
  /// The same as a table, with those of all together.
  std::string table() const;

 private:
  void watch();
  void enter(const std::string& stage);
  void obey();

  Options options_;
  mutable std::mutex mutex_;
  std::condition_variable ended_;
  bool over_ = false, itself_ = false, finishing_ = false;
  std::string stage_, text_, told_;
  Stopwatch whole_, since_told_, since_begin_, signal_seen_;
  bool signalled_ = false;
  std::function<void()> save_;
  std::vector<StageTime> times_;
  std::thread thread_;  ///< where there is anything to tell or to end
};

}  // namespace umov::command
