// Choosing the engine at run time: backend by name, or the fastest one usable here; what no kernel may meet.
#include "backend/module.hpp"
#include "core/error.hpp"
#include "fdtd/check_problem.hpp"
#include "fdtd/engine_factory.hpp"

namespace umov::fdtd {

namespace {

/// nullptr with the reason in `why_not` when the GPU backend cannot be used on this machine.
const EngineFactory* cuda_factory(std::string& why_not) {
  const backend::Module* module = backend::load_module("cuda", why_not);
  if (!module) return nullptr;
  backend::BackendInfo info{"cuda", false, "", {}};
  module->describe(info);
  why_not = info.why_not;
  return info.available ? static_cast<const EngineFactory*>(module->factory("fdtd")) : nullptr;
}

}  // namespace

std::unique_ptr<Engine> make_engine(const Problem& p, const EngineRequest& request) {
  check_problem(p);
  if (request.backend == "serial") return make_serial_engine(p, request);
  if (request.backend == "cpu") return make_cpu_engine(p, request);
  if (request.backend != "cuda" && request.backend != "auto")
    throw BadInput("unknown backend '" + request.backend + "' (known: auto, serial, cpu, cuda)");
  std::string why_not;
  if (const EngineFactory* factory = cuda_factory(why_not)) return factory->make(p, request);
  if (request.backend == "auto") return make_cpu_engine(p, request);
  throw MachineFailure("the cuda backend cannot be used here (" + why_not + "); use --cpu");
}

}  // namespace umov::fdtd
