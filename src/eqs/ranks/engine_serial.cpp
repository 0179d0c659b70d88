// The engine of a rank on plain loops.
#include "backend/serial/serial.hpp"
#include "comm/ranked_device.hpp"
#include "eqs/engines/engine_factory.hpp"
#include "eqs/engines/engine_on.hpp"

namespace umov::eqs {

std::unique_ptr<Engine> make_ranked_serial_engine(const Problem& p, const EngineRequest&,
                                                  comm::Communicator& comm) {
  return std::make_unique<EngineOn<comm::RankedDevice<backend::Serial>>>(p, comm);
}

}  // namespace umov::eqs
