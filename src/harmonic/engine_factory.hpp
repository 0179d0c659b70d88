// Where make_engine finds the engines of each backend; a backend's own library hands out the same table.
#pragma once

#include <memory>

#include "backend/choose_engine.hpp"
#include "harmonic/engine.hpp"

namespace umov::harmonic {

std::unique_ptr<Engine> make_serial_engine(const Problem&, const EngineRequest&);
std::unique_ptr<Engine> make_cpu_engine(const Problem&, const EngineRequest&);

/// What a backend module answers when asked for the family "harmonic".
using EngineFactory = backend::EngineFactory<Engine, Problem, EngineRequest>;

}  // namespace umov::harmonic
