// Workers of a batch and the list of variants that they share.
#include "eqs/run/batch.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <set>
#include <thread>

#include "comm/collect.hpp"
#include "comm/world.hpp"
#include "core/memory.hpp"
#include "core/text.hpp"
#include "core/timer.hpp"
#include "eqs/run/batch_ranks.hpp"
#include "eqs/run/run.hpp"
#include "eqs/run/shared_models.hpp"
#include "eqs/run/solutions.hpp"
#include "eqs/variants/batch_devices.hpp"
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

/// Computes variant after variant on one device.
class Worker {
 public:
  Worker(const Batch& batch, const EngineRequest& request, VariantSource& source, SharedModels& models)
      : batch_(batch), request_(request), source_(source), models_(models) {}
  ~Worker() {
    if (mesh_) models_.leave(*mesh_);
  }
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  void work() {
    while (const auto k = next()) {
      try {
        compute(*k);
      } catch (const MachineFailure& e) {
        return source_.leave_out(*k, e.what(), std::current_exception());
      } catch (...) {
        // looks for a signal: one before a variant's solution ends that with words of its own
        source_.go_on();
        return source_.fail(*k, std::current_exception());
      }
    }
  }

 private:
  std::optional<std::size_t> next() {
    const auto before = mesh_;
    const auto k = source_.next(mesh_);
    if (mesh_ != before) {
      models_.take(*mesh_);
      if (before) models_.leave(*before);
    }
    return k;
  }

  void compute(std::size_t k) {
    const Stopwatch watch;
    RunObserver observer;
    observer.time = [this](const TimeReport&) { return source_.go_on(); };
    observer.warning = [this, k](const std::string& text) {
      source_.warn(fmt::format("variant {}: {}", k + 1, text));
    };
    Journal journal(observer);
    try {
      Simulation sim = lean(batch_, k);
      sim.backend = request_.backend;
      sim.threads = request_.threads;
      sim.device = request_.device;
      const Prepared p = models_.prepare(sim, *mesh_, journal);
      Outcome out = run_prepared(p, journal, nullptr);
      BatchRow row;
      row.converged = out.converged;
      row.why_not = out.why_not;
      row.wall = watch.seconds();
      source_.finish(k, out, std::move(row));
    } catch (const BadInput& e) {
      source_.refuse(k, e);
    }
  }

  const Batch& batch_;
  EngineRequest request_;
  VariantSource& source_;
  SharedModels& models_;
  std::optional<std::uint64_t> mesh_;
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
BatchSize measure(const Batch& batch, const BatchLedger& ledger, SharedModels& models) {
  BatchSize size{ledger.waiting(), 0, 0};
  if (size.waiting == 0) return size;
  const std::size_t first = ledger.first_waiting();
  try {
    run::Journal journal{run::Observer{}};
    const Prepared p = models.prepare(lean(batch, first), ledger.keys()[first], journal);
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

/// All workers of this rank, until the source has nothing left; `meanwhile` is what this thread does.
void work(const Batch& batch, const BatchWorkers& workers, VariantSource& source, SharedModels& models,
          const std::function<void()>& meanwhile) {
  std::vector<std::jthread> threads;
  for (const EngineRequest& request : workers.each)
    threads.emplace_back([&, request] {
      omp_set_num_threads(workers.processors);  // of this thread's loops
      // engines are made and ended on this thread: a GPU is chosen per thread
      Worker(batch, request, source, models).work();
    });
  meanwhile();
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

/// Workers of all ranks begin and end together. `serve` passes messages meanwhile.
void work_together(comm::Communicator& comm, const Batch& batch, const BatchSize& size, SharedModels& models,
                   VariantSource& source, const std::function<void(std::size_t)>& open,
                   const std::function<void()>& serve, BatchOutcome& out) {
  const BatchWorkers workers = choose_workers(batch, size, comm);
  const std::string words = say_of_workers(workers);
  const std::size_t opened = comm::sum(comm, workers.each.size());
  out.workers = std::min(opened, size.waiting);  // a rank has one worker, if only to find nothing left
  out.backend = workers.backend;
  out.notes.push_back(comm.size() == 1 ? words
                                       : fmt::format("{} variant{} at a time on {} ranks", out.workers,
                                                     out.workers == 1 ? "" : "s", comm.size()));
  open(opened);
  work(batch, workers, source, models, serve);
  out.meshes = comm::sum(comm, models.made());
  const bool idle = share_of(size.waiting, comm.rank(), comm.size()) == 0;
  out.ranks = describe_ranks(comm, idle ? "nothing to compute" : workers.backend + ", " + words);
  if (comm.size() == 1) out.ranks = describe_ranks_here(batch, workers);
}

/// Of a rank that only computes.
void follow(comm::Communicator& comm, const Batch& batch, const BatchObserver& watch) {
  std::vector<BatchSize> size;
  comm::broadcast(comm, size);
  if (size[0].waiting == 0) return;
  SharedModels models;
  RemoteLedger ledger(watch);
  BatchOutcome unused;
  work_together(
      comm, batch, size[0], models, ledger, [](std::size_t) {}, [&] { ledger.serve(comm); }, unused);
  // The first rank says how it goes on, whichever ends first; a process has the code of its signal.
  if (ledger.stopped() && !comm.in_process()) throw comm::OtherRankFailed(Exit::interrupted, "interrupted");
}

}  // namespace

BatchOutcome run_batch(const Batch& batch, const BatchObserver& watch) {
  return run_batch(*comm::one_rank(), batch, watch);
}

BatchOutcome run_batch(comm::Communicator& comm, const Batch& batch, const BatchObserver& watch) {
  BatchOutcome out;
  out.batch = batch;
  out.version = run::version();
  if (!comm.first()) {
    follow(comm, batch, watch);
    return out;
  }
  BatchLedger ledger(batch, watch, out);
  const Stopwatch seconds;
  SharedModels models;
  std::vector<BatchSize> size{measure(batch, ledger, models)};
  comm::broadcast(comm, size);
  const auto serve = [&] {
    if (comm.size() > 1) serve_ranks(comm, ledger);
  };
  if (size[0].waiting > 0)
    work_together(
        comm, batch, size[0], models, ledger, [&](std::size_t workers) { ledger.open(workers); }, serve, out);
  out.seconds = seconds.seconds();
  ledger.close();
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
