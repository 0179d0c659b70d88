// The dipole engine on the processor's cores in long double.
#include "dda/engines/engine_cpu_of.hpp"

namespace umov::dda {

template std::unique_ptr<Engine> make_cpu_engine_of<long double>(const EngineRequest&);

}  // namespace umov::dda
