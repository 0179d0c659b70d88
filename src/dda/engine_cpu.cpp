// The dipole engine on the processor's cores, in all precisions.
#include "backend/cpu/cpu.hpp"
#include "dda/convolution.hpp"
#include "dda/engine_factory.hpp"
#include "dda/engine_on.hpp"
#include "dda/tuned/cpu/product.hpp"

namespace umov::dda {

namespace {

template <class T>
std::unique_ptr<Engine> make(const EngineRequest& request) {
  using backend::Cpu;
  if (request.simple_kernels) return std::make_unique<EngineOn<Cpu, T, Convolution>>(request.threads);
  return std::make_unique<EngineOn<Cpu, T, CpuConvolution>>(request.threads);
}

}  // namespace

std::unique_ptr<Engine> make_cpu_engine(const EngineRequest& request) {
  switch (request.precision) {
    case Precision::single:
      return make<float>(request);
    case Precision::double_:
      return make<double>(request);
    case Precision::long_double:
      return make<long double>(request);
  }
  throw BadInput("unknown precision");
}

}  // namespace umov::dda
