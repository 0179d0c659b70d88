// The one door: a simulation in, its outcome out. Commands, tests and bindings all come through here.
#pragma once

#include "dda/outcome.hpp"
#include "front/observer.hpp"

namespace umov::dda {

/// Runs the discrete dipole approximation: particle, both incident polarizations, observables.
/// Writes nothing but checkpoints. Throws BadInput, MachineFailure, Interrupted.
Outcome run(const Simulation&, const front::Observer& = {});

/// What a run would need, without running it: particle, grid of the transforms, memory.
Outcome plan(const Simulation&);

/// Throws BadInput when what was planned needs more memory than this machine has left.
void require_memory(const Outcome& plan);

}  // namespace umov::dda
