// The engine on the processor's cores.
#include "backend/cpu/cpu.hpp"
#include "eqs/engines/engine_factory.hpp"
#include "eqs/engines/engine_on.hpp"
#include "eqs/solve/solver_choice.hpp"
#include "eqs/tuned/cpu/fast_elements.hpp"

namespace umov::eqs {

std::unique_ptr<Engine> make_cpu_engine(const Problem& p, const EngineRequest& request) {
  return std::make_unique<EngineOn<backend::Cpu>>(p, threads_of(p, request.threads));
}

}  // namespace umov::eqs
