#include "eqs/variants/batch_devices.hpp"

#include <omp.h>

#include <algorithm>

#include "backend/gpus.hpp"

namespace umov::eqs {

namespace {

/// So many variants as memory holds, at most `wanted`, at least one.
int held(int wanted, std::size_t variants, double bytes, double available) {
  int n = int(std::min<std::size_t>(std::size_t(wanted), std::max<std::size_t>(variants, 1)));
  // estimates are within a third of what is taken
  if (available > 0 && bytes > 0) n = std::min(n, int(std::max(1.0, 0.7 * available / bytes)));
  return std::max(n, 1);
}

}  // namespace

BatchWorkers batch_workers(const EngineRequest& request, const Batch& batch, std::size_t variants,
                           int unknowns, double bytes, double available) {
  const int asked = batch.spec.workers;
  const bool may = request.backend == "cuda" || (request.backend == "auto" && batch.ranks == 1);
  const auto gpus = may && batch.gpus.empty() ? backend::usable_gpus() : batch.gpus;
  const int cores = std::max(1, omp_get_max_threads());
  BatchWorkers out;
  if (request.backend == "cuda" || !gpus.empty()) {
    out.backend = "cuda";
    const bool all = !batch.gpus.empty() || (batch.every_gpu && !gpus.empty());
    const std::vector<int> devices = all ? gpus : std::vector<int>{request.device};
    const int per_device = asked ? asked : unknowns < 1'000'000 ? 4 : unknowns < 3'000'000 ? 2 : 1;
    const int workers = held(per_device * int(devices.size()), variants, bytes, available);
    for (int w = 0; w < workers; ++w) out.each.push_back({"cuda", 0, devices[w % devices.size()]});
    out.processors = std::max(1, cores / workers);
    return out;
  }
  out.backend = request.backend == "auto" ? "cpu" : request.backend;
  const bool serial = out.backend == "serial";
  const int threads = serial ? cores : request.threads ? request.threads : cores;
  const int wanted = asked || batch.ranks > 1 ? std::max(asked, 1) * batch.ranks
                     : unknowns < 3'000'000   ? threads
                                              : 1;
  const int workers = held(wanted, variants, bytes, available);
  for (int w = 0; w < workers; ++w)
    out.each.push_back({out.backend, std::max(1, threads / workers), request.device});
  out.processors = std::max(1, threads / workers);
  return out;
}

}  // namespace umov::eqs
