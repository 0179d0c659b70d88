// Where the solves of a time-harmonic cell are, as their caller may watch them.
#pragma once

#include <functional>

#include "front/journal.hpp"
#include "front/observer.hpp"

namespace umov::fdtd::harmonic {

struct RunObserver : front::Observer {
  /// An iteration of the solver is done; `residual` is relative. Return false to stop: Interrupted is thrown.
  std::function<bool(char polarization, long iteration, double residual)> iteration;
};

using Journal = front::JournalOf<RunObserver>;

}  // namespace umov::fdtd::harmonic
