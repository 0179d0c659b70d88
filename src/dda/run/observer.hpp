// Where a dipole run is, as its caller may watch it.
#pragma once

#include <functional>

#include "front/journal.hpp"
#include "front/observer.hpp"

namespace umov::dda {

struct RunObserver : front::Observer {
  /// An iteration of the solver is done; `residual` is relative. Return false to stop: the state is saved
  /// when checkpoints are on, and Interrupted is thrown.
  std::function<bool(char polarization, long iteration, double residual)> iteration;
};

using Journal = front::JournalOf<RunObserver>;

}  // namespace umov::dda
