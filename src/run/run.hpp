// The one door: a simulation in, its outcome out. Commands, tests and bindings all come through here.
#pragma once

#include <functional>
#include <string>

#include "core/error.hpp"
#include "dda/outcome.hpp"

namespace umov::run {

/// What a caller may watch while a run goes on. Each may be empty.
struct Observer {
  std::function<void(const std::string& stage)> stage;
  /// Return false to stop: the state is saved when checkpoints are on, and Interrupted is thrown.
  std::function<bool(char polarization, long iteration, double residual, double goal)> iteration;
  /// What the user should know but need not stop for.
  std::function<void(const std::string& text)> warning;
};

/// A run that was asked to stop before its end: by the observer, or (exit code 0) by a checkpoint of a kind
/// that ends the run.
struct Interrupted : Error {
  explicit Interrupted(const std::string& message, Exit code = Exit::interrupted) : Error(code, message) {}
};

/// Runs the discrete dipole approximation: particle, both incident polarizations, observables.
/// Writes nothing but checkpoints. Throws BadInput, MachineFailure, Interrupted.
dda::Outcome run_dda(const dda::Simulation&, const Observer& = {});

/// What a run would need, without running it: particle, grid of the transforms, memory.
dda::Outcome plan_dda(const dda::Simulation&);

}  // namespace umov::run
