// Choosing the engine at run time: backend by name, or the fastest one usable here.
#include "backend/module.hpp"
#include "core/error.hpp"
#include "eqs/engines/engine_factory.hpp"

namespace umov::eqs {

namespace {

/// Null where no GPU can be used.
const EngineFactory* cuda_factory(std::string& why_not) {
  return static_cast<const EngineFactory*>(backend::cuda_factory("eqs", why_not));
}

[[noreturn]] void refuse_cuda(const std::string& why_not) {
  throw MachineFailure("the cuda backend cannot be used here (" + why_not +
                       "); use `machine.backend = 'cpu'`");
}

}  // namespace

std::unique_ptr<Engine> make_engine(const Problem& p, const EngineRequest& request) {
  if (request.backend == "serial") return make_serial_engine(p, request);
  if (request.backend == "cpu") return make_cpu_engine(p, request);
  if (request.backend != "cuda" && request.backend != "auto")
    throw BadInput("unknown backend '" + request.backend + "' (known: auto, serial, cpu, cuda)");
  std::string why_not;
  if (const auto* factory = cuda_factory(why_not)) return factory->make(p, request);
  if (request.backend == "auto") return make_cpu_engine(p, request);
  refuse_cuda(why_not);
}

std::unique_ptr<Engine> make_ranked_engine(const Problem& p, const EngineRequest& request,
                                           comm::Communicator& comm) {
  if (request.backend == "serial") return make_ranked_serial_engine(p, request, comm);
  if (request.backend == "cpu" || request.backend == "auto") return make_ranked_cpu_engine(p, request, comm);
  if (request.backend == "cuda") {
    std::string why_not;
    EngineRequest shared = request;
    shared.ranks = &comm;
    if (const auto* factory = cuda_factory(why_not)) return factory->make(p, shared);
    refuse_cuda(why_not);
  }
  throw BadInput("unknown backend '" + request.backend + "' (known: auto, serial, cpu, cuda)");
}

}  // namespace umov::eqs
