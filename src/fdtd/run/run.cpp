// The course of a run in time: case, scene, grid, problem, engine, results.
#include "fdtd/run/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <numeric>

#include "comm/collect.hpp"
#include "core/memory.hpp"
#include "core/timer.hpp"
#include "fdtd/kind_names.hpp"
#include "fdtd/observables/region.hpp"
#include "fdtd/ranks/cut.hpp"
#include "fdtd/run/march_pair.hpp"
#include "fdtd/run/plane_bytes.hpp"
#include "fdtd/sources/waveform.hpp"
#include "run/finished.hpp"
#include "run/fit.hpp"
#include "run/ranks.hpp"
#include "run/version.hpp"

namespace umov::fdtd {

std::string checkpoint_file(const std::string& folder) {
  return (std::filesystem::path(folder) / "checkpoint").string();
}

namespace {

/// The components asked for at the end: the whole grid, or in three dimensions the planes through its middle.
FieldList final_fields(const Prepared& p, const Engine& engine, run::Journal& journal) {
  const Grid& grid = p.grid;
  const Int3 n = grid.cells;
  FieldList out;
  const auto& asked = p.sim.outputs.fields;
  for (const Component c : asked.empty() ? recorded_components({}, grid.mode) : asked) {
    if (!has_component(grid.mode, c)) {
      journal.warn(fmt::format("field {} is asked for, which this run does not have", word(c)));
      continue;
    }
    if (dimensions(grid.mode) < 3) {
      out.emplace_back(c, engine.field(c, {0, 0, 0}, n));
      continue;
    }
    for (int a = 2; a >= 0; --a) {
      Int3 low{0, 0, 0}, high = n;
      low[a] = n[a] / 2;
      high[a] = low[a] + 1;
      out.emplace_back(c, engine.field(c, low, high));
    }
  }
  return out;
}

/// What is known before a run and after it.
Outcome outcome_of(const Prepared& p, const run::Journal& journal) {
  Outcome out;
  out.version = run::version();
  out.simulation = p.sim;
  out.machine = p.machine;
  out.grid = p.grid;
  out.notes = journal.notes();
  out.warnings = journal.warnings();
  return out;
}

/// `fouriers`: unless nullptr, of the ranks that share the grid.
Outcome collect(const Prepared& p, March& m, FourierSink* fouriers, run::Journal& journal) {
  Outcome out = outcome_of(p, journal);
  out.steps = m.engine->step();
  out.time = double(out.steps) * p.grid.dt;
  out.stop_reason = m.stop_reason;
  out.converged = m.converged;
  out.device_bytes = m.engine->bytes();
  out.seconds = m.seconds;
  out.step_times = m.times;
  out.cells_per_second = m.seconds > 0 ? double(p.grid.cell_count()) * double(out.steps) / m.seconds : 0;
  out.backend = p.machine.backend;
  out.device = m.engine->device();
  m.monitors->collect(*m.engine, m.reference, out, fouriers);
  journal.warn(out.warnings);  // those that the monitors added are said now
  SnapshotRecorder::Recorded pictures = m.snapshots->take_all();
  out.snapshots = std::move(pictures.snapshots);
  out.frames = std::move(pictures.frames);
  out.final_fields = final_fields(p, *m.engine, journal);
  out.permittivity = sample_permittivity(*p.scene, p.grid, main_frequency(p.sim));
  out.warnings = journal.warnings();
  return out;
}

}  // namespace

double main_frequency(const Simulation& sim) {
  double highest = 0;
  for (const auto& source : sim.sources) highest = std::max(highest, peak_frequency(source.waveform));
  return highest;
}

namespace {

/// What is asked of several ranks, before anything is made. Throws BadInput.
void check_cut(const Prepared& p, int ranks, run::Journal& journal) {
  if (ranks > 1)
    ranks::require_cut(p.grid, p.machine.cut);
  else if (p.machine.cut != RankCut::automatic)
    journal.warn(
        "`machine.cut` is without effect (one rank computes; it says what several do); leave it out, or give "
        "`machine.ranks`, `machine.gpus`, or start umov by mpirun");
}

}  // namespace

namespace {

/// What a signal would save lives no longer than the run.
struct NothingToSave {
  const RunObserver& observer;
  ~NothingToSave() {
    if (observer.to_save) observer.to_save({});
  }
};

}  // namespace

Outcome run(const Simulation& given, const Machine& machine, const RunObserver& observer) {
  return run(given, machine, observer, *comm::one_rank());
}

Outcome run(const Simulation& given, const Machine& machine, const RunObserver& observer,
            comm::Communicator& comm) {
  Journal journal(observer);
  const Stopwatch timer;
  Prepared p = prepare(given, machine, journal, comm);
  check_cut(p, comm.size(), journal);
  Checkpoints checkpoints(given, machine, comm, observer.warning);
  const NothingToSave at_end{observer};
  PairUse use;
  if (!checkpoints.past_reference()) use = choose_pair_use(p, comm.size(), &comm);
  require_memory(p, use.run_ranks > 0 ? 2 : 1);
  ReferenceFields reference = checkpoints.take_reference();
  if (observer.begun) observer.begun();
  checkpoints.keep(reference);
  Marched marched = use.run_ranks > 0 ? march_side_by_side(p, use, reference, checkpoints, journal)
                                      : march_in_turn(p, reference, checkpoints, journal);
  March* const m = marched.march ? &*marched.march : nullptr;
  if (!marched.converged && checkpoints.on())  // so that the run can be given more time
    checkpoints.save(m, Checkpoints::Need::may);
  checkpoints.join(nullptr);
  if (observer.to_save) observer.to_save({});
  journal.stage("results");
  if (m && p.sim.normalize && !m->reference) {
    m->reference = &reference;
    if (observer.watcher) observer.watcher->end(p, *m);  // what is divided by the reference is known now
  }
  // side by side the halves have grids of their own
  FourierSink* const fouriers = use.run_ranks > 0 ? nullptr : observer.fouriers;
  Outcome out = m ? collect(p, *m, fouriers, journal) : outcome_of(p, journal);
  if (!m) out.device = marched.device, out.device_bytes = marched.device_bytes;
  out.converged = marched.converged;
  out.ranks = run::describe_ranks(comm, out.device, timer.seconds(), double(out.device_bytes));
  if (!out.ranks.empty() && m && !m->cut.empty()) out.ranks += "cut: " + m->cut + "\n";
  if (!out.ranks.empty() && !use.why.empty()) out.ranks += "pair: " + use.why + marched.joined + "\n";
  out.device_bytes = comm::max(comm, out.device_bytes);
  return out;
}

namespace {

/// What the run does before its first step, for its checks, where this machine holds the grid.
void rehearse_if_it_fits(const Prepared& p, Journal& journal) {
  const std::size_t free = available_memory();
  if (free == 0 || estimate_bytes(p) <= free) return rehearse(p, journal);
  journal.note(
      "not checked: what sources, modes and monitors meet in the grid with its bodies (this machine has too "
      "little memory for it); the run checks it before its first step");
}

}  // namespace

Plan plan(const Simulation& sim, const Machine& machine, int ranks,
          const std::function<void(const std::string&)>& warning) {
  RunObserver listener;
  listener.warning = warning;
  Journal journal(listener);
  const auto alone = comm::one_rank();
  const Prepared p = prepare(sim, machine, journal, *alone);
  check_cut(p, ranks, journal);
  const std::string& folder = machine.output_dir;
  if (machine.checkpoint.resume && !run::has_finished(folder, checkpoint_file(folder)))
    Checkpoints(sim, machine, *alone, {});  // reads what the run is to go on from
  rehearse_if_it_fits(p, journal);
  const std::vector<double> bytes = plane_bytes(p);
  const double all = std::accumulate(bytes.begin(), bytes.end(), 0.0);
  Plan plan{
      outcome_of(p, journal), p.stop.text, p.stop.limit, p.stop.fixed, std::size_t(all), {}, {}, {}, {}};
  plan.fit = run::describe_fit(machine.ranks, machine.backend, machine.gpu(), [&](int n) {
    std::size_t most = 0;
    for (const RankShare& share : rank_shares(p, n, bytes).of) most = std::max(most, share.bytes);
    return double(most);
  });
  if (ranks == 1) return plan;
  const PairUse use = choose_pair_use(p, ranks, nullptr);
  plan.pair = use.why;
  RankShares shares = rank_shares(p, use.run_ranks > 0 ? use.run_ranks : ranks, bytes);
  plan.cut = shares.cut;
  plan.shares = std::move(shares.of);
  if (use.run_ranks > 0)
    for (const RankShare& share : rank_shares(p, ranks - use.run_ranks, bytes).of)
      plan.shares.push_back(share);
  return plan;
}

}  // namespace umov::fdtd
