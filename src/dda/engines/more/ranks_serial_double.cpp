// The dipole engine of a rank's slab on the serial backend in double.
#include "backend/serial/serial.hpp"
#include "dda/ranks/engine_of.hpp"
#include "dda/ranks/slab_engines.hpp"

namespace umov::dda {

using backend::Serial;

std::unique_ptr<Engine> make_serial_slab_engine(double, const EngineRequest& request) {
  return make_slab_engine<Serial, double, SimpleProduct>(request);
}

}  // namespace umov::dda
