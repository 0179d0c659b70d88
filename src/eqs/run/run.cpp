// The course of an electroquasistatic run.
#include "eqs/run/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>
#include <memory>

#include "comm/world.hpp"
#include "core/memory.hpp"
#include "core/signals.hpp"
#include "core/timer.hpp"
#include "eqs/model/contrast_warning.hpp"
#include "eqs/observables/peak_edges.hpp"
#include "eqs/ranks/cut.hpp"
#include "eqs/ranks/team.hpp"
#include "eqs/run/checkpoint.hpp"
#include "eqs/run/solutions.hpp"
#include "run/fit.hpp"
#include "run/ranks.hpp"

namespace umov::eqs {

namespace {

/// A signal before the solution: no Interrupted, whose folder would be kept.
void stop_if_asked() {
  if (interrupted())
    throw Error(Exit(128 + received_signal()), "interrupted before the solution began; nothing is kept");
}

EngineRequest engine_request(const run::Machine& m) { return {m.backend, m.threads, m.gpu()}; }

Outcome solve(const Prepared& p, Engine& engine, FrameSink* frames, Journal& journal) {
  switch (p.sim.analysis) {
    case Analysis::transient:
      return solve_transient(p, engine, frames, journal);
    case Analysis::harmonic:
      return solve_harmonic(p, engine, frames, journal);
    case Analysis::electrostatic:
    case Analysis::conduction:
      break;
  }
  return solve_static(p, engine, frames, journal);
}

/// Fields beyond the last row of a table: its curve goes on there, but nobody has measured it.
void warn_of_tables(const Prepared& p, const Outcome& out, run::Journal& journal) {
  const auto most = extremes(out);
  for (std::size_t m = 0; m < most.size(); ++m) {
    const auto& material = p.problem.materials[m];
    for (const auto& [curve, name] :
         {std::pair{&material.conductivity, "conductivity"}, {&material.permittivity, "permittivity"}}) {
      const bool used = curve == &material.conductivity ? p.sim.analysis != Analysis::electrostatic
                                                        : p.sim.analysis != Analysis::conduction;
      if (!used || curve->kind != CurveSpec::Kind::table ||
          !(most[m].field > curve->field.back() * (1 + 1e-6)))
        continue;
      journal.warn(fmt::format(
          "material '{}': |E| reached {:.4g} V/m, beyond its table of {} ({:.4g} V/m; the curve goes on "
          "log-linearly); complete the table",
          material.name, most[m].field, name, curve->field.back()));
    }
  }
}

/// Largest fields that are made by edges, of facets or meant ones.
void warn_of_edges(const Prepared& p, const Outcome& out, run::Journal& journal) {
  std::vector<Vec3> at;
  for (const Extreme& most : extremes(out)) at.push_back(most.field > 0 ? most.at : Vec3{NAN, NAN, NAN});
  auto edges = peak_edges(p.problem, at);
  const auto& geometry = p.sim.mesh.geometry;
  for (PeakEdge& e : edges) e.of_round = geometry && geometry->kind != "parts" && geometry->kind != "layers";
  for (std::size_t m = 0; m < edges.size(); ++m)
    if (const auto said = peak_warning(p.problem, m, edges[m]); !said.empty()) journal.warn(said);
}

/// Of conductivities at the fields that occurred.
void warn_of_contrast(const Prepared& p, const Outcome& out, run::Journal& journal) {
  std::vector<double> field;
  for (const auto& most : extremes(out)) field.push_back(most.field);
  if (const auto warning = contrast_warning(p.problem, field); !warning.empty()) journal.warn(warning);
}

/// What the engine says of itself after its work.
void describe_engine(const Engine& engine, double setup_seconds, Outcome& out) {
  out.device = engine.device();
  out.setup_seconds.emplace_back("engine", setup_seconds);
  out.solver = engine.describe();
  out.device_bytes = engine.bytes();
  out.device_peak_bytes = engine.peak_bytes();
}

/// The cut into shares of ranks, a part of making an engine, by itself.
void name_shares(double seconds, Outcome& out) {
  auto& rows = out.setup_seconds;
  const auto engine = std::ranges::find(rows, std::string("engine"), [](const auto& r) { return r.first; });
  if (engine == rows.end()) return;
  engine->second -= seconds;
  rows.insert(engine, {"shares of ranks", seconds});
}

}  // namespace

std::string checkpoint_file(const std::string& folder) {
  return (std::filesystem::path(folder) / "checkpoint").string();
}

Outcome run(const Simulation& sim, const run::Machine& machine, const RunObserver& observer,
            FrameSink* frames) {
  require_checkpoint(sim, machine);
  Journal journal(observer);
  Prepared p = prepare(sim, machine, journal);
  p.problem.systems = observer.systems;
  stop_if_asked();
  return run_prepared(p, journal, frames);
}

void wait_before_solution(const Prepared& p, const Engine& engine, const Outcome& out,
                          const Journal& journal) {
  RunWatcher* watcher = journal.observer().watcher;
  if (watcher && watcher->look(p, engine, out) == RunWatcher::Answer::stop)
    throw run::Interrupted("stopped in the view before the solution; there are no results");
  stop_if_asked();
}

namespace {

using MakeEngine = std::function<std::unique_ptr<Engine>(const Problem&)>;

Outcome run_with(const Prepared& p, Journal& journal, FrameSink* frames, const MakeEngine& make) {
  const Simulation& sim = p.sim;
  if (RunWatcher* watcher = journal.observer().watcher) watcher->begin(p);
  journal.stage("set-up");
  const Stopwatch setup;
  auto engine = make(p.problem);
  if (RunWatcher* watcher = journal.observer().watcher)
    engine->tell([watcher](const Effort& so_far) { watcher->solving(so_far); });
  const double setup_seconds = setup.seconds();
  stop_if_asked();
  if (journal.observer().begun) journal.observer().begun();
  Outcome out = solve(p, *engine, frames, journal);
  if (out.converged) {
    warn_of_tables(p, out, journal);
    warn_of_edges(p, out, journal);
    warn_of_contrast(p, out, journal);
  }
  describe_engine(*engine, setup_seconds, out);
  if (sim.outputs.capacitance && sim.analysis != Analysis::conduction) {
    journal.stage("capacitance");
    engine.reset();  // makes room for those of the capacitances
    try {
      out.capacitance = capacitance(p.problem, make);
    } catch (const Error& e) {
      if (e.code() != Exit::not_converged) throw;
      out.converged = false;
      if (out.why_not.empty()) out.why_not = e.what();
    }
  }
  out.host_peak_bytes = peak_memory();
  out.warnings = journal.warnings();
  return out;
}

/// What stops one rank stops all of them.
RunObserver with_ranks(const RunObserver& observer, const Team& team) {
  RunObserver o = observer;
  o.time = [inner = observer.time, &team](const TimeReport& r) {
    return !team.interrupted() && (!inner || inner(r));
  };
  return o;
}

}  // namespace

Outcome run_prepared(const Prepared& p, Journal& journal, FrameSink* frames) {
  require_memory(p);
  return run_with(p, journal, frames,
                  [&](const Problem& problem) { return make_engine(problem, engine_request(p.machine)); });
}

Outcome run_prepared(const Prepared& p, Journal& journal, FrameSink* frames, Team& team) {
  const comm::World* world = comm::world();
  require_memory(p, team.comm().size(), world ? world->local_size() : team.comm().size());
  return run_with(p, journal, frames, [&](const Problem& problem) { return team.make(problem); });
}

Outcome run(comm::Communicator& comm, const Simulation& sim, const run::Machine& machine,
            const RunObserver& observer, FrameSink* frames) {
  if (comm.size() == 1) return run(sim, machine, observer, frames);
  Team team(comm, engine_request(machine));
  Outcome out;
  if (comm.first()) {
    require_checkpoint(sim, machine);
    Journal journal(with_ranks(observer, team));
    const Prepared p = prepare(sim, machine, journal);
    stop_if_asked();
    out = run_prepared(p, journal, frames, team);
    name_shares(team.share_seconds(), out);
    team.dismiss();
  } else {
    team.follow();
  }
  out.ranks =
      run::describe_ranks(comm, team.device(), team.seconds(), double(team.peak_bytes()), team.before());
  return out;
}

namespace {

int ranks_of(const comm::Asked& asked) {
  if (const comm::World* world = comm::world()) return world->size();
  return asked.gpus > 0 ? asked.gpus : std::max(1, asked.ranks);
}

/// What the fullest rank holds: its share goes with its elements.
void plan_ranks(const Prepared& p, Plan& plan) {
  plan.ranks = ranks_of(p.machine.ranks);
  if (plan.ranks == 1) return;
  const Cut cut(p.problem, part_elements(p.problem.mesh, plan.ranks), plan.ranks);
  for (int r = 0; r < plan.ranks; ++r) {
    plan.rank_unknowns = std::max(plan.rank_unknowns, cut.unknowns(r));
    plan.rank_elements = std::max(plan.rank_elements, cut.elements(r));
  }
  plan.rank_bytes = std::size_t(rank_bytes(p.problem, plan.ranks, double(plan.rank_elements)));
}

std::string fit_of(const Prepared& p, const Plan& plan) {
  const run::Machine& m = p.machine;
  const bool on_gpus = m.ranks.gpus != 0 || m.backend == "cuda";
  // on ranks `auto` means processors
  return run::describe_fit(
      m.ranks, plan.ranks > 1 && !on_gpus ? "cpu" : m.backend, m.device,
      [&](int n) {
        if (n == plan.ranks && n > 1) return double(plan.rank_bytes);
        return rank_bytes(p.problem, n, fullest_elements(p.problem, n));
      },
      double(plan.host_bytes));
}

}  // namespace

Plan plan(const Simulation& sim, const run::Machine& machine,
          const std::function<void(const std::string&)>& stage) {
  run::Observer observer;
  observer.stage = stage;
  run::Journal journal(observer);
  const Prepared p = prepare(sim, machine, journal);
  Plan plan;
  plan.outcome = unsolved(p);
  plan.outcome.warnings = journal.warnings();
  const MemoryEstimate bytes = estimate_bytes(p.problem);
  plan.device_bytes = bytes.device;
  plan.host_bytes = bytes.host;
  plan.saved_times = p.schedule.saved;
  plan_ranks(p, plan);
  plan.fit = fit_of(p, plan);
  return plan;
}

}  // namespace umov::eqs
