// Choosing the engine at run time: backend by name.
#include "fdtd/harmonic/pmaxwell/engine.hpp"

#include "backend/cpu/cpu.hpp"
#include "backend/serial/serial.hpp"
#include "core/error.hpp"
#include "fdtd/harmonic/pmaxwell/engine_on.hpp"

namespace umov::fdtd::harmonic::pmaxwell {

std::unique_ptr<Engine> make_engine(System&& system, const std::string& backend, int threads) {
  if (backend == "serial") return std::make_unique<EngineOn<backend::Serial>>(std::move(system));
  if (backend == "cpu" || backend == "auto")
    return std::make_unique<EngineOn<backend::Cpu>>(std::move(system), threads);
  if (backend == "cuda")
    throw MachineFailure("pmaxwell has no cuda backend yet (serial and cpu have); use --backend cpu");
  throw BadInput("unknown backend '" + backend + "' (known: auto, serial, cpu, cuda)");
}

double engine_bytes(const Int3& cells) {
  return array_bytes(cells) + 2.0 * 3 * sizeof(Value) * double(cells[0]) * cells[1] * cells[2];
}

}  // namespace umov::fdtd::harmonic::pmaxwell
