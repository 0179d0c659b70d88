// Choosing the engine at run time: backend by name, or the fastest one usable here; what no kernel may meet.
#include "backend/module.hpp"
#include "core/error.hpp"
#include "fdtd/check_problem.hpp"
#include "fdtd/engine_factory.hpp"

namespace umov::fdtd {

std::unique_ptr<Engine> make_engine(const Problem& p, const EngineRequest& request) {
  check_problem(p);
  if (request.backend == "serial") return make_serial_engine(p, request);
  if (request.backend == "cpu") return make_cpu_engine(p, request);
  if (request.backend != "cuda" && request.backend != "auto")
    throw BadInput("unknown backend '" + request.backend + "' (known: auto, serial, cpu, cuda)");
  std::string why_not;
  if (const auto* factory = static_cast<const EngineFactory*>(backend::cuda_factory("fdtd", why_not)))
    return factory->make(p, request);
  if (request.backend == "auto") return make_cpu_engine(p, request);
  throw MachineFailure("the cuda backend cannot be used here (" + why_not + "); use --cpu");
}

}  // namespace umov::fdtd
