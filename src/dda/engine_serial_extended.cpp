// The dipole engine on the serial referee in long double.
#include "dda/engine_serial_of.hpp"

namespace umov::dda {

std::unique_ptr<Engine> make_serial_engine_extended() { return make_serial_engine_of<long double>(); }

}  // namespace umov::dda
