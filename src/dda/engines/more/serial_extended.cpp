// The dipole engine on the serial referee in long double.
#include "dda/engines/engine_serial_of.hpp"

namespace umov::dda {

template std::unique_ptr<Engine> make_serial_engine_of<long double>(const EngineRequest&);

}  // namespace umov::dda
