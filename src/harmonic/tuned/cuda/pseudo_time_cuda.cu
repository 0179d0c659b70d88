// The iteration in pseudo-time on a GPU.
#include <string>

#include "backend/cuda/cuda.hpp"
#include "core/text.hpp"
#include "harmonic/pseudo_time_factory.hpp"
#include "harmonic/tuned/cuda/pseudo_time_columns.cuh"
// after the pass
#include "harmonic/pseudo_time_on.hpp"

namespace umov::harmonic {
namespace {

/// Refuses a cell that the GPU cannot hold, before anything is begun.
void require_device_memory(const Problem& p, PseudoTimeRequest request,
                           const backend::Cuda::Options& options) {
  request.backend = "cuda";
  request.tuned = false;  // without room for a second copy of the fields, steps are taken without
  const double needed = pseudo_time_memory(p, request).device;
  std::size_t free = 0, total = 0;
  UMOV_CUDA_CHECK(cudaMemGetInfo(&free, &total));
  const double there = double(free) + double(backend::Cuda(options).pool_idle());
  if (needed <= there) return;
  throw MachineFailure("this cell needs about " + format_bytes(needed) +
                       " of memory on the GPU for the iteration in pseudo-time (" + format_bytes(there) +
                       " of " + format_bytes(double(total)) +
                       " are free); use larger cells, a shorter period, `machine.precision = 'float'`, or "
                       "`machine.backend = 'cpu'`");
}

std::unique_ptr<PseudoTime> make(const Problem& p, const PseudoTimeRequest& request) {
  const auto options = backend::Cuda::pooled_on(request.device);
  UMOV_CUDA_CHECK(cudaSetDevice(options.device));
  require_device_memory(p, request, options);
  return make_pseudo_time_on<backend::Cuda>(p, request, options);
}

}  // namespace

const void* cuda_pseudo_time_factory() {
  static const PseudoTimeFactory factory{make};
  return &factory;
}

}  // namespace umov::harmonic
