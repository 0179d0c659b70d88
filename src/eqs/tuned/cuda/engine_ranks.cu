// The engine of one of several ranks on a GPU of its own: matrices by the simple kernels, elements by the
// tuned.
#include "backend/cuda/cuda.hpp"
#include "comm/ranked_device.hpp"
#include "eqs/engines/engine_factory.hpp"
#include "eqs/engines/engine_on.hpp"
#include "eqs/tuned/cuda/fast_elements.hpp"
#include "eqs/tuned/ranked_elements.hpp"
#include "linalg/tuned/cuda/twins.hpp"

namespace umov::eqs {

std::unique_ptr<Engine> make_ranked_cuda_engine(const Problem& p, const EngineRequest& request) {
  return std::make_unique<EngineOn<comm::RankedDevice<backend::Cuda>>>(
      p, *request.ranks, backend::Cuda::pooled_on(request.device));
}

}  // namespace umov::eqs
