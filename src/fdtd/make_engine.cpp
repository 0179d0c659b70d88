// Choosing the engine at run time: backend by name, or the fastest one usable here; what no kernel may meet.
#include "backend/module.hpp"
#include "core/error.hpp"
#include "fdtd/check_problem.hpp"
#include "fdtd/engine_factory.hpp"
#include "fdtd/steps_of_pass.hpp"

namespace umov::fdtd {

namespace {

/// nullptr: "auto", and there is no GPU to use.
const EngineFactory* on_gpu(const EngineRequest& request) {
  if (request.backend != "cuda" && request.backend != "auto")
    throw BadInput("unknown backend '" + request.backend + "' (known: auto, serial, cpu, cuda)");
  std::string why_not;
  const auto* factory = static_cast<const EngineFactory*>(backend::cuda_factory("fdtd", why_not));
  if (!factory && request.backend == "cuda")
    throw MachineFailure("the cuda backend cannot be used here (" + why_not +
                         "); use `machine.backend = 'cpu'`");
  return factory;
}

}  // namespace

std::unique_ptr<Engine> make_engine(const Problem& p, const EngineRequest& request) {
  check_problem(p);
  if (request.backend == "serial") return make_serial_engine(p, request);
  if (request.backend == "cpu") return make_cpu_engine(p, request);
  if (const EngineFactory* factory = on_gpu(request)) return factory->make(p, request);
  return make_cpu_engine(p, request);
}

std::vector<double> sums_of_planes(const std::vector<double>& rows, int planes) {
  std::vector<double> sums;
  const std::size_t each = rows.size() / std::size_t(planes);
  for (std::size_t plane = 0; plane < rows.size(); plane += each) {
    double electric = 0, magnetic = 0;
    for (std::size_t r = plane; r < plane + each; r += 2) electric += rows[r], magnetic += rows[r + 1];
    sums.insert(sums.end(), {electric, magnetic});
  }
  return sums;
}

int steps_of_pass(const Problem& p, const EngineRequest& request) {
  if (request.backend == "serial" || request.backend == "cpu") return 1;
  const EngineFactory* factory = on_gpu(request);
  return factory ? factory->steps_of_pass(p, request) : 1;
}

}  // namespace umov::fdtd
