// The time-stepping engine on the serial referee, in both precisions, real and complex.
#include "backend/serial/serial.hpp"
#include "fdtd/engine_factory.hpp"
#include "fdtd/engine_on.hpp"
#include "fdtd/simple_stepper.hpp"

namespace umov::fdtd {

std::unique_ptr<Engine> make_serial_engine(const Problem& p, const EngineRequest&) {
  return with_numbers(p, [&]<class T, class F>(Numbers<T, F>) -> std::unique_ptr<Engine> {
    return std::make_unique<EngineOn<backend::Serial, T, F, SimpleStepper>>(p);
  });
}

}  // namespace umov::fdtd
