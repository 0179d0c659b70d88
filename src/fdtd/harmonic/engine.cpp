// Choosing the engine at run time: backend by name.
#include "fdtd/harmonic/engine.hpp"

#include "backend/cpu/cpu.hpp"
#include "backend/serial/serial.hpp"
#include "core/error.hpp"
#include "fdtd/harmonic/engine_on.hpp"

namespace umov::fdtd::harmonic {

std::unique_ptr<Engine> make_serial_engine(const Problem& p) {
  return std::make_unique<EngineOn<backend::Serial, double>>(p);
}

std::unique_ptr<Engine> make_cpu_engine(const Problem& p, int threads) {
  return std::make_unique<EngineOn<backend::Cpu, double>>(p, threads);
}

std::unique_ptr<Engine> make_engine(const Problem& p, const EngineRequest& request) {
  if (request.backend == "serial") return make_serial_engine(p);
  if (request.backend == "cpu" || request.backend == "auto") return make_cpu_engine(p, request.threads);
  if (request.backend == "cuda")
    throw MachineFailure("time-harmonic cells have no cuda backend yet (serial and cpu have); use --cpu");
  throw BadInput("unknown backend '" + request.backend + "' (known: auto, serial, cpu, cuda)");
}

double estimated_bytes(const Problem& p) {
  const double complex = sizeof(cplx), columns = double(p.grid.columns()),
               rough = 3.0 * p.rough_planes() * columns;
  // fields twice, pivots and Q of the whole cell
  double numbers = 9 * columns * p.grid.nz;
  // contrast, permittivity, pivots and Krylov vectors of the rough planes
  if (p.rough_planes() > 0) numbers += rough * (17 + 8);
  // bands of potentials of tiles, 3 times their 36 (16) columns wide, of which 16 (8) are their own
  if (p.metal_is_rough) numbers += rough / 3 * (p.grid.ny > 1 ? 36.0 / 16 * 109 : 2.0 * 49) + 6 * rough;
  return complex * numbers;
}

}  // namespace umov::fdtd::harmonic
