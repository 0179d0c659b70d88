// Choosing the backend of a linear solver.
#include "linalg/amg/solver.hpp"

#include "backend/choose_engine.hpp"
#include "linalg/ranks/solver_team.hpp"

namespace umov::amg {

std::unique_ptr<LinearSolver> make_linear_solver(const SolveRequest& request) {
  if (request.team) return request.team->make(request);
  return backend::choose_engine<LinearSolver>("solve", request.backend, make_serial_solver, make_cpu_solver,
                                              request);
}

std::unique_ptr<LinearSolver> make_rank_solver(const SolveRequest& request) {
  return backend::choose_engine<LinearSolver>("solve", request.backend == "auto" ? "cpu" : request.backend,
                                              make_rank_serial_solver, make_rank_cpu_solver, request);
}

}  // namespace umov::amg
