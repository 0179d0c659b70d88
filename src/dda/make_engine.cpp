// Choosing the engine at run time: backend by name or the fastest one usable here; the list of solvers.
#include "dda/engine_factory.hpp"
#include "linalg/krylov/solvers.hpp"

namespace umov::dda {

std::unique_ptr<Engine> make_engine(const EngineRequest& request) {
  std::string backend = request.backend;
  if (request.precision == Precision::long_double) {
    if (backend == "auto") backend = "cpu";
    if (backend == "cuda")
      throw BadInput(
          "long double is not offered on the cuda backend (GPUs have no such type); use double, or --cpu");
  }
  return backend::choose_engine<Engine>("dda", backend, make_serial_engine, make_cpu_engine, request);
}

const std::vector<SolverHelp>& solver_list() {
  static const std::vector<SolverHelp> list = [] {
    std::vector<SolverHelp> found;
    krylov::for_each_solver([&](auto tag, const char* text) {
      found.push_back({krylov::name_of(tag), text});
    });
    return found;
  }();
  return list;
}

}  // namespace umov::dda
