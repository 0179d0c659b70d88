// Where make_engine finds the engines of each backend; a backend's own library hands out the same table.
#pragma once

#include <memory>

#include "eqs/engine.hpp"

namespace umov::eqs {

std::unique_ptr<Engine> make_serial_engine(const Problem&, const EngineRequest&);
std::unique_ptr<Engine> make_cpu_engine(const Problem&, const EngineRequest&);

/// What a backend module answers when asked for the family "eqs".
struct EngineFactory {
  std::unique_ptr<Engine> (*make)(const Problem&, const EngineRequest&);
};

}  // namespace umov::eqs
