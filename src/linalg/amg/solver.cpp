// Choosing the backend of a linear solver.
#include "linalg/amg/solver.hpp"

#include "backend/module.hpp"
#include "core/error.hpp"

namespace umov::amg {

std::unique_ptr<LinearSolver> make_linear_solver(const SolveRequest& request) {
  if (request.backend == "serial") return make_serial_solver(request);
  if (request.backend == "cpu") return make_cpu_solver(request);
  if (request.backend != "cuda" && request.backend != "auto")
    throw BadInput("unknown backend '" + request.backend + "' (known: auto, serial, cpu, cuda)");
  std::string why_not;
  if (const auto* factory = static_cast<const SolverFactory*>(backend::cuda_factory("solve", why_not)))
    return factory->make(request);
  if (request.backend == "auto") return make_cpu_solver(request);
  throw MachineFailure("the cuda backend cannot be used here (" + why_not + "); use --cpu");
}

}  // namespace umov::amg
