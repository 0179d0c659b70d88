// The split iteration of `umov pmaxwell` on a GPU.
#include <memory>
#include <string>
#include <utility>

#include "backend/cuda/cuda.hpp"
#include "core/text.hpp"
#include "pmaxwell/engine_factory.hpp"
#include "pmaxwell/engine_on.hpp"

namespace umov::pmaxwell {
namespace {

std::unique_ptr<Engine> make(const Handover& from, const EngineRequest& request) {
  auto options = backend::Cuda::pooled_on(request.device);
  options.pooled = false;  // one system, once
  UMOV_CUDA_CHECK(cudaSetDevice(options.device));
  const double needed = engine_bytes(from.system->cells);
  std::size_t free = 0, total = 0;
  UMOV_CUDA_CHECK(cudaMemGetInfo(&free, &total));
  if (needed > double(free))
    throw MachineFailure("this directory needs " + format_bytes(needed) + " of memory on the GPU (" +
                         format_bytes(double(free)) + " of " + format_bytes(double(total)) +
                         " are free); take a smaller grid, or `machine.backend = 'cpu'`");
  return std::make_unique<EngineOn<backend::Cuda>>(std::move(*from.system), request.copies, options);
}

}  // namespace

const void* cuda_engine_factory() {
  static const EngineFactory factory{make};
  return &factory;
}

}  // namespace umov::pmaxwell
