// The dipole engine on the serial referee in float.
#include "dda/engine_serial_of.hpp"

namespace umov::dda {

std::unique_ptr<Engine> make_serial_engine_single() { return make_serial_engine_of<float>(); }

}  // namespace umov::dda
