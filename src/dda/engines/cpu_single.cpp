// The dipole engine on the processor's cores in float.
#include "dda/engine_cpu_of.hpp"

namespace umov::dda {

template std::unique_ptr<Engine> make_cpu_engine_of<float>(const EngineRequest&);

}  // namespace umov::dda
