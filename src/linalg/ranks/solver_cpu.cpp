// A rank's part of the linear solver on the cpu backend.
#include "backend/cpu/cpu.hpp"
#include "linalg/ranks/rows_of_rank.hpp"

namespace umov::amg {

std::unique_ptr<LinearSolver> make_rank_cpu_solver(const SolveRequest& request) {
  return ranks::make_rank_solver_on<backend::Cpu>(request, request.threads);
}

}  // namespace umov::amg
