// A run on its ranks, as commands start it.
#pragma once

#include <cstdlib>
#include <string>

#include "core/console.hpp"
#include "run/ranks.hpp"

namespace umov::command {

/// As run::on_ranks; what is passed over is said.
template <class Simulation, class Run>
auto on_ranks(const Simulation& sim, const Run& run) {
  // A kernel that waits for another GPU's must not keep the driver from loading that one (CUDA's guide, "Lazy
  // Loading", on concurrent kernels). Read when CUDA begins; 0.1 s for each GPU.
  if (sim.ranks.gpus != 0 && sim.ranks.gpus != 1) setenv("CUDA_MODULE_LOADING", "EAGER", 0);
  return run::on_ranks(sim, run, [](const std::string& text) { warn(text); });
}

}  // namespace umov::command
