// Where a dipole run is, as its caller may watch it.
#pragma once

#include <functional>
#include <span>

#include "run/journal.hpp"
#include "run/observer.hpp"

namespace umov::dda {

class Engine;
class FieldSink;
struct Incident;
struct Prepared;
struct Solution;

/// Looks at the arrays of a run, from the run's own thread.
class SolveWatcher {
 public:
  virtual ~SolveWatcher() = default;
  /// The case is ready, its engine loaded.
  virtual void begin(const Prepared&) = 0;
  /// A solve begins: for one incident wave, or for several together. Within RunObserver::iteration of a solve
  /// for one, the engine's get_polarization() gives where it is: P / S, with S^2 the polarizability; P in
  /// mirror sectors.
  virtual void solving(const Prepared&, std::span<const Incident>, const Engine&) = 0;
  /// One of them is solved for; the engine holds its polarizations.
  virtual void solved(const Prepared&, const Solution&) = 0;
};

struct RunObserver : run::Observer {
  /// An iteration of the solver is done; `residual` is relative. Return false to stop: the state is saved
  /// when checkpoints are on, and Interrupted is thrown.
  std::function<bool(char polarization, long iteration, double residual)> iteration;
  SolveWatcher* watcher = nullptr;
  FieldSink* fields = nullptr;  ///< of a run on ranks: takes fields per dipole, which are not kept then
};

using Journal = run::JournalOf<RunObserver>;

}  // namespace umov::dda
