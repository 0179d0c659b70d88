// The one door: a simulation in, its outcome out. Commands, tests and bindings all come through here.
#pragma once

#include "dda/outcome.hpp"
#include "front/observer.hpp"

namespace umov::run {

/// Runs the discrete dipole approximation: particle, both incident polarizations, observables.
/// Writes nothing but checkpoints. Throws BadInput, MachineFailure, Interrupted.
dda::Outcome run_dda(const dda::Simulation&, const Observer& = {});

/// What a run would need, without running it: particle, grid of the transforms, memory.
dda::Outcome plan_dda(const dda::Simulation&);

/// Throws BadInput when what was planned needs more memory than this machine has left.
void require_memory(const dda::Outcome& plan);

}  // namespace umov::run
