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
  /// What keeps the finished rows while the run goes on, once there are some; empty when it does no more. May
  /// be called from any thread.
  std::function<void(std::function<void()>)> to_save;
};

using Journal = run::JournalOf<RunObserver>;

}  // namespace umov::harmonic
