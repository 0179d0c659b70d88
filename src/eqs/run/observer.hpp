// Where an electroquasistatic run through simulated time is, as its caller may watch it.
#pragma once

#include <functional>

#include "eqs/run/watcher.hpp"
#include "run/journal.hpp"
#include "run/observer.hpp"

namespace umov::eqs {

class SystemSink;

struct TimeReport {
  double time = 0, end = 0;      ///< s
  long steps = 0, rejected = 0;  ///< accepted; repeated
  long newton = 0, linear = 0;   ///< iterations so far
};

struct RunObserver : run::Observer {
  /// A step is done. Return false to stop: the state is saved when checkpoints are on, and Interrupted is
  /// thrown.
  std::function<bool(const TimeReport&)> time;
  RunWatcher* watcher = nullptr;  ///< must outlive the run; nullptr: nobody looks
  SystemSink* systems = nullptr;  ///< gets the linear systems; the same. Of one rank
};

using Journal = run::JournalOf<RunObserver>;

}  // namespace umov::eqs
