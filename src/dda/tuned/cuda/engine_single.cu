// The dipole engine on a GPU in single precision.
#include "dda/engines/engine_on.hpp"
#include "dda/solver/refined_solver.hpp"
#include "dda/tuned/cuda/engine_cuda.hpp"
#include "dda/tuned/cuda/product.hpp"

namespace umov::dda {

std::unique_ptr<Engine> make_cuda_engine_single(const backend::Cuda::Options& options) {
  return std::make_unique<EngineOn<backend::Cuda, float, CudaProduct>>(nullptr, options);
}

std::unique_ptr<InnerSolver<backend::Cuda>> make_cuda_inner(backend::Cuda& cuda) {
  return std::make_unique<RefinedSolver<backend::Cuda, CudaProduct<backend::Cuda, float>>>(cuda);
}

}  // namespace umov::dda
