// Where the solves of a time-harmonic cell are, as their caller may watch them.
#pragma once

#include <functional>

#include "run/journal.hpp"
#include "run/observer.hpp"

namespace umov::harmonic {

struct RunObserver : run::Observer {
  /// An iteration of the solver is done; `residual` is relative. Return false to stop: Interrupted is thrown.
  std::function<bool(char polarization, long iteration, double residual)> iteration;
  /// Whether a worker sets up a row, where no iteration asks whether to stop; before and after.
  std::function<void(bool)> set_up;
  /// Finished rows are in the state file from here on.
  std::function<void()> kept;
};

using Journal = run::JournalOf<RunObserver>;

}  // namespace umov::harmonic
