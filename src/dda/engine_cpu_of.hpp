// The dipole engine on the processor's cores in one precision, each compiled on its own.
#pragma once

#include "backend/cpu/cpu.hpp"
#include "dda/convolution.hpp"
#include "dda/engine_on.hpp"
#include "dda/tuned/cpu/product.hpp"

namespace umov::dda {

template <class T>
std::unique_ptr<Engine> make_cpu_engine_of(const EngineRequest& request) {
  using backend::Cpu;
  if (request.simple_kernels) return std::make_unique<EngineOn<Cpu, T, Convolution>>(request.threads);
  return std::make_unique<EngineOn<Cpu, T, CpuConvolution>>(request.threads);
}

}  // namespace umov::dda
