// The electroquasistatic engine on a GPU.
#include "backend/cuda/cuda.hpp"
#include "linalg/tuned/cuda/twins.hpp"

#include "eqs/engine_factory.hpp"
#include "eqs/engine_on.hpp"

namespace umov::eqs {
namespace {

/// Throws BadInput for a device that is not there.
std::unique_ptr<Engine> make(const Problem& p, const EngineRequest& request) {
  int count = 0;
  UMOV_CUDA_CHECK(cudaGetDeviceCount(&count));
  backend::Cuda::Options options;
  options.device = request.device < 0 ? 0 : request.device;
  options.pooled = true;
  if (options.device >= count)
    throw BadInput("--device " + std::to_string(request.device) + ": there are " + std::to_string(count) +
                   " GPUs here, numbered from 0; see `umov devices`");
  UMOV_CUDA_CHECK(cudaSetDevice(options.device));
  return std::make_unique<EngineOn<backend::Cuda>>(p, options);
}

}  // namespace

const void* cuda_engine_factory() {
  static const EngineFactory factory{make};
  return &factory;
}

}  // namespace umov::eqs
