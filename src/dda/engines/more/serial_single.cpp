// The dipole engine on the serial referee in float.
#include "dda/engines/engine_serial_of.hpp"

namespace umov::dda {

template std::unique_ptr<Engine> make_serial_engine_of<float>(const EngineRequest&);

std::unique_ptr<InnerSolver<backend::Serial>> make_serial_inner(backend::Serial& serial) {
  return std::make_unique<RefinedSolver<backend::Serial, SimpleProduct<backend::Serial, float>>>(serial);
}

}  // namespace umov::dda
