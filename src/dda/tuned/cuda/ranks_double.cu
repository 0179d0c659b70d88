// The dipole engine of a rank's slab on a GPU in double precision.
#include "dda/ranks/engine_of.hpp"
#include "dda/tuned/cuda/engine_cuda.hpp"
#include "dda/tuned/cuda/rank_product.hpp"

namespace umov::dda {

std::unique_ptr<Engine> make_cuda_slab_engine(double, const EngineRequest& request,
                                              const backend::Cuda::Options& options) {
  return make_slab_engine<backend::Cuda, double, CudaRankProduct>(request, options);
}

}  // namespace umov::dda
