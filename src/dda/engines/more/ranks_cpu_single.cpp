// The dipole engine of a rank's slab on the cpu backend in float.
#include "backend/cpu/cpu.hpp"
#include "dda/ranks/engine_of.hpp"
#include "dda/ranks/slab_engines.hpp"
#include "dda/tuned/cpu/rank_product.hpp"

namespace umov::dda {

using backend::Cpu;

std::unique_ptr<Engine> make_cpu_slab_engine(float, const EngineRequest& request) {
  return make_slab_engine<Cpu, float, CpuRankProduct>(request, request.threads);
}

template <class Dev>
std::unique_ptr<InnerSolver<comm::OnRanks<Dev>>> make_rank_inner(comm::OnRanks<Dev>& device) {
  using Ranked = comm::OnRanks<Dev>;
  return std::make_unique<RefinedSolver<Ranked, CpuRankProduct<Ranked, float>>>(device);
}
template std::unique_ptr<InnerSolver<comm::OnRanks<Cpu>>> make_rank_inner<Cpu>(comm::OnRanks<Cpu>&);

}  // namespace umov::dda
