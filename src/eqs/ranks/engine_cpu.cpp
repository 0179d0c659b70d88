// The engine of a rank on the processor's cores.
#include "backend/cpu/cpu.hpp"
#include "comm/ranked_device.hpp"
#include "eqs/engines/engine_factory.hpp"
#include "eqs/engines/engine_on.hpp"
#include "eqs/tuned/cpu/fast_elements.hpp"
#include "eqs/tuned/ranked_elements.hpp"

namespace umov::eqs {

std::unique_ptr<Engine> make_ranked_cpu_engine(const Problem& p, const EngineRequest& request,
                                               comm::Communicator& comm) {
  return std::make_unique<EngineOn<comm::RankedDevice<backend::Cpu>>>(p, comm, request.threads);
}

}  // namespace umov::eqs
