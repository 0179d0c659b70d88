// The dipole engine on the processor's cores, in all precisions.
#include "core/error.hpp"
#include "dda/engine_factory.hpp"

namespace umov::dda {

std::unique_ptr<Engine> make_cpu_engine_single(const EngineRequest&);
std::unique_ptr<Engine> make_cpu_engine_double(const EngineRequest&);
std::unique_ptr<Engine> make_cpu_engine_extended(const EngineRequest&);

std::unique_ptr<Engine> make_cpu_engine(const EngineRequest& request) {
  switch (request.precision) {
    case Precision::single:
      return make_cpu_engine_single(request);
    case Precision::double_:
      return make_cpu_engine_double(request);
    case Precision::long_double:
      return make_cpu_engine_extended(request);
  }
  throw BadInput("unknown precision");
}

}  // namespace umov::dda
