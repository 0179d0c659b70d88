#include "fdtd/observables/layer_shares.hpp"

#include <algorithm>

#include "fdtd/end_waves.hpp"

namespace umov::fdtd {

LayerShares::LayerShares(const Simulation& sim, const Scene& scene, const Problem& p,
                         const std::vector<double>& frequencies) {
  const EndWaves ends(sim, scene, p.grid);
  if (ends.axis() < 0) return;
  any_ = true;
  for (const double f : frequencies) {
    double most = 0;
    for (const PmlSide& side : p.pml[ends.axis()])
      if (side.layers > 0) most = std::max(most, reflection_of_layers(ends, side, f));
    reflection_.push_back(most);
  }
}

}  // namespace umov::fdtd
