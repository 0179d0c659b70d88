// Where make_engine finds the engines of each backend; a backend's own library hands out the same table.
#pragma once

#include <memory>

#include "dda/engine.hpp"

namespace umov::dda {

std::unique_ptr<Engine> make_serial_engine(const EngineRequest&);
std::unique_ptr<Engine> make_cpu_engine(const EngineRequest&);

/// What a backend module answers when asked for the family "dda".
struct EngineFactory {
  std::unique_ptr<Engine> (*make)(const EngineRequest&);
};

}  // namespace umov::dda
