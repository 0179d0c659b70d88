// Memory of one of several ranks, known before anything is allocated.
#pragma once

#include <vector>

#include "dda/engine.hpp"

namespace umov::dda {

/// Bytes on the device of the rank that holds most, where `ranks` share the particle: its planes of dipoles
/// and their vectors, its stretch of the tensor, lines and planes of the transforms. The set-up of a medium's
/// preconditioner is whole on every rank.
std::vector<MemoryUse> estimate_rank_memory(const Problem&, int ranks, const std::string& solver, Precision,
                                            const std::vector<Preconditioner>&);

}  // namespace umov::dda
