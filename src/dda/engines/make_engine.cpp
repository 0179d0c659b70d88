// Choosing the engine at run time: backend by name or the fastest one usable here; the list of solvers.
#include "comm/communicator.hpp"
#include "dda/engines/engine_factory.hpp"
#include "dda/ranks/ranked_engine.hpp"
#include "dda/ranks/slab_engines.hpp"
#include "linalg/krylov/solvers.hpp"

namespace umov::dda {

namespace {

/// Of a rank's slab. `auto` is a GPU where a rank has one: whoever seats the ranks has said so.
std::unique_ptr<Engine> make_slab_engine(const EngineRequest& request) {
  if (request.precision == Precision::long_double)
    throw BadInput("long double is not offered on several ranks (double and float are); use one rank");
  const auto of = [&](auto real) {
    return request.backend == "serial" ? make_serial_slab_engine(real, request)
                                       : make_cpu_slab_engine(real, request);
  };
  if (request.backend != "cuda") return request.precision == Precision::single ? of(0.0F) : of(0.0);
  return backend::choose_engine<Engine>("dda", "cuda", make_serial_engine, make_cpu_engine, request);
}

}  // namespace

std::unique_ptr<Engine> make_engine(const EngineRequest& request) {
  if (request.ranks && request.ranks->size() > 1)
    return make_ranked_engine(make_slab_engine(request), *request.ranks);
  std::string backend = request.backend;
  if (request.precision == Precision::long_double) {
    if (backend == "auto") backend = "cpu";
    if (backend == "cuda")
      throw BadInput(
          "long double is not offered on the cuda backend (GPUs have no such type); use double, or "
          "`machine.backend = 'cpu'`");
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
