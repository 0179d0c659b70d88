// A rank's part of the linear solver on a GPU of its own.
#include "backend/cuda/cuda.hpp"
#include "linalg/ranks/rows_of_rank.hpp"
#include "linalg/tuned/cuda/twins.hpp"

namespace umov::amg {

std::unique_ptr<LinearSolver> make_rank_cuda_solver(const SolveRequest& request) {
  return ranks::make_rank_solver_on<backend::Cuda>(request, backend::Cuda::pooled_on(request.device));
}

}  // namespace umov::amg
