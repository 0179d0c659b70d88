// Memory of one of several ranks, known before anything is allocated.
#pragma once

#include <vector>

#include "dda/engine.hpp"

namespace umov::dda {

/// Bytes on the device of the rank that holds most, where `ranks` share the particle: its planes of dipoles
/// and their vectors, its stretch of the tensor, lines and planes of the transforms, its stretches while a
/// preconditioner is made. "cpu" and "cuda" count the product that they run (product_choice.hpp), "cpu" with
/// so many threads a rank (0 = all).
std::vector<MemoryUse> estimate_rank_memory(const Problem&, int ranks, const std::string& solver, Precision,
                                            const std::vector<Preconditioner>&,
                                            const std::string& backend = "serial", int threads = 0);

/// Of one more right-hand side of a block on the rank that holds most: its solution and the vectors of the
/// iteration.
std::size_t rank_block_bytes(const Problem&, int ranks, Precision);

}  // namespace umov::dda
