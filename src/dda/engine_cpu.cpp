// The dipole engine on the processor's cores, in all precisions.
#include "backend/cpu/cpu.hpp"
#include "dda/convolution.hpp"
#include "dda/engine_factory.hpp"
#include "dda/engine_on.hpp"
#include "dda/tuned/cpu/product.hpp"

namespace umov::dda {

std::unique_ptr<Engine> make_cpu_engine(const EngineRequest& request) {
  using backend::Cpu;
  return with_real(request.precision, [&]<class T>(T) -> std::unique_ptr<Engine> {
    if (request.simple_kernels) return std::make_unique<EngineOn<Cpu, T, Convolution>>(request.threads);
    return std::make_unique<EngineOn<Cpu, T, CpuConvolution>>(request.threads);
  });
}

}  // namespace umov::dda
