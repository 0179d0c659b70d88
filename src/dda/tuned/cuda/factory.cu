// The cuda module's engines of the family dda.
#include "dda/engines/engine_factory.hpp"
#include "dda/tuned/cuda/engine_cuda.hpp"

namespace umov::dda {
namespace {

/// Throws BadInput for a device that is not there or a precision GPUs do not have.
std::unique_ptr<Engine> make(const EngineRequest& request) {
  backend::Cuda::Options options;
  int count = 0;
  UMOV_CUDA_CHECK(cudaGetDeviceCount(&count));
  options.device = request.device < 0 ? 0 : request.device;
  if (options.device >= count)
    throw BadInput("`machine.device = " + std::to_string(request.device) + "`: there are " +
                   std::to_string(count) + " GPUs here, numbered from 0; see `umov devices`");
  options.blocking_sync = request.blocking_sync;
  options.simple_kernels = request.simple_kernels;
  switch (request.precision) {
    case Precision::single:
      return request.ranks ? make_cuda_slab_engine(0.0F, request, options) : make_cuda_engine_single(options);
    case Precision::double_:
      return request.ranks ? make_cuda_slab_engine(0.0, request, options) : make_cuda_engine_double(options);
    case Precision::long_double:
      break;
  }
  throw BadInput(
      "long double is not offered on the cuda backend (GPUs have no such type); use double, or "
      "`machine.backend = 'cpu'`");
}

}  // namespace

const void* cuda_engine_factory() {
  static const EngineFactory factory{make};
  return &factory;
}

}  // namespace umov::dda
