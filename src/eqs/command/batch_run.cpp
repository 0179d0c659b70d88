#include "eqs/command/batch_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <set>

#include "comm/world.hpp"
#include "core/error.hpp"
#include "core/timer.hpp"
#include "eqs/observables/scalar_results.hpp"
#include "eqs/run/run.hpp"
#include "eqs/run/shared_models.hpp"
#include "eqs/run/solutions.hpp"
#include "run/observer.hpp"
#include "run/ranks.hpp"
#include "run/version.hpp"

namespace umov::eqs {

namespace {

/// What a row is made of, and no more.
Simulation lean(const Batch& batch, std::size_t k) {
  Simulation sim = batch.cases[k];
  sim.outputs.vtk = sim.outputs.vtu = false;
  if (batch.spec.folders) return sim;
  sim.outputs.pictures = false;
  sim.outputs.cuts.clear();
  return sim;
}

/// What computes a variant on a seat: without checkpoints.
run::Machine machine_of(const Batch& batch, const Machine& seat) {
  run::Machine m = batch.machine;
  m.output_dir.clear();
  m.checkpoint = {};
  m.backend = seat.backend.value_or(m.backend);
  m.threads = m.backend == "cuda" ? 0 : seat.threads.value_or(0);
  m.device = seat.device.value_or(m.device);
  return m;
}

/// What all workers of a rank share.
struct Parts {
  const Batch& batch;
  const BatchWatch& watch;
  std::vector<std::uint64_t> meshes = {};  ///< per variant, its key
  std::shared_ptr<SharedModels> models = std::make_shared<SharedModels>();
  std::mutex lock = {};
  std::string device = {};
};

/// The single numbers of a run.
sweep::Row row_of(const Outcome& out) {
  sweep::Row row;
  row.status = out.converged ? sweep::Status::done : sweep::Status::not_converged;
  row.message = out.why_not;
  for (const ScalarResult& s : scalar_results(out)) row.scalars.push_back({s.name, s.unit, s.text, s.value});
  return row;
}

sweep::Row refused(const std::string& why) {
  sweep::Row row;
  row.status = sweep::Status::failed;
  row.message = why;
  return row;
}

/// Computes variants on one device.
class VariantWorker final : public sweep::Worker {
 public:
  VariantWorker(Parts& parts, const Machine& seat) : parts_(parts), seat_(seat), model_(parts.models) {}

  std::optional<sweep::Row> compute(std::size_t k, const Observer& watch) override {
    try {
      const Outcome out = solve(k, watch);
      tell(k, out);
      return row_of(out);
    } catch (const BadInput& e) {
      return refused(e.what());
    } catch (const MachineFailure&) {
      throw;
    } catch (...) {
      // looks for a signal: one before a variant's solution ends that with words of its own
      watch.progress(0, "");
      throw;
    }
  }

  /// The next worker may have more luck with another device, not with a folder.
  bool replaceable() const override { return solving_; }

 private:
  Outcome solve(std::size_t k, const Observer& watch) {
    solving_ = true;
    RunObserver observer;
    observer.time = [&](const TimeReport&) { return watch.progress(0, ""); };
    observer.warning = watch.warning;
    Journal journal(observer);
    const Prepared p =
        model_.prepare(lean(parts_.batch, k), machine_of(parts_.batch, seat_), parts_.meshes[k], journal);
    Outcome out = run_prepared(p, journal, nullptr);
    solving_ = false;
    return out;
  }

  void tell(std::size_t k, const Outcome& out) const {
    static std::mutex writing;  // of all ranks of the process: HDF5 may have no locks of its own
    const std::lock_guard hold(writing);
    parts_.device = out.device;
    if (parts_.watch.computed) parts_.watch.computed(k, out);
  }

  Parts& parts_;
  Machine seat_;
  HeldModel model_;
  bool solving_ = false;
};

/// Memory that the first variant without a row takes; its model is kept.
double measure(Parts& parts, const sweep::Rows& rows, bool on_gpu) {
  const auto open = std::ranges::find_if(rows, [](const auto& row) { return !row; });
  const auto first = std::size_t(open - rows.begin());
  try {
    run::Journal journal{run::Observer{}};
    const Prepared p = parts.models->prepare(lean(parts.batch, first), machine_of(parts.batch, {}),
                                             parts.meshes[first], journal);
    const MemoryEstimate estimate = estimate_bytes(p.problem);
    return double(on_gpu ? estimate.device : estimate.host + estimate.device);
  } catch (const BadInput&) {  // its worker tells
    return 0;
  }
}

/// Ranks that share this machine's memory.
int ranks_here(const comm::Communicator& comm) {
  if (comm.in_process()) return comm.size();
  const comm::World* world = comm::world();
  return world ? world->local_size() : 1;
}

/// For the log, where one process has the workers of several ranks: they share its list, and send nothing.
std::string describe_ranks_here(const sweep::Wishes& wishes, const std::vector<Machine>& seats) {
  const std::size_t ranks = wishes.gpus.empty() ? std::size_t(wishes.ranks) : wishes.gpus.size();
  if (ranks == 1) return "";
  std::string text = fmt::format("ranks: {} (of one process, which share its list)\n", ranks);
  for (std::size_t r = 0; r < ranks; ++r) {
    std::vector<Machine> own;
    for (std::size_t w = r; w < seats.size(); w += ranks) own.push_back(seats[w]);
    text += fmt::format("  rank {}: {}\n", r,
                        own.empty() ? "nothing to compute"
                                    : *own.front().backend + ", " + sweep::describe_seats(own, "variant"));
  }
  return text;
}

/// Throws where nothing was computed, with the reason.
void refuse_nothing(const BatchOutcome& out) {
  const auto solved = [](const auto& row) { return row && row->status != sweep::Status::failed; };
  if (std::ranges::any_of(out.rows, solved)) return;
  if (out.course.had_enough)
    throw run::Interrupted("stopped in the view before a variant was finished; there are no results");
  for (const auto& row : out.rows)
    if (row) throw BadInput(row->message);
}

}  // namespace

BatchSeat seat_of_process(const Batch& batch) {
  const run::Seats seats = run::seats_of(batch.machine);
  BatchSeat seat = seat_of_rank(batch, batch.machine);
  if (batch.every_gpu) seat.machine.device.reset();
  seat.wishes.gpus = seats.gpus;
  if (seats.gpus.empty()) seat.wishes.ranks = seats.here;
  return seat;
}

BatchSeat seat_of_rank(const Batch& batch, const run::Machine& own) {
  BatchSeat seat;
  seat.machine.backend = own.backend;
  seat.machine.device = own.gpu();
  seat.wishes.jobs = batch.spec.workers;
  seat.wishes.cores = own.backend == "serial" ? 0 : own.threads;
  return seat;
}

BatchOutcome run_batch(comm::Communicator& comm, const Batch& batch, const BatchSeat& seat,
                       const BatchWatch& watch, sweep::Rows rows) {
  BatchOutcome out;
  out.version = run::version();
  out.rows = std::move(rows);
  out.rows.resize(batch.size());
  out.taken_over = std::size_t(std::ranges::count_if(out.rows, [](const auto& row) { return bool(row); }));
  Parts parts{batch, watch};
  for (const Simulation& sim : batch.cases) parts.meshes.push_back(mesh_key(sim));
  std::vector<Machine> seats;
  sweep::Work work;
  work.noun = "variant";
  work.name = [](std::size_t k) { return fmt::format("variant {}", k + 1); };
  work.groups = parts.meshes;
  work.bytes = [&] { return measure(parts, out.rows, seat.machine.backend == "cuda"); };
  work.seats = [&](std::size_t cases, double bytes) {
    sweep::Wishes wishes = seat.wishes;
    wishes.sharing = ranks_here(comm);
    return seats = sweep::choose_seats({"", bytes, {}, {}, seat.machine}, wishes, cases);
  };
  work.made = [&] { return parts.models->made(); };
  work.workers = [&](const std::vector<Machine>& all) {
    std::vector<std::unique_ptr<sweep::Worker>> workers;
    for (const Machine& one : all) workers.push_back(std::make_unique<VariantWorker>(parts, one));
    return workers;
  };
  sweep::Watch told = watch;
  told.warning = [&](const std::string& text) {
    out.warnings.push_back(text);
    if (watch.warning) watch.warning(text);
  };
  const Stopwatch seconds;
  out.course = sweep::run(comm, work, batch.numbers(), out.rows, {}, told);
  out.seconds = seconds.seconds();
  out.device = parts.device;
  if (!comm.first()) return out;
  if (comm.size() == 1 && !seats.empty()) out.course.ranks = describe_ranks_here(seat.wishes, seats);
  refuse_nothing(out);
  return out;
}

BatchPlan plan_batch(const Batch& batch) {
  run::Journal journal{run::Observer{}};
  const Prepared p = prepare(lean(batch, 0), machine_of(batch, {}), journal);
  require_memory(p);
  std::set<std::uint64_t> meshes;
  for (const Simulation& sim : batch.cases) meshes.insert(mesh_key(sim));
  const MemoryEstimate bytes = estimate_bytes(p.problem);
  return {bytes.device, bytes.host, std::size_t(p.problem.unknowns), meshes.size(), journal.warnings()};
}

}  // namespace umov::eqs
