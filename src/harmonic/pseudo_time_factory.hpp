// Where make_pseudo_time finds the iteration of each backend; a backend's own library hands out the same
// table.
#pragma once

#include "backend/choose_engine.hpp"
#include "harmonic/pseudo_time.hpp"

namespace umov::harmonic {

/// What a backend module answers when asked for the family "pseudo_time".
using PseudoTimeFactory = backend::EngineFactory<PseudoTime, Problem, PseudoTimeRequest>;

}  // namespace umov::harmonic
