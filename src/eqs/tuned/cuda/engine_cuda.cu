// The electroquasistatic engine on a GPU.
#include "backend/cuda/cuda.hpp"
#include "eqs/engines/engine_factory.hpp"
#include "eqs/engines/engine_on.hpp"
#include "eqs/tuned/cuda/fast_elements.hpp"
#include "linalg/tuned/cuda/twins.hpp"

namespace umov::eqs {

std::unique_ptr<Engine> make_ranked_cuda_engine(const Problem&, const EngineRequest&);

namespace {

std::unique_ptr<Engine> make(const Problem& p, const EngineRequest& request) {
  if (request.ranks) return make_ranked_cuda_engine(p, request);
  return std::make_unique<EngineOn<backend::Cuda>>(p, backend::Cuda::pooled_on(request.device));
}

}  // namespace

const void* cuda_engine_factory() {
  static const EngineFactory factory{make};
  return &factory;
}

}  // namespace umov::eqs
