// The course of a dipole run.
#include "dda/run/run.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "core/memory.hpp"
#include "core/remainder_timer.hpp"
#include "dda/field_sink.hpp"
#include "dda/run/case_checks.hpp"
#include "dda/run/checkpoints.hpp"
#include "dda/run/kept_engine.hpp"
#include "dda/run/neighbours.hpp"
#include "dda/run/orientations.hpp"
#include "dda/scheme/memory.hpp"
#include "run/fit.hpp"
#include "run/ranks.hpp"
#include "run/version.hpp"

namespace umov::dda {

namespace {

/// `together`: ranks that need so much of the same memory.
void require_memory(const Machine& machine, const std::vector<MemoryUse>& uses, int together = 1) {
  if (machine.backend == "cuda") return;  // the card is asked when it is opened
  const std::size_t needed = std::size_t(together) * total_bytes(uses), there = available_memory();
  if (there > 0 && needed > there)
    throw BadInput(
        fmt::format("the run needs {:.1f} GB of memory but {:.1f} GB are available; use a coarser grid, "
                    "`machine.precision = 'float'` or a solver with fewer vectors (bicg)",
                    1e-9 * double(needed), 1e-9 * double(there)));
}

/// Ranks of one machine have a share of its threads each, for loops over the particle on the host, too.
class ThreadsOfRank {
 public:
  ThreadsOfRank(const comm::Communicator* comm, int threads) : before_(omp_get_max_threads()) {
    if (comm && comm->size() > 1 && threads > 0) omp_set_num_threads(threads);
  }
  ~ThreadsOfRank() { omp_set_num_threads(before_); }
  ThreadsOfRank(const ThreadsOfRank&) = delete;
  ThreadsOfRank& operator=(const ThreadsOfRank&) = delete;

 private:
  int before_;
};

/// ADDA takes what its angles give.
bool all_converged(const Outcome& out, Front front) {
  return std::all_of(out.polarizations.begin(), out.polarizations.end(), [&](const auto& p) {
    const bool integrals = p.cross.integrals_converged || front == Front::adda;
    return p.solve.status == SolveStatus::converged && integrals;
  });
}

/// What the engine says of itself after its work.
void describe_engine(const Engine& engine, Outcome& out) {
  out.device = engine.device_name();
  out.backend = engine.backend_name();
  out.transforms = engine.transforms();
  out.memory = engine.memory();
}

/// The case as it was solved, or would be.
void describe_case(Prepared p, const Angles& angles, const run::Journal& journal, const TimerTable& timers,
                   Outcome& out) {
  out.version = run::version();
  out.propagation = laboratory_frame(p.sim.propagation).propagation;
  out.fft_grid = p.fft_grid;
  out.preconditioner = p.preconditioning.why;
  out.inner = p.inner.why;
  out.sectors = p.sectors.words(out.backend);
  out.blocks = p.blocks.why;
  out.symmetry_used = p.one_solve;
  out.simulation = std::move(p.sim);
  out.machine = std::move(p.machine);
  out.particle = std::move(p.particle);
  out.angle_notes.insert(out.angle_notes.end(), angles.notes.begin(), angles.notes.end());
  out.warnings = journal.warnings();
  for (const auto& row : timers.rows()) out.timings.push_back({row.name, row.seconds});
}

}  // namespace

backend::EarlyStart early_start(const Simulation& sim, const Machine& machine) {
  return {sim.precision == Precision::long_double ? "cpu" : machine.backend, machine.device};
}

Outcome run(const Simulation& sim, const Machine& machine, const RunObserver& observer,
            Neighbours* neighbours, comm::Communicator* comm, KeptEngine* kept) {
  Journal journal(observer);
  TimerTable timers;
  const Stopwatch clock;
  ScopedTimer total(timers, "total");
  const ThreadsOfRank threads(comm, machine.threads);
  const backend::EarlyStart device = early_start(sim, machine);
  const comm::Traffic before = comm ? comm->traffic() : comm::Traffic();
  std::unique_ptr<comm::Communicator> group;
  RemainderTimer preparation(timers, "preparation");
  require_room(sim, machine, comm ? comm->size() : 1);
  Prepared p = prepare_on_ranks(sim, machine, journal, timers, comm ? comm->size() : 1, comm, group);
  p.neighbours = sim.orientation.average ? nullptr : neighbours;
  if (p.neighbours) p.neighbours->meet(p.particle);
  require_memory(machine, p.memory, p.ranks.together());
  prepare_checkpoints(p);
  const Angles angles = read_inputs(p, journal);
  preparation.stop();
  std::unique_ptr<Engine> own;
  if (!kept) own = start_engine(p, device, journal, timers);
  Engine& engine = kept ? kept->engine_for(p, device, journal, timers) : *own;
  ScopedTimer beginning(timers, "preparation");
  if (observer.begun) observer.begun();
  if (observer.watcher) observer.watcher->begin(p);
  beginning.stop();
  Outcome out = sim.orientation.average ? average_orientations(p, angles, engine, journal, timers)
                                        : single_orientation(p, angles, engine, journal, timers);
  if (observer.fields) {
    const ScopedTimer fields(timers, "fields per dipole");
    observer.fields->finish();
  }
  out.converged = all_converged(out, sim.front);
  check_finite(sim, machine, out, journal);
  warn_of_unphysical(sim, out, journal);
  describe_engine(engine, out);
  if (p.ranks.all) {
    const ScopedTimer others(timers, "other ranks");
    out.ranks = run::describe_ranks(*p.ranks.all, fmt::format("{}, {}", out.backend, out.device),
                                    clock.seconds(), double(total_bytes(out.memory)), before) +
                "  " + p.ranks.why + "\n";
  }
  ScopedTimer release(timers, "release of memory");
  own.reset();  // it refers to the particle
  if (kept) kept->end_case();
  release.stop();
  total.stop();
  describe_case(std::move(p), angles, journal, timers, out);
  return out;
}

namespace {

/// A case of several that are solved for together.
struct Together {
  Together(const Simulation& sim, const Machine& machine, const RunObserver& observer)
      : journal(observer), p(prepare(sim, machine, journal, timers)), angles(read_inputs(p, journal)) {}

  Journal journal;
  TimerTable timers;
  Prepared p;
  Angles angles;
  std::optional<OneOrientation> course;
};

/// All as the first is solved: of one particle the best choices differ little between directions.
void solve_as(const Prepared& first, Prepared& p) {
  p.fft_grid = first.fft_grid;
  p.preconditioning = first.preconditioning;
  p.inner = first.inner;
  p.sectors = first.sectors;
  p.blocks = first.blocks;
  p.memory = first.memory;
}

}  // namespace

std::vector<Outcome> run_together(const std::vector<Simulation>& sims, const Machine& machine,
                                  const std::vector<RunObserver>& observers) {
  const backend::EarlyStart device = early_start(sims.front(), machine);
  std::vector<std::unique_ptr<Together>> cases;
  for (std::size_t i = 0; i < sims.size(); ++i)
    cases.push_back(std::make_unique<Together>(sims[i], machine, observers[i]));
  Together& first = *cases.front();
  ScopedTimer total(first.timers, "total");
  require_memory(machine, first.p.memory);
  prepare_checkpoints(first.p);
  auto engine = start_engine(first.p, device, first.journal, first.timers);
  if (SolveWatcher* watcher = first.journal.observer().watcher) watcher->begin(first.p);
  std::vector<Incident> incidents;
  std::vector<Together*> owner;
  for (const auto& one : cases) {
    if (one->journal.observer().begun) one->journal.observer().begun();
    solve_as(first.p, one->p);
    one->course.emplace(one->p, one->angles, one->journal, one->timers);
    for (Incident& incident : one->course->incidents()) {
      incidents.push_back(std::move(incident));
      owner.push_back(one.get());
    }
  }
  solve_each(first.p, incidents, *engine, first.journal, first.timers,
             [&](std::size_t i, const Solution& solution) { owner[i]->course->take(solution); });
  std::vector<Outcome> list;
  for (const auto& one : cases) {
    Outcome out = one->course->finish();
    out.converged = all_converged(out, one->p.sim.front);
    check_finite(one->p.sim, machine, out, one->journal);
    warn_of_unphysical(one->p.sim, out, one->journal);
    describe_engine(*engine, out);
    list.push_back(std::move(out));
  }
  ScopedTimer release(first.timers, "release of memory");
  engine.reset();  // it refers to the first particle
  release.stop();
  total.stop();
  for (std::size_t i = 0; i < cases.size(); ++i) {
    Together& one = *cases[i];
    describe_case(std::move(one.p), one.angles, one.journal, one.timers, list[i]);
  }
  return list;
}

std::vector<std::size_t> choose_mates(const std::vector<Simulation>& cases, const Machine& machine,
                                      std::size_t first, const std::vector<std::size_t>& others) {
  run::Journal silent({});
  TimerTable timers;
  const Prepared p = prepare(cases[first], machine, silent, timers);
  const std::size_t labels = p.labels().size(), most = std::max<std::size_t>(1, p.blocks.columns / labels);
  const auto alpha = [&](const Simulation& sim) {
    return make_incident(p, make_beam_frame(sim.propagation, sim.orientation, sim.beam.center), 'Y').alpha;
  };
  const auto mine = alpha(cases[first]);
  std::vector<std::size_t> mates{first};
  for (const std::size_t i : others)
    if (mates.size() < most && same_polarizability(mine, alpha(cases[i]))) mates.push_back(i);
  return mates;
}

Outcome plan(const Simulation& sim, const Machine& machine, int ranks) {
  run::Journal journal({});
  TimerTable timers;
  std::unique_ptr<comm::Communicator> none;
  Prepared p = prepare_on_ranks(sim, machine, journal, timers, ranks ? ranks : ranks_asked(machine.ranks),
                                nullptr, none);
  const Angles angles = read_inputs(p, journal);
  Outcome out;
  out.planned_ranks = p.ranks.ranks;
  if (p.has_materials() && sim.precision != Precision::long_double)
    out.fit = run::describe_fit(machine.ranks, machine.backend, machine.device, [&](int ranks) {
      return ranks > 1 && ranks == p.ranks.ranks ? double(total_bytes(p.memory)) : bytes_on_ranks(p, ranks);
    });
  out.ranks = p.ranks.why;
  out.propagation_particle = p.frame.propagation;
  out.memory = p.memory;
  describe_case(std::move(p), angles, journal, timers, out);
  return out;
}

void require_memory(const Outcome& plan) {
  require_memory(plan.machine, plan.memory, plan.machine.ranks.ranks > 1 ? plan.planned_ranks : 1);
}

}  // namespace umov::dda
