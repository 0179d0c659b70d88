// Choosing the engine at run time: backend by name or the fastest one usable here; the list of solvers.
#include "backend/module.hpp"
#include "core/error.hpp"
#include "dda/engine_factory.hpp"
#include "linalg/krylov/solvers.hpp"

namespace umov::dda {

std::unique_ptr<Engine> make_engine(const EngineRequest& request) {
  if (request.backend == "serial") return make_serial_engine(request);
  if (request.backend == "cpu") return make_cpu_engine(request);
  if (request.backend != "cuda" && request.backend != "auto")
    throw BadInput("unknown backend '" + request.backend + "' (known: auto, serial, cpu, cuda)");
  const bool automatic = request.backend == "auto";
  if (request.precision == Precision::long_double) {
    if (automatic) return make_cpu_engine(request);
    throw BadInput(
        "long double is not offered on the cuda backend (GPUs have no such type); use double, or --cpu");
  }
  std::string why_not;
  const auto* factory = static_cast<const EngineFactory*>(backend::cuda_factory("dda", why_not));
  if (factory) return factory->make(request);
  if (automatic) return make_cpu_engine(request);
  throw MachineFailure("the cuda backend cannot be used here (" + why_not + "); use --cpu");
}

const std::vector<SolverHelp>& solver_list() {
  static const std::vector<SolverHelp> list = [] {
    std::vector<SolverHelp> found;
    krylov::for_each_solver([&](auto tag, const char* text) {
      found.push_back({krylov::name_of(tag), text});
    });
    return found;
  }();
  return list;
}

}  // namespace umov::dda
