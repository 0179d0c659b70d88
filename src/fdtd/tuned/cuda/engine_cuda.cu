// The time-stepping engine on a GPU, in both precisions, real and complex.
#include "backend/cuda/cuda.hpp"
#include "fdtd/engine_factory.hpp"
#include "fdtd/engine_on.hpp"
#include "fdtd/simple_stepper.hpp"
#include "fdtd/tuned/cuda/cuda_stepper.hpp"

namespace umov::fdtd {
namespace {

static_assert(BordersFirst<CudaStepper<backend::Cuda, float, float>, backend::Cuda, float, float>);

template <class T, class F>
std::unique_ptr<Engine> make_on(const Problem& p, const EngineRequest& request,
                                const backend::Cuda::Options& options) {
  if constexpr (std::is_same_v<T, F>)
    if (request.tuned && CudaStepper<backend::Cuda, T, F>::fits(p))
      return std::make_unique<EngineOn<backend::Cuda, T, F, CudaStepper>>(p, options);
  return std::make_unique<EngineOn<backend::Cuda, T, F, SimpleStepper>>(p, options);
}

/// Selects the GPU. Throws BadInput for a device that is not there.
backend::Cuda::Options select(const EngineRequest& request) {
  int count = 0;
  UMOV_CUDA_CHECK(cudaGetDeviceCount(&count));
  backend::Cuda::Options options;
  options.device = request.device < 0 ? 0 : request.device;
  if (options.device >= count)
    throw BadInput("`machine.device = " + std::to_string(request.device) + "`: there are " +
                   std::to_string(count) + " GPUs here, numbered from 0; see `umov devices`");
  UMOV_CUDA_CHECK(cudaSetDevice(options.device));
  return options;
}

std::unique_ptr<Engine> make(const Problem& p, const EngineRequest& request) {
  const backend::Cuda::Options options = select(request);
  return with_numbers(p, [&]<class T, class F>(Numbers<T, F>) { return make_on<T, F>(p, request, options); });
}

int pass_steps(const Problem& p, const EngineRequest& request) {
  select(request);
  return request.tuned ? CudaStepper<backend::Cuda, float, float>::steps_of_pass(p) : 1;
}

}  // namespace

const void* cuda_engine_factory() {
  static const EngineFactory factory{{make}, pass_steps};
  return &factory;
}

}  // namespace umov::fdtd
