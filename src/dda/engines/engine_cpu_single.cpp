// The dipole engine on the processor's cores in float.
#include "dda/engines/engine_cpu_of.hpp"

namespace umov::dda {

template std::unique_ptr<Engine> make_cpu_engine_of<float>(const EngineRequest&);

template <template <class, class> class ConvolutionOf>
std::unique_ptr<InnerSolver<backend::Cpu>> make_cpu_inner(backend::Cpu& cpu) {
  return std::make_unique<RefinedSolver<backend::Cpu, ConvolutionOf<backend::Cpu, float>>>(cpu);
}
template std::unique_ptr<InnerSolver<backend::Cpu>> make_cpu_inner<SimpleProduct>(backend::Cpu&);
template std::unique_ptr<InnerSolver<backend::Cpu>> make_cpu_inner<CpuConvolution>(backend::Cpu&);

}  // namespace umov::dda
