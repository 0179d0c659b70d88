// The dipole engine of a rank's slab on the cpu backend in double.
#include "backend/cpu/cpu.hpp"
#include "dda/ranks/engine_of.hpp"
#include "dda/ranks/slab_engines.hpp"
#include "dda/tuned/cpu/rank_product.hpp"

namespace umov::dda {

using backend::Cpu;

std::unique_ptr<Engine> make_cpu_slab_engine(double, const EngineRequest& request) {
  return make_slab_engine<Cpu, double, CpuRankProduct>(request, request.threads);
}

}  // namespace umov::dda
