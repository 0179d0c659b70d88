// The dipole engine on the processor's cores in double.
#include "dda/engines/engine_cpu_of.hpp"

namespace umov::dda {

template std::unique_ptr<Engine> make_cpu_engine_of<double>(const EngineRequest&);

}  // namespace umov::dda
