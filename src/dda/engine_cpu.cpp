// The dipole engine on the processor's cores, in all precisions.
#include "backend/cpu/cpu.hpp"
#include "dda/convolution.hpp"
#include "dda/engine_factory.hpp"
#include "dda/engine_on.hpp"

namespace umov::dda {

std::unique_ptr<Engine> make_cpu_engine(const EngineRequest& request) {
  using backend::Cpu;
  const int threads = request.threads;
  switch (request.precision) {
    case Precision::single:
      return std::make_unique<EngineOn<Cpu, float, Convolution>>(threads);
    case Precision::double_:
      return std::make_unique<EngineOn<Cpu, double, Convolution>>(threads);
    case Precision::long_double:
      return std::make_unique<EngineOn<Cpu, long double, Convolution>>(threads);
  }
  throw BadInput("unknown precision");
}

}  // namespace umov::dda
