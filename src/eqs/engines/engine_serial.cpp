// The engine on the serial referee.
#include "backend/serial/serial.hpp"
#include "eqs/engines/engine_factory.hpp"
#include "eqs/engines/engine_on.hpp"

namespace umov::eqs {

std::unique_ptr<Engine> make_serial_engine(const Problem& p, const EngineRequest&) {
  return std::make_unique<EngineOn<backend::Serial>>(p);
}

}  // namespace umov::eqs
