#include "eqs/command/batch_places.hpp"

#include <fmt/format.h>

#include "command/on_ranks.hpp"
#include "command/perform.hpp"
#include "core/console.hpp"
#include "core/signals.hpp"
#include "core/wording.hpp"
#include "eqs/case/case.hpp"
#include "eqs/command/execute.hpp"
#include "eqs/output/results.hpp"
#include "eqs/run/batch.hpp"
#include "run/ranks.hpp"

namespace umov::eqs {

std::string variant_folder(const std::string& folder, std::size_t k) {
  return fmt::format("{}/variant_{:04}", folder, k + 1);
}

void write_variant(const std::string& folder, std::size_t k, const Outcome& o) {
  command::OutputFolder own(variant_folder(folder, k), [] { return std::string(); });
  own.begin(resolved_toml(o.simulation));
  write_results(o, own.path());
  write_file(own.file("log"), printable(worded(log_text(o)) + "\n" + resolved_toml(o.simulation)));
  own.settle(true);
}

Batch for_rank(const Batch& batch, const Simulation& own) {
  Batch out = batch;
  out.every_gpu = false;
  for (Simulation& sim : out.cases) {
    sim.backend = own.backend;
    sim.threads = own.threads;
    sim.device = own.device;
  }
  return out;
}

Batch for_this_process(const Batch& batch) {
  const Simulation& first = batch.cases.front();
  const run::Seats seats = run::seats_of(first.ranks, first.backend, first.device, first.threads);
  Batch out = batch;
  out.gpus = seats.gpus;
  if (seats.gpus.empty()) out.ranks = seats.here;
  return out;
}

Exit follow_batch(const Batch& batch) {
  const SignalGuard guard;
  const std::string folder = run::from_first("");
  if (folder.empty()) return Exit::done;
  BatchObserver watch;
  watch.stop = [] { return interrupted(); };
  if (batch.spec.folders)
    watch.computed = [&](std::size_t k, const Outcome& o) { write_variant(folder, k, o); };
  command::on_ranks(batch.cases.front(), [&](const Simulation& own, comm::Communicator& comm) {
    return run_batch(comm, for_rank(batch, own), watch);
  });
  return Exit::done;
}

}  // namespace umov::eqs
