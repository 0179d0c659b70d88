// Where the state of a dipole run is saved and continued from.
#pragma once

#include <span>
#include <string>

#include "dda/run/solve.hpp"

namespace umov::dda {

/// Makes the folder of checkpoints where they are wanted. Throws BadInput.
void prepare_checkpoints(const Prepared&);

/// The part of the options of a solve for these waves together that is about checkpoints. `name` tells the
/// states of a run apart: the label of the wave, or of the first of a block, with what else it takes. Throws
/// BadInput when there is none to continue from.
void set_checkpoint(const Prepared&, std::span<const Incident* const> together, const std::string& name,
                    SolveOptions&);

/// Deletes all states of a run that has come to its end: those of sectors and columns, too.
void remove_states(const std::string& directory);

/// A solve that ended before its time: at the observer's request, or at a checkpoint of a kind that ends it.
[[noreturn]] void throw_interrupted(const Prepared&, const SolveOptions&, bool by_observer);

}  // namespace umov::dda
