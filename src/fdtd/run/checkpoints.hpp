// When a run in time is saved, and how it goes on from what was saved.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "comm/communicator.hpp"
#include "fdtd/machine.hpp"
#include "fdtd/run/state.hpp"
#include "fdtd/simulation.hpp"

namespace umov::fdtd {

struct March;
class Pair;

/// The checkpoints of one run, on every rank. Without an output folder nothing is saved; rank 0 writes.
class Checkpoints {
 public:
  /// Reads the state to go on from when the machine asks for it; `given` is the case as asked for, which the
  /// state must belong to, and is kept by the caller. Throws BadInput: no such file, damaged, or of another
  /// case.
  /// `warn` hears of a state that could not be written.
  Checkpoints(const Simulation& given, const Machine&, comm::Communicator&,
              std::function<void(const std::string&)> warn);

  bool on() const { return !folder_.empty(); }
  /// The resumed run was past the reference run of its pair.
  bool past_reference() const { return past_reference_; }
  /// The reference run's transforms, when the resumed run had them.
  ReferenceFields take_reference();
  /// Saved with every state from here on; must outlive this.
  void keep(const ReferenceFields& reference) { reference_ = &reference; }
  /// The two runs go side by side from here on, until nullptr comes.
  void join(Pair*);

  /// Puts a march into the saved state, when there is one of its phase. Throws BadInput for a state that does
  /// not fit.
  void resume(March&);
  /// A march goes on from here, on these ranks.
  void resume_from(MarchState);
  /// Begins to count the interval.
  void start_clock();
  /// Of every rank, between steps: saves when the interval has passed, or when any rank wants to `stop`; then
  /// throws Interrupted. Before the first step, and without a finished reference run, there is nothing to
  /// save. The sides of a pair do so when they are due to meet. `m`: nullptr where the
  /// reference run is done with. `going`: the march has not come to its end.
  void between_steps(const March* m, bool stop, bool going = true);
  /// Whether a run goes on without the checkpoint, with a warning, where it cannot be written.
  enum class Need { must, may };
  void save(const March*, Need) const;
  /// Of every rank of a march, between steps: saves now, or the two runs of a pair when they next meet.
  void ask_save(const March&);
  /// What changes in a march; the fields come to the first rank of its engine.
  MarchState state_of(const March&) const;

 private:
  bool due() const;
  /// Whether any rank has come to something that a new start would have to compute again.
  bool worth_saving(const March*, long step) const;
  void save_march(const March*, RunState&) const;
  /// How to go on from here, for the message of an interrupted run.
  std::string advice() const;

  comm::Communicator* comm_;
  std::function<void(const std::string&)> warn_;
  Pair* pair_ = nullptr;
  std::string folder_;
  double interval_ = 0;              ///< s; 0: only when asked
  const Simulation* given_;          ///< told apart from others only where something is saved
  std::optional<RunState> resumed_;  ///< marches that nobody has taken up yet
  bool past_reference_ = false;
  bool stop_asked_ = false, save_asked_ = false;  ///< by this rank
  const ReferenceFields* reference_ = nullptr;
  double last_save_ = 0;  ///< s
};

}  // namespace umov::fdtd
