// The dipole engine on the serial referee in double.
#include "dda/engines/engine_serial_of.hpp"

namespace umov::dda {

template std::unique_ptr<Engine> make_serial_engine_of<double>(const EngineRequest&);

}  // namespace umov::dda
