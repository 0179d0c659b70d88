// The serial dipole engine in one precision, each compiled on its own.
#pragma once

#include "backend/serial/serial.hpp"
#include "dda/engines/engine_on.hpp"
#include "dda/mirror/convolution.hpp"
#include "dda/solver/refined_solver.hpp"

namespace umov::dda {

/// The twin in float of a double engine; compiled with the single one.
std::unique_ptr<InnerSolver<backend::Serial>> make_serial_inner(backend::Serial&);

template <class T>
std::unique_ptr<Engine> make_serial_engine_of(const EngineRequest&) {
  InnerMaker<backend::Serial> inner = nullptr;
  if constexpr (std::is_same_v<T, double>) inner = make_serial_inner;
  return std::make_unique<EngineOn<backend::Serial, T, SimpleProduct>>(inner);
}

}  // namespace umov::dda
