// The one door: a simulation in, its outcome out. Commands, tests and bindings all come through here.
#pragma once

#include "backend/early_start.hpp"
#include "dda/outcome.hpp"
#include "dda/run/observer.hpp"

namespace umov::dda {

class Neighbours;

/// Runs the discrete dipole approximation: particle, both incident polarizations, observables.
/// Writes nothing but checkpoints. Throws BadInput, MachineFailure, Interrupted. `neighbours` holds solutions
/// of cases before, to start from, and is given this one's.
Outcome run(const Simulation&, const RunObserver& = {}, Neighbours* neighbours = nullptr);

/// Its GPU made ready in the background, if it may want one; a run does this itself, its caller can earlier.
backend::EarlyStart early_start(const Simulation&);

/// What a run would need, without running it: particle, grid of the transforms, memory.
Outcome plan(const Simulation&);

/// Throws BadInput when what was planned needs more memory than this machine has left.
void require_memory(const Outcome& plan);

}  // namespace umov::dda
