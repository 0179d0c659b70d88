// Choosing the engine at run time: backend by name, or the fastest one usable here.
#include "backend/module.hpp"
#include "core/error.hpp"
#include "eqs/engine_factory.hpp"

namespace umov::eqs {

std::unique_ptr<Engine> make_engine(const Problem& p, const EngineRequest& request) {
  if (request.backend == "serial") return make_serial_engine(p, request);
  if (request.backend == "cpu") return make_cpu_engine(p, request);
  if (request.backend != "cuda" && request.backend != "auto")
    throw BadInput("unknown backend '" + request.backend + "' (known: auto, serial, cpu, cuda)");
  std::string why_not;
  if (const auto* factory = static_cast<const EngineFactory*>(backend::cuda_factory("eqs", why_not)))
    return factory->make(p, request);
  if (request.backend == "auto") return make_cpu_engine(p, request);
  throw MachineFailure("the cuda backend cannot be used here (" + why_not + "); use --cpu");
}

std::unique_ptr<Engine> make_ranked_engine(const Problem& p, const EngineRequest& request,
                                           comm::Communicator& comm) {
  if (request.backend == "serial") return make_ranked_serial_engine(p, request, comm);
  if (request.backend == "cpu" || request.backend == "auto") return make_ranked_cpu_engine(p, request, comm);
  if (request.backend == "cuda")
    throw BadInput(
        "several GPUs cannot compute one electroquasistatic case yet (several processors can); give --cpu, "
        "or "
        "leave --gpus and mpirun out");
  throw BadInput("unknown backend '" + request.backend + "' (known: auto, serial, cpu, cuda)");
}

}  // namespace umov::eqs
