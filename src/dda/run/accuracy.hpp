// One case on several grids, refined until what it extrapolates to is as accurate as asked.
#pragma once

#include <functional>
#include <optional>

#include "comm/communicator.hpp"
#include "dda/run/extrapolated.hpp"
#include "dda/run/observer.hpp"

namespace umov::dda {

/// What a caller sees and decides while the grids are computed. All may be left out.
struct AccuracyObserver {
  /// What an earlier run has found on the grid.
  std::function<std::optional<CaseRow>(const Simulation&)> finished;
  std::function<std::size_t()> kept;  ///< of how many grids that is, those of this run included
  /// The grid is begun; whether there is a state of it to go on from. Without it the machine says.
  std::function<bool(const Simulation&)> begin;
  std::function<RunObserver(int number)> observer;  ///< grids are counted from 1
  /// A grid has been solved.
  std::function<void(const Simulation&, const CaseRow&)> solved;
};

/// Runs the case on grids of its own choice (Grids) until the errors of all quantities that `accuracy` is
/// asked of are below it, or memory, `accuracy_time` or a solver that does not converge ends it. The outcome
/// is that of the finest grid, with the extrapolation in it; `converged` is false where the accuracy was not
/// reached. Finer grids that an earlier run has finished are used, needed or not. Throws as `run` does for
/// the first grid; a finer one that the machine has no room for ends the refinement. On several ranks
/// (`comm`): on the first one, which chooses; all others follow_accurate. A grid that one of several ranks
/// could not compute ends the run.
Outcome run_accurate(const Simulation&, const Machine& = {}, const AccuracyObserver& = {},
                     comm::Communicator* comm = nullptr);

/// On a rank that is not the first: computes its part of the grids that the first one chooses.
void follow_accurate(const Simulation&, const Machine&, const RunObserver&, comm::Communicator&);

}  // namespace umov::dda
