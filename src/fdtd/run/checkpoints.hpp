// When a run in time is saved, and how it goes on from what was saved.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "comm/communicator.hpp"
#include "fdtd/run/state.hpp"
#include "fdtd/simulation.hpp"

namespace umov::fdtd {

struct March;

/// The checkpoints of one run, on every rank. Without an output folder nothing is saved; rank 0 writes.
class Checkpoints {
 public:
  /// Reads the state to go on from when the case asks for it; `given` is the case as asked for, which the
  /// state must belong to. Throws BadInput: no such file, damaged, or of another case.
  Checkpoints(const Simulation& given, comm::Communicator&);

  bool on() const { return !folder_.empty(); }
  /// The resumed run was in this phase.
  bool resumes(Phase phase) const { return resumed_ && resumed_->phase == phase; }
  /// The reference run's transforms, when the resumed run had them.
  ReferenceFields take_reference();
  /// Saved with every state from here on; must outlive this.
  void keep(const ReferenceFields& reference) { reference_ = &reference; }

  /// Puts a march into the saved state, when that is of its phase. Throws BadInput for a state that does not
  /// fit.
  void resume(March&);
  /// Begins to count the interval.
  void start_clock();
  /// Saves when the interval has passed.
  void save_when_due(const March&);
  void save(const March&) const;
  /// How to go on from here, for the message of an interrupted run.
  std::string advice() const;

 private:
  comm::Communicator* comm_;
  std::string folder_;
  double interval_ = 0;  ///< s; 0: only when asked
  std::uint64_t fingerprint_ = 0;
  std::optional<RunState> resumed_;
  const ReferenceFields* reference_ = nullptr;
  double last_save_ = 0;  ///< s
};

}  // namespace umov::fdtd
