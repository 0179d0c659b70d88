// What a caller may watch while a run goes on, and how a run that was asked to stop ends.
#pragma once

#include <functional>
#include <string>

#include "core/error.hpp"

namespace umov::front {

/// Where a run in time is.
struct StepReport {
  long step = 0, limit = 0;  ///< steps taken; the last there can be
  bool fixed = true;         ///< the limit will be reached
  double cells = 0;          ///< of the grid
  std::string measure;       ///< how far the run is from its end, when that is no number of steps
};

/// Where a run through simulated time with steps of its own choice is.
struct TimeReport {
  double time = 0, end = 0;      ///< s
  long steps = 0, rejected = 0;  ///< accepted; repeated
  long newton = 0, linear = 0;   ///< iterations so far
};

/// Each may be empty.
struct Observer {
  std::function<void(const std::string& stage)> stage;
  /// Everything was checked and found good; what takes long begins.
  std::function<void()> begun;
  /// Return false to stop: the state is saved when checkpoints are on, and Interrupted is thrown.
  std::function<bool(char polarization, long iteration, double residual, double goal)> iteration;
  /// What the user should know but need not stop for.
  std::function<void(const std::string& text)> warning;
  /// A run in time has taken steps. Return false to stop, as above.
  std::function<bool(const StepReport&)> step;
  std::function<bool(const TimeReport&)> time;
};

/// A run that was asked to stop before its end: by the observer, or (exit code 0) by a checkpoint of a kind
/// that ends the run.
struct Interrupted : Error {
  explicit Interrupted(const std::string& message, Exit code = Exit::interrupted) : Error(code, message) {}
};

}  // namespace umov::front
