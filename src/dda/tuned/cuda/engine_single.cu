// The dipole engine on a GPU in single precision.
#include "dda/engine_on.hpp"
#include "dda/tuned/cuda/engine_cuda.hpp"
#include "dda/tuned/cuda/product.hpp"

namespace umov::dda {

std::unique_ptr<Engine> make_cuda_engine_single(const backend::Cuda::Options& options) {
  return std::make_unique<EngineOn<backend::Cuda, float, CudaProduct>>(options);
}

}  // namespace umov::dda
