// The engine of time-harmonic cells on a GPU.
#include "backend/cuda/cuda.hpp"
#include "harmonic/engine_factory.hpp"
#include "harmonic/tuned/cuda/twins.hpp"
// after the twins
#include "harmonic/engine_on.hpp"

namespace umov::harmonic {
namespace {

std::string gigabytes(double bytes) {
  const double tenths = std::round(bytes / 1e8);
  return std::to_string(long(tenths) / 10) + "." + std::to_string(long(tenths) % 10) + " GB";
}

/// Refuses a cell that the GPU cannot hold, before anything is begun.
void require_device_memory(const Problem& p, EngineRequest& request) {
  request.backend = "cuda";
  std::size_t free = 0, total = 0;
  UMOV_CUDA_CHECK(cudaMemGetInfo(&free, &total));
  request.room = double(free) / std::max(1, request.sharing);
  const double needed = estimated_memory(p, request).device;
  if (needed <= double(free)) return;
  throw MachineFailure(
      "this cell needs about " + gigabytes(needed) + " of memory on the GPU (" + gigabytes(double(free)) +
      " of " + gigabytes(double(total)) +
      " are free); use larger cells, a shorter period, smaller tiles, `machine.precision = 'float'`, "
      "`harmonic.solver = 'idr'`, or `machine.backend = 'cpu'`");
}

std::unique_ptr<Engine> make(const Problem& p, const EngineRequest& wanted) {
  EngineRequest request = wanted;
  const auto options = backend::Cuda::pooled_on(request.device);
  UMOV_CUDA_CHECK(cudaSetDevice(options.device));
  require_device_memory(p, request);
  return std::make_unique<EngineOn<backend::Cuda>>(p, request, options);
}

}  // namespace

const void* cuda_engine_factory() {
  static const EngineFactory factory{make};
  return &factory;
}

}  // namespace umov::harmonic
