// Choosing the engine at run time: backend by name, or the fastest one usable here.
#include "harmonic/engine.hpp"

#include "backend/cpu/cpu.hpp"
#include "backend/serial/serial.hpp"
#include "harmonic/engine_factory.hpp"
#include "harmonic/engine_on.hpp"

namespace umov::harmonic {

std::unique_ptr<Engine> make_serial_engine(const Problem& p, const EngineRequest& request) {
  return std::make_unique<EngineOn<backend::Serial>>(p, request);
}

std::unique_ptr<Engine> make_cpu_engine(const Problem& p, const EngineRequest& request) {
  return std::make_unique<EngineOn<backend::Cpu>>(p, request, request.threads);
}

std::unique_ptr<Engine> make_engine(const Problem& p, const EngineRequest& request) {
  return backend::choose_engine<Engine>("harmonic", request.backend, make_serial_engine, make_cpu_engine, p,
                                        request);
}

std::string resolved_backend(const std::string& name) {
  std::string why_not;
  if (name != "auto") return name;
  return backend::cuda_factory("harmonic", why_not) ? "cuda" : "cpu";
}

}  // namespace umov::harmonic
