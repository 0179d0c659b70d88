// The dipole engine on the serial referee, in all precisions.
#include "backend/serial/serial.hpp"
#include "dda/convolution.hpp"
#include "dda/engine_factory.hpp"
#include "dda/engine_on.hpp"

namespace umov::dda {

std::unique_ptr<Engine> make_serial_engine(const EngineRequest& request) {
  return with_real(request.precision, []<class T>(T) -> std::unique_ptr<Engine> {
    return std::make_unique<EngineOn<backend::Serial, T, Convolution>>();
  });
}

}  // namespace umov::dda
