// Somebody who looks at an electroquasistatic run on its way, and may end it.
#pragma once

namespace umov::eqs {

class Engine;
struct Effort;
struct Outcome;
struct Prepared;

class RunWatcher {
 public:
  virtual ~RunWatcher() = default;
  /// The case is prepared; the engine is not made yet.
  virtual void begin(const Prepared&) = 0;
  enum class Answer { go_on, save, stop };
  /// Called between steps with what was found so far, and before a solution that has none (without records).
  /// May take its time; what it throws ends the run.
  virtual Answer look(const Prepared&, const Engine&, const Outcome&) = 0;
  /// Called within a solve or a try of a step with what it took so far; the engine must be left alone.
  virtual void solving(const Effort&) {}
};

}  // namespace umov::eqs
