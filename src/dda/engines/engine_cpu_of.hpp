// The dipole engine on the processor's cores in one precision, each compiled on its own.
#pragma once

#include "backend/cpu/cpu.hpp"
#include "dda/engines/engine_on.hpp"
#include "dda/mirror/convolution.hpp"
#include "dda/solver/refined_solver.hpp"
#include "dda/tuned/cpu/product.hpp"

namespace umov::dda {

/// The twin in float of a double engine; compiled with the single one.
template <template <class, class> class ConvolutionOf>
std::unique_ptr<InnerSolver<backend::Cpu>> make_cpu_inner(backend::Cpu&);

template <class T>
std::unique_ptr<Engine> make_cpu_engine_of(const EngineRequest& request) {
  using backend::Cpu;
  const auto make = [&]<template <class, class> class ConvolutionOf>() -> std::unique_ptr<Engine> {
    InnerMaker<Cpu> inner = nullptr;
    if constexpr (std::is_same_v<T, double>) inner = make_cpu_inner<ConvolutionOf>;
    return std::make_unique<EngineOn<Cpu, T, ConvolutionOf>>(inner, request.threads);
  };
  return request.simple_kernels ? make.template operator()<SimpleProduct>()
                                : make.template operator()<CpuConvolution>();
}

}  // namespace umov::dda
