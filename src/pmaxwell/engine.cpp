// Choosing the engine at run time: backend by name.
#include "pmaxwell/engine.hpp"

#include <utility>

#include "backend/cpu/cpu.hpp"
#include "backend/serial/serial.hpp"
#include "pmaxwell/engine_factory.hpp"
#include "pmaxwell/engine_on.hpp"

namespace umov::pmaxwell {

namespace {

std::unique_ptr<Engine> make_serial(const Handover& from, const EngineRequest& request) {
  return std::make_unique<EngineOn<backend::Serial>>(std::move(*from.system), request.copies);
}

std::unique_ptr<Engine> make_cpu(const Handover& from, const EngineRequest& request) {
  return std::make_unique<EngineOn<backend::Cpu>>(std::move(*from.system), request.copies, request.threads);
}

}  // namespace

std::unique_ptr<Engine> make_engine(System&& system, const EngineRequest& request) {
  return backend::choose_engine<Engine>("pmaxwell", request.backend, make_serial, make_cpu, Handover{&system},
                                        request);
}

std::string resolved_backend(const std::string& name) {
  std::string why_not;
  if (name != "auto") return name;
  return backend::cuda_factory("pmaxwell", why_not) ? "cuda" : "cpu";
}

double engine_bytes(const Int3& cells) {
  return array_bytes(cells) + 3.0 * 3 * sizeof(Value) * double(cells[0]) * cells[1] * cells[2];
}

}  // namespace umov::pmaxwell
