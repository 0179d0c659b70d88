// The dipole engine on the processor's cores in double.
#include "dda/engine_cpu_of.hpp"

namespace umov::dda {

std::unique_ptr<Engine> make_cpu_engine_double(const EngineRequest& request) {
  return make_cpu_engine_of<double>(request);
}

}  // namespace umov::dda
