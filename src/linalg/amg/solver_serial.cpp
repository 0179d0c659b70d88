// The linear solver on the serial backend.
#include "backend/serial/serial.hpp"
#include "linalg/amg/solver_on.hpp"

namespace umov::amg {

std::unique_ptr<LinearSolver> make_serial_solver(const SolveRequest& request) {
  return make_solver_on<backend::Serial>(request, [] { return std::make_unique<backend::Serial>(); });
}

}  // namespace umov::amg
