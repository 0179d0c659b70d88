// The linear solver on a GPU.
#include "backend/cuda/cuda.hpp"
#include "linalg/amg/solver_on.hpp"
#include "linalg/tuned/cuda/twins.hpp"

namespace umov::amg {

std::unique_ptr<LinearSolver> make_rank_cuda_solver(const SolveRequest&);

namespace {

std::unique_ptr<LinearSolver> make(const SolveRequest& request) {
  if (request.place.comm) return make_rank_cuda_solver(request);
  return make_solver_on<backend::Cuda>(
      request, [&] { return std::make_unique<backend::Cuda>(backend::Cuda::pooled_on(request.device)); });
}

}  // namespace

const void* cuda_solver_factory() {
  static const SolverFactory factory{make};
  return &factory;
}

}  // namespace umov::amg
