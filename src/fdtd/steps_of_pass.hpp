// How many steps the kernels of a problem take at a time.
#pragma once

#include "fdtd/engine.hpp"

namespace umov::fdtd {

/// Steps that the request's kernels take of this problem in one pass through memory; 1 where they go one by
/// one. Throws as make_engine does.
int steps_of_pass(const Problem&, const EngineRequest&);

}  // namespace umov::fdtd
