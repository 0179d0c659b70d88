// The dipole engine on the serial referee, in all precisions.
#include "backend/serial/serial.hpp"
#include "dda/convolution.hpp"
#include "dda/engine_factory.hpp"
#include "dda/engine_on.hpp"

namespace umov::dda {

std::unique_ptr<Engine> make_serial_engine(const EngineRequest& request) {
  using backend::Serial;
  switch (request.precision) {
    case Precision::single:
      return std::make_unique<EngineOn<Serial, float, Convolution>>();
    case Precision::double_:
      return std::make_unique<EngineOn<Serial, double, Convolution>>();
    case Precision::long_double:
      return std::make_unique<EngineOn<Serial, long double, Convolution>>();
  }
  throw BadInput("unknown precision");
}

}  // namespace umov::dda
