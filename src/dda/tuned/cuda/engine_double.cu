// The dipole engine on a GPU in double precision.
#include "dda/engines/engine_on.hpp"
#include "dda/tuned/cuda/engine_cuda.hpp"
#include "dda/tuned/cuda/product.hpp"

namespace umov::dda {

std::unique_ptr<Engine> make_cuda_engine_double(const backend::Cuda::Options& options) {
  return std::make_unique<EngineOn<backend::Cuda, double, CudaProduct>>(make_cuda_inner, options);
}

}  // namespace umov::dda
