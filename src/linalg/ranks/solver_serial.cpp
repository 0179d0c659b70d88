// A rank's part of the linear solver on the serial backend.
#include "backend/serial/serial.hpp"
#include "linalg/ranks/rows_of_rank.hpp"

namespace umov::amg {

std::unique_ptr<LinearSolver> make_rank_serial_solver(const SolveRequest& request) {
  return ranks::make_rank_solver_on<backend::Serial>(request);
}

}  // namespace umov::amg
