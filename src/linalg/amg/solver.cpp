// Choosing the backend of a linear solver.
#include "linalg/amg/solver.hpp"

#include "backend/choose_engine.hpp"

namespace umov::amg {

std::unique_ptr<LinearSolver> make_linear_solver(const SolveRequest& request) {
  return backend::choose_engine<LinearSolver>("solve", request.backend, make_serial_solver, make_cpu_solver,
                                              request);
}

}  // namespace umov::amg
