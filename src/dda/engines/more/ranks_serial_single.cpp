// The dipole engine of a rank's slab on the serial backend in float.
#include "backend/serial/serial.hpp"
#include "dda/ranks/engine_of.hpp"
#include "dda/ranks/slab_engines.hpp"

namespace umov::dda {

using backend::Serial;

std::unique_ptr<Engine> make_serial_slab_engine(float, const EngineRequest& request) {
  return make_slab_engine<Serial, float, SimpleProduct>(request);
}

template <class Dev>
std::unique_ptr<InnerSolver<comm::OnRanks<Dev>>> make_rank_inner(comm::OnRanks<Dev>& device) {
  using Ranked = comm::OnRanks<Dev>;
  return std::make_unique<RefinedSolver<Ranked, SimpleProduct<Ranked, float>>>(device);
}
template std::unique_ptr<InnerSolver<comm::OnRanks<Serial>>> make_rank_inner<Serial>(comm::OnRanks<Serial>&);

}  // namespace umov::dda
