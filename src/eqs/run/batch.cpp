// Workers of a batch and the list of variants that they share.
#include "eqs/run/batch.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <set>
#include <thread>

#include "core/memory.hpp"
#include "core/timer.hpp"
#include "eqs/batch_devices.hpp"
#include "eqs/run/batch_ledger.hpp"
#include "eqs/run/run.hpp"
#include "eqs/run/shared_models.hpp"
#include "eqs/run/solutions.hpp"
#include "front/version.hpp"

namespace umov::eqs {

namespace {

/// What a row is made of, and no more.
Simulation lean(const Batch& batch, std::size_t k) {
  Simulation sim = batch.cases[k];
  sim.output_dir.clear();  // no checkpoints within a variant
  sim.checkpoint = {};
  sim.outputs.vtk = false;
  if (batch.spec.folders) return sim;
  sim.outputs.pictures = false;
  sim.outputs.cuts.clear();
  return sim;
}

/// Computes variant after variant on one device.
class Worker {
 public:
  Worker(const Batch& batch, const EngineRequest& request, BatchLedger& ledger, SharedModels& models)
      : batch_(batch), request_(request), ledger_(ledger), models_(models) {}

  void work() {
    while (const auto k = ledger_.next(mesh_)) {
      try {
        compute(*k);
      } catch (const MachineFailure& e) {
        return ledger_.leave_out(*k, e.what(), std::current_exception());
      } catch (...) {
        return ledger_.fail(*k, std::current_exception());
      }
    }
  }

 private:
  void compute(std::size_t k) {
    const Stopwatch watch;
    RunObserver observer;
    observer.time = [this](const TimeReport&) { return ledger_.go_on(); };
    observer.warning = [this, k](const std::string& text) {
      ledger_.warn(fmt::format("variant {}: {}", k + 1, text));
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
      ledger_.finish(k, &out, std::move(row));
    } catch (const BadInput& e) {
      ledger_.refuse(k, e);
    }
    models_.done(*mesh_);
  }

  const Batch& batch_;
  EngineRequest request_;
  BatchLedger& ledger_;
  SharedModels& models_;
  std::optional<std::uint64_t> mesh_;
};

void say_of_workers(const BatchWorkers& workers, BatchOutcome& out) {
  std::set<int> devices;
  for (const auto& request : workers.each) devices.insert(request.device);
  out.workers = workers.each.size();
  out.notes.push_back(workers.backend == "cuda"
                          ? fmt::format("{} variants at a time on {} GPU{}", out.workers, devices.size(),
                                        devices.size() == 1 ? "" : "s")
                          : fmt::format("{} variants at a time, {} thread{} each", out.workers,
                                        workers.each.front().threads,
                                        workers.each.front().threads == 1 ? "" : "s"));
}

}  // namespace

BatchOutcome run_batch(const Batch& batch, const BatchObserver& watch) {
  BatchOutcome out;
  out.batch = batch;
  out.version = front::version();
  BatchLedger ledger(batch, watch, out);
  const Stopwatch seconds;
  if (ledger.waiting() > 0) {
    SharedModels models(ledger.keys_waiting());
    const Simulation& first = batch.cases[ledger.first_waiting()];
    // the first model also tells how much memory each takes
    int unknowns = 0;
    double bytes = 0;
    try {
      front::Journal journal{front::Observer{}};
      const Prepared p =
          models.prepare(lean(batch, ledger.first_waiting()), ledger.keys()[ledger.first_waiting()], journal);
      unknowns = p.problem.unknowns;
      const MemoryEstimate estimate = estimate_bytes(p.problem);
      bytes = double(estimate.host + (first.backend == "cuda" ? 0 : estimate.device));
    } catch (const BadInput&) {  // its worker tells
    }
    const BatchWorkers workers =
        batch_workers({first.backend, first.threads, first.device}, batch.every_gpu, batch.spec.workers,
                      ledger.waiting(), unknowns, bytes, double(available_memory()));
    out.backend = workers.backend;
    say_of_workers(workers, out);
    ledger.open(workers.each.size());
    {
      std::vector<std::jthread> threads;
      for (const EngineRequest& request : workers.each)
        threads.emplace_back([&, request] {
          omp_set_num_threads(workers.processors);  // of this thread's loops
          // engines are made and ended on this thread: a GPU is chosen per thread
          Worker(batch, request, ledger, models).work();
        });
    }
    out.meshes = models.made();
  }
  out.seconds = seconds.seconds();
  ledger.close();
  return out;
}

BatchPlan plan_batch(const Batch& batch) {
  front::Journal journal{front::Observer{}};
  const Prepared p = prepare(lean(batch, 0), journal);
  require_memory(p);
  std::set<std::uint64_t> meshes;
  for (const Simulation& sim : batch.cases) meshes.insert(mesh_key(sim));
  const MemoryEstimate bytes = estimate_bytes(p.problem);
  return {bytes.device, bytes.host, std::size_t(p.problem.unknowns), meshes.size(), journal.warnings()};
}

}  // namespace umov::eqs
