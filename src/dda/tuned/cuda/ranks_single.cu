// The dipole engine of a rank's slab on a GPU in single precision.
#include "dda/ranks/engine_of.hpp"
#include "dda/tuned/cuda/engine_cuda.hpp"
#include "dda/tuned/cuda/rank_product.hpp"

namespace umov::dda {

using backend::Cuda;

std::unique_ptr<Engine> make_cuda_slab_engine(float, const EngineRequest& request,
                                              const Cuda::Options& options) {
  return make_slab_engine<Cuda, float, CudaRankProduct>(request, options);
}

template <class Dev>
std::unique_ptr<InnerSolver<comm::OnRanks<Dev>>> make_rank_inner(comm::OnRanks<Dev>& device) {
  using Ranked = comm::OnRanks<Dev>;
  return std::make_unique<RefinedSolver<Ranked, CudaRankProduct<Ranked, float>>>(device);
}
template std::unique_ptr<InnerSolver<comm::OnRanks<Cuda>>> make_rank_inner<Cuda>(comm::OnRanks<Cuda>&);

}  // namespace umov::dda
