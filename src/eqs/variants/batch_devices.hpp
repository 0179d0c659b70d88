// Where the variants of a batch are computed: devices, and how many at a time on each.
#pragma once

#include <string>
#include <vector>

#include "eqs/engine.hpp"
#include "eqs/variants/batch.hpp"

namespace umov::eqs {

struct BatchWorkers {
  std::string backend;              ///< "auto" resolved
  std::vector<EngineRequest> each;  ///< per worker: its device, its threads
  int processors = 1;               ///< for the loops beside each worker's device
};

/// `spec.workers` variants at a time on each device; 0 for a choice by the model: a GPU is not filled by a
/// small one (four below a million unknowns, two below three million), and on a processor a variant on one
/// core needs no waiting of cores for each other, as far as memory holds so many. `bytes`: what one variant
/// takes of the machine's memory; `available`: what is left of it (0: not known).
BatchWorkers batch_workers(const EngineRequest&, const Batch&, std::size_t variants, int unknowns,
                           double bytes, double available);

}  // namespace umov::eqs
