// Somebody who looks at the fields of a run on its way, and may end it.
#pragma once

namespace umov::fdtd {

struct March;
struct Prepared;

class MarchWatcher {
 public:
  virtual ~MarchWatcher() = default;
  /// A march begins: its engine is ready, no step of it is taken yet.
  virtual void begin(const Prepared&, const March&) = 0;
  /// The next step after `step` to look at; beyond all steps if none. A run may be cut there: its results do
  /// not depend on it.
  virtual long next(long step) const = 0;
  enum class Answer { go_on, save, stop };
  /// Called between steps, at `next` and oftener. May take its time; what it throws ends the run.
  virtual Answer look(const Prepared&, const March&) = 0;
  /// The last step is taken. Once more where the reference that it is divided by comes later.
  virtual void end(const Prepared&, const March&) = 0;
};

}  // namespace umov::fdtd
