// The two runs of a normalised pair side by side: some ranks take the run, the others the reference run.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "comm/communicator.hpp"
#include "fdtd/observables/monitors.hpp"
#include "fdtd/run/prepare.hpp"
#include "fdtd/run/state.hpp"
#include "fdtd/run/stop.hpp"

namespace umov::fdtd {

/// What the ranks of a run do with a normalised pair.
struct PairUse {
  int run_ranks = 0;   ///< the first ones, that take the run, where the others take the reference run; 0: all
                       ///< take one after the other
  bool joins = false;  ///< all take the run once the reference run has ended
  bool paced = false;  ///< the quicker one takes more steps between two meetings, by the clock
  long last_step = 0;  ///< of the run, where it is known beforehand
  std::string why;     ///< in words; "" where there is no pair, or one rank
};

/// Of so many ranks. `comm`: theirs, which decide together, or nullptr for a plan. Throws BadInput where runs
/// side by side are demanded and there is one run only.
PairUse choose_pair_use(const Prepared&, int ranks, comm::Communicator* comm);

/// One rank's view of the pair. The sides meet from time to time, and agree there on ends and saves.
class Pair {
 public:
  /// Of every rank of `all`, which outlives it. `reference` is filled on all ranks when the sides first meet
  /// after the end of the reference run.
  Pair(comm::Communicator& all, const PairUse&, const Grid&, bool on_gpu, ReferenceFields& reference);

  Phase mine() const { return mine_; }
  /// The ranks that take the same run as this one.
  comm::Communicator& side() { return *side_; }
  comm::Communicator& all() { return all_; }

  /// The march of this side has come to its end; the reference run's with its fields, and warnings that all
  /// are to hear of.
  void end() { ended_ = true; }
  void end(ReferenceFields, const std::vector<std::string>& warnings);

  struct Meeting {
    bool stop = false, save = false;  ///< whether any rank says so
    long step = 0;                    ///< of the run
  };
  /// Of every rank: between steps, and after the end of its side's march until over() or joining().
  /// `seconds`: spent on steps by this side's march.
  Meeting meet(bool stop, bool save, long step, double seconds);
  /// Whether a march that has come to this step is to meet the other side.
  bool due(long step) const { return step >= next_; }
  /// Both have ended.
  bool over() const { return run_ended_ && reference_ended_; }
  /// The run is to go on on all ranks.
  bool joining() const { return joining_; }
  /// Those of the reference run.
  const std::vector<std::string>& warnings() const { return warnings_; }

 private:
  struct Said {
    bool stop, save, ended;
    long step;
    double seconds;
  };
  void spread_reference();
  long steps_to_next(const Said& run, const Said& reference);

  comm::Communicator& all_;
  std::unique_ptr<comm::Communicator> side_;
  Phase mine_;
  int reference_root_;  ///< first rank of the reference run
  long piece_;          ///< steps between two meetings, at least
  PairUse use_;
  ReferenceFields& reference_;
  std::vector<std::string> warnings_;
  bool ended_ = false, run_ended_ = false, reference_ended_ = false, joining_ = false;
  long step_at_end_ = 0;     ///< of the run, when the reference run had ended
  long next_ = 0;            ///< step of this side's march at which it meets again
  long pieces_ = 1;          ///< between its last two meetings
  std::vector<Said> first_;  ///< of the run and of the reference run, at the first meeting
};

/// Steps of a march between two reports, at most.
long steps_between_reports(const Grid&, bool on_gpu);

/// A run is worth to be made ready once more for so many steps that are left.
inline constexpr long steps_worth_joining = 2 * watch_interval;

}  // namespace umov::fdtd
