// The dipole engine on the serial referee, in all precisions: each is compiled on its own
// (engine_serial_of.hpp).
#include "dda/engines/engine_factory.hpp"

namespace umov::dda {

template <class T>
std::unique_ptr<Engine> make_serial_engine_of(const EngineRequest&);

std::unique_ptr<Engine> make_serial_engine(const EngineRequest& request) {
  return with_real(request.precision, [&]<class T>(T) { return make_serial_engine_of<T>(request); });
}

}  // namespace umov::dda
