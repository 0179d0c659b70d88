// The dipole engine on the serial referee, in all precisions.
#include "core/error.hpp"
#include "dda/engine_factory.hpp"

namespace umov::dda {

std::unique_ptr<Engine> make_serial_engine_single();
std::unique_ptr<Engine> make_serial_engine_double();
std::unique_ptr<Engine> make_serial_engine_extended();

std::unique_ptr<Engine> make_serial_engine(const EngineRequest& request) {
  switch (request.precision) {
    case Precision::single:
      return make_serial_engine_single();
    case Precision::double_:
      return make_serial_engine_double();
    case Precision::long_double:
      return make_serial_engine_extended();
  }
  throw BadInput("unknown precision");
}

}  // namespace umov::dda
