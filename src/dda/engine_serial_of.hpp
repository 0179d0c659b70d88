// The serial dipole engine in one precision, each compiled on its own.
#pragma once

#include "backend/serial/serial.hpp"
#include "dda/convolution.hpp"
#include "dda/engine_on.hpp"

namespace umov::dda {

template <class T>
std::unique_ptr<Engine> make_serial_engine_of(const EngineRequest&) {
  return std::make_unique<EngineOn<backend::Serial, T, Convolution>>();
}

}  // namespace umov::dda
