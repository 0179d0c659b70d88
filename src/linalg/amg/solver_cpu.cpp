// The linear solver on the cpu backend.
#include "backend/cpu/cpu.hpp"
#include "linalg/amg/solver_on.hpp"

namespace umov::amg {

std::unique_ptr<LinearSolver> make_cpu_solver(const SolveRequest& request) {
  return make_solver_on<backend::Cpu>(request,
                                      [&] { return std::make_unique<backend::Cpu>(request.threads); });
}

}  // namespace umov::amg
