// Where make_engine finds the engines of each backend; a backend's own library hands out the same table.
#pragma once

#include "backend/choose_engine.hpp"
#include "pmaxwell/engine.hpp"

namespace umov::pmaxwell {

/// A system whose arrays an engine takes over.
struct Handover {
  System* system;
};

/// What a backend module answers when asked for the family "pmaxwell".
using EngineFactory = backend::EngineFactory<Engine, Handover, EngineRequest>;

}  // namespace umov::pmaxwell
