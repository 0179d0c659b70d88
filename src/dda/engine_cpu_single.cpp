// The dipole engine on the processor's cores in float.
#include "dda/engine_cpu_of.hpp"

namespace umov::dda {

std::unique_ptr<Engine> make_cpu_engine_single(const EngineRequest& request) {
  return make_cpu_engine_of<float>(request);
}

}  // namespace umov::dda
