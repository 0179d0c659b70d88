// Where a run in the time domain is, as its caller may watch it.
#pragma once

#include <functional>
#include <string>

#include "fdtd/run/watcher.hpp"
#include "run/journal.hpp"
#include "run/observer.hpp"

namespace umov::fdtd {

struct StepReport {
  long step = 0, limit = 0;  ///< steps taken; the last there can be
  bool fixed = true;         ///< the limit will be reached
  double cells = 0;          ///< of the grid
  std::string measure;       ///< how far the run is from its end, when that is no number of steps
};

class FourierSink;

struct RunObserver : run::Observer {
  /// Steps are done. Return false to stop: the state is saved when checkpoints are on, and Interrupted is
  /// thrown.
  std::function<bool(const StepReport&)> step;
  /// How much of painting the bodies is done, 0 to 1.
  std::function<void(double done)> painted;
  /// What has to be saved, should a signal end the program within a stage; called by another thread. Empty:
  /// nothing.
  std::function<void(std::function<void()>)> to_save;
  FourierSink* fouriers = nullptr;  ///< of every rank: takes volumes of Fourier monitors
  MarchWatcher* watcher = nullptr;  ///< must outlive the run; nullptr: nobody looks
};

using Journal = run::JournalOf<RunObserver>;

}  // namespace umov::fdtd
