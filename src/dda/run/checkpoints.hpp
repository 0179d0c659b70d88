// Where the state of a dipole run is saved and continued from.
#pragma once

#include "dda/run/solve.hpp"

namespace umov::dda {

/// Makes the folder of checkpoints where they are wanted. Throws BadInput.
void prepare_checkpoints(const Simulation&);

/// The part of the options of a solve that is about checkpoints. Throws BadInput when there is none to
/// continue from.
void set_checkpoint(const Prepared&, const Incident&, SolveOptions&);

/// A solve that ended before its time: at the observer's request, or at a checkpoint of a kind that ends it.
[[noreturn]] void throw_interrupted(const Simulation&, char label, bool by_observer);

}  // namespace umov::dda
