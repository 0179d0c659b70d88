// Which preconditioner and which form of the operator a problem is solved with.
#pragma once

#include <string>

#include "eqs/problem.hpp"

namespace umov::eqs {

/// That of `LinearSpec`, "auto" resolved.
std::string preconditioner_of(const Problem&);

/// Does it compute without the matrix? LinearSpec::form, `automatic` resolved: second order with p-multigrid.
bool matrix_free(const Problem&);

/// Threads of the processor's engine: those asked for; where none are (0), one for models so small that
/// waking others takes longer than their loops, else 0, all.
int threads_of(const Problem&, int asked);

}  // namespace umov::eqs
