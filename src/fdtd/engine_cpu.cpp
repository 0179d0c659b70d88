// The time-stepping engine on the processor's cores, in both precisions, real and complex.
#include "backend/cpu/cpu.hpp"
#include "fdtd/engine_factory.hpp"
#include "fdtd/engine_on.hpp"
#include "fdtd/simple_stepper.hpp"
#include "fdtd/tuned/cpu/fused_stepper.hpp"

namespace umov::fdtd {

std::unique_ptr<Engine> make_cpu_engine(const Problem& p, const EngineRequest& request) {
  return with_numbers(p, [&]<class T, class F>(Numbers<T, F>) -> std::unique_ptr<Engine> {
    if constexpr (std::is_same_v<T, F>)
      if (request.tuned && FusedStepper<backend::Cpu, T, F>::fits(p))
        return std::make_unique<EngineOn<backend::Cpu, T, F, FusedStepper>>(p, request.threads);
    return std::make_unique<EngineOn<backend::Cpu, T, F, SimpleStepper>>(p, request.threads);
  });
}

}  // namespace umov::fdtd
