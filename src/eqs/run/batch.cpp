// Workers of a batch.
#include "eqs/run/batch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <mutex>
#include <set>

#include "comm/collect.hpp"
#include "comm/world.hpp"
#include "core/memory.hpp"
#include "core/text.hpp"
#include "core/timer.hpp"
#include "eqs/run/batch_rows.hpp"
#include "eqs/run/run.hpp"
#include "eqs/run/shared_models.hpp"
#include "eqs/run/solutions.hpp"
#include "eqs/variants/batch_devices.hpp"
#include "run/ledger_ranks.hpp"
#include "run/version.hpp"

namespace umov::eqs {

namespace {

/// What a row is made of, and no more.
Simulation lean(const Batch& batch, std::size_t k) {
  Simulation sim = batch.cases[k];
  sim.output_dir.clear();  // no checkpoints within a variant
  sim.checkpoint = {};
  sim.outputs.vtk = sim.outputs.vtu = false;
  if (batch.spec.folders) return sim;
  sim.outputs.pictures = false;
  sim.outputs.cuts.clear();
  return sim;
}

/// What all workers of a rank share.
struct Parts {
  const Batch& batch;
  const BatchObserver& watch;
  std::vector<std::uint64_t> meshes;  ///< per variant, its key
  std::shared_ptr<SharedModels> models = std::make_shared<SharedModels>();
};

/// Computes variants on one device.
class Worker {
 public:
  Worker(const Parts& parts, const EngineRequest& request, run::CaseSource& source, int number)
      : parts_(parts), request_(request), source_(source), number_(number), model_(parts.models) {}

  /// The next worker may have more luck with another device, not with a folder.
  void work() {
    run::work(
        source_, number_, [this](std::size_t k) { return compute(k); }, [this] { return solving_; });
  }

 private:
  std::optional<Packed> compute(std::size_t k) {
    const Stopwatch watch;
    FoundVariant v;
    try {
      const Outcome out = solve(k);
      v.found = scalar_results(out);
      v.device = out.device;
      v.row.converged = out.converged;
      v.row.why_not = out.why_not;
      v.row.wall = watch.seconds();
      tell(k, out);
    } catch (const BadInput& e) {
      v.row.converged = false;
      v.row.why_not = e.what();
    } catch (const MachineFailure&) {
      throw;
    } catch (...) {
      // looks for a signal: one before a variant's solution ends that with words of its own
      source_.go_on();
      throw;
    }
    return packed(v, visit_variant);
  }

  Outcome solve(std::size_t k) {
    solving_ = true;
    RunObserver observer;
    observer.time = [this](const TimeReport&) { return source_.go_on(); };
    observer.warning = [this](const std::string& text) { source_.tell(number_, packed(text, as_it_is)); };
    Journal journal(observer);
    Simulation sim = lean(parts_.batch, k);
    sim.backend = request_.backend;
    sim.threads = request_.threads;
    sim.device = request_.device;
    Outcome out = run_prepared(model_.prepare(sim, parts_.meshes[k], journal), journal, nullptr);
    solving_ = false;
    return out;
  }

  void tell(std::size_t k, const Outcome& out) const {
    if (!parts_.watch.computed) return;
    static std::mutex writing;  // of all ranks of the process: HDF5 may have no locks of its own
    const std::lock_guard hold(writing);
    parts_.watch.computed(k, out);
  }

  const Parts& parts_;
  EngineRequest request_;
  run::CaseSource& source_;
  int number_;
  HeldModel model_;
  bool solving_ = false;
};

/// A line for the log.
std::string say_of_workers(const BatchWorkers& workers) {
  std::set<int> devices;
  for (const auto& request : workers.each) devices.insert(request.device);
  const std::size_t n = workers.each.size();
  const std::string count = fmt::format("{} variant{}", n, n == 1 ? "" : "s");
  if (workers.backend == "cuda")
    return fmt::format("{} at a time on {} GPU{}", count, devices.size(), devices.size() == 1 ? "" : "s");
  const int threads = workers.each.front().threads;
  return fmt::format("{} at a time, {} thread{} each", count, threads, threads == 1 ? "" : "s");
}

/// What the choice of workers depends on.
struct BatchSize {
  std::size_t waiting = 0;  ///< variants
  int unknowns = 0;         ///< of the first of them
  double bytes = 0;         ///< that it takes of the machine's memory
};

/// The first model also tells how much memory each takes.
BatchSize measure(const Parts& parts, const std::vector<std::size_t>& open) {
  const Batch& batch = parts.batch;
  BatchSize size{open.size(), 0, 0};
  if (open.empty()) return size;
  const std::size_t first = open.front();
  try {
    run::Journal journal{run::Observer{}};
    const Prepared p = parts.models->prepare(lean(batch, first), parts.meshes[first], journal);
    size.unknowns = p.problem.unknowns;
    const MemoryEstimate estimate = estimate_bytes(p.problem);
    size.bytes = double(estimate.host + (batch.cases[first].backend == "cuda" ? 0 : estimate.device));
  } catch (const BadInput&) {  // its worker tells
  }
  return size;
}

/// Of things that several share as evenly as can be: how many this one has.
std::size_t share_of(std::size_t all, int rank, int ranks) {
  return all / std::size_t(ranks) + (std::size_t(rank) < all % std::size_t(ranks));
}

/// Ranks that share this machine's memory.
int ranks_here(const comm::Communicator& comm) {
  if (comm.in_process()) return comm.size();
  const comm::World* world = comm::world();
  return world ? world->local_size() : 1;
}

BatchWorkers choose_workers(const Batch& batch, const BatchSize& size, const comm::Communicator& comm) {
  const Simulation& first = batch.cases.front();
  return batch_workers({first.backend, first.threads, first.device}, batch,
                       share_of(size.waiting, comm.rank(), comm.size()), size.unknowns, size.bytes,
                       double(available_memory()) / ranks_here(comm));
}

/// For the log, of rank 0. The time in communication says nothing here: it passes beside the workers.
std::string describe_ranks(comm::Communicator& comm, const std::string& words) {
  const std::string line = fmt::format("  rank {}: {}\n", comm.rank(), words);
  const auto lines = comm::gather(comm, std::span<const char>(line));
  const double bytes = comm::sum(comm, comm.traffic().bytes);
  if (!comm.first() || comm.size() == 1) return "";
  return fmt::format("ranks: {} ({}), {} sent\n", comm.size(), comm.kind(), format_bytes(bytes)) +
         std::string(lines.begin(), lines.end());
}

/// For the log, where one process has the workers of several ranks: they share its list, and send nothing.
std::string describe_ranks_here(const Batch& batch, const BatchWorkers& workers) {
  const int ranks = batch.gpus.empty() ? batch.ranks : int(batch.gpus.size());
  if (ranks == 1) return "";
  std::string text = fmt::format("ranks: {} (of one process, which share its list)\n", ranks);
  for (int r = 0; r < ranks; ++r) {
    BatchWorkers own{workers.backend, {}, workers.processors};
    for (std::size_t w = std::size_t(r); w < workers.each.size(); w += std::size_t(ranks))
      own.each.push_back(workers.each[w]);
    text += fmt::format("  rank {}: {}\n", r,
                        own.each.empty() ? "nothing to compute" : own.backend + ", " + say_of_workers(own));
  }
  return text;
}

/// Workers of all ranks begin and end together. `open` hears of their number; `serve` passes messages
/// meanwhile.
void work_together(comm::Communicator& comm, const Parts& parts, const BatchSize& size,
                   run::CaseSource& source, const std::function<void(std::size_t)>& open,
                   const std::function<void()>& serve, BatchOutcome& out) {
  const BatchWorkers workers = choose_workers(parts.batch, size, comm);
  const std::string words = say_of_workers(workers);
  const auto numbers = run::number_workers(comm, workers.each.size());
  out.workers = std::min(numbers.all, size.waiting);  // a rank has one worker, if only to find nothing left
  out.backend = workers.backend;
  out.notes.push_back(comm.size() == 1 ? words
                                       : fmt::format("{} variant{} at a time on {} ranks", out.workers,
                                                     out.workers == 1 ? "" : "s", comm.size()));
  open(numbers.all);
  const auto work = [&](int number) {
    Worker(parts, workers.each[std::size_t(number - numbers.first)], source, number).work();
  };
  run::work_on_threads(numbers.first, workers.each.size(), workers.processors, work, serve);
  out.meshes = comm::sum(comm, parts.models->made());
  const bool idle = share_of(size.waiting, comm.rank(), comm.size()) == 0;
  out.ranks = describe_ranks(comm, idle ? "nothing to compute" : workers.backend + ", " + words);
  if (comm.size() == 1) out.ranks = describe_ranks_here(parts.batch, workers);
}

/// Of a rank that only computes.
void follow(comm::Communicator& comm, const Parts& parts) {
  std::vector<BatchSize> size;
  comm::broadcast(comm, size);
  if (size[0].waiting == 0) return;
  run::RemoteLedger source(parts.watch.stop);
  BatchOutcome unused;
  work_together(
      comm, parts, size[0], source, [](std::size_t) {}, [&] { source.serve(comm); }, unused);
  // The first rank says how it goes on, whichever ends first; a process has the code of its signal.
  if (source.stopped() && !comm.in_process()) throw comm::OtherRankFailed(Exit::interrupted, "interrupted");
}

}  // namespace

BatchOutcome run_batch(const Batch& batch, const BatchObserver& watch) {
  return run_batch(*comm::one_rank(), batch, watch);
}

BatchOutcome run_batch(comm::Communicator& comm, const Batch& batch, const BatchObserver& watch) {
  BatchOutcome out;
  out.batch = batch;
  out.version = run::version();
  Parts parts{batch, watch, {}};
  for (const Simulation& sim : batch.cases) parts.meshes.push_back(mesh_key(sim));
  if (!comm.first()) {
    follow(comm, parts);
    return out;
  }
  BatchRows rows(batch, watch, out);
  run::Ledger ledger(watch, rows, rows.open_variants(), parts.meshes);
  const Stopwatch seconds;
  std::vector<BatchSize> size{measure(parts, rows.open_variants())};
  comm::broadcast(comm, size);
  const auto serve = [&] {
    if (comm.size() > 1) run::serve_ranks(comm, ledger);
  };
  if (size[0].waiting > 0)
    work_together(
        comm, parts, size[0], ledger, [&](std::size_t workers) { ledger.open(workers); }, serve, out);
  out.seconds = seconds.seconds();
  rows.close(ledger);
  return out;
}

BatchPlan plan_batch(const Batch& batch) {
  run::Journal journal{run::Observer{}};
  const Prepared p = prepare(lean(batch, 0), journal);
  require_memory(p);
  std::set<std::uint64_t> meshes;
  for (const Simulation& sim : batch.cases) meshes.insert(mesh_key(sim));
  const MemoryEstimate bytes = estimate_bytes(p.problem);
  return {bytes.device, bytes.host, std::size_t(p.problem.unknowns), meshes.size(), journal.warnings()};
}

}  // namespace umov::eqs
