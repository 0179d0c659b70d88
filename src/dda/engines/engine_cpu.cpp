// The dipole engine on the processor's cores, in all precisions: each is compiled on its own
// (engine_cpu_of.hpp).
#include "dda/engines/engine_factory.hpp"

namespace umov::dda {

template <class T>
std::unique_ptr<Engine> make_cpu_engine_of(const EngineRequest&);

std::unique_ptr<Engine> make_cpu_engine(const EngineRequest& request) {
  return with_real(request.precision, [&]<class T>(T) { return make_cpu_engine_of<T>(request); });
}

}  // namespace umov::dda
