// Which preconditioner and which form of the operator a problem is solved with.
#pragma once

#include <string>

#include "eqs/problem.hpp"

namespace umov::eqs {

/// That of `LinearSpec`, "auto" resolved.
std::string preconditioner_of(const Problem&);

/// Does it compute without the matrix? LinearSpec::form, `automatic` resolved: second order with p-multigrid.
bool matrix_free(const Problem&);

}  // namespace umov::eqs
