// The march through time: steps, looks at the fields, snapshots, the end.
#include "fdtd/run/march.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include "core/error.hpp"
#include "core/timer.hpp"
#include "fdtd/model/conductor_notes.hpp"
#include "fdtd/model/paint.hpp"
#include "fdtd/ranks/rank_engine.hpp"
#include "fdtd/run/run.hpp"

namespace umov::fdtd {

namespace {

void paint_bodies(March& m, const Prepared& p, const Journal& journal) try {
  paint(p.sim, *m.scene, m.problem, journal.observer().painted);
} catch (const Error& e) {
  if (e.code() == Exit::interrupted) throw run::Interrupted(e.what());
  throw;
}

/// The problem of a march, on the host, and what its monitors will need of it.
void build_problem(March& m, const Prepared& p, const Journal& journal) {
  m.problem.grid = p.grid;
  m.problem.precision = p.sim.precision;
  set_walls(p.sim, m.problem);
  journal.stage("painting");
  paint_bodies(m, p, journal);
  journal.stage("sources");
  add_sources(p.sim, *m.scene, m.problem);
  journal.stage("monitors");
  m.monitors.emplace(p.sim, *m.scene, m.problem, p.machine.threads,
                     [&](const std::string& text) { journal.stage("monitors: " + text); });
}

/// Of a reference run that cannot be made: says so where the run itself can, and else what that is refused
/// for.
[[noreturn]] void refuse_reference(const Prepared& p, const std::string& why, const Journal& journal) {
  March run;
  run.scene = p.scene.get();
  build_problem(run, p, journal);
  const auto kept = std::ranges::count(p.sim.bodies, true, &BodySpec::in_reference);
  throw BadInput(fmt::format(
      "{} in the reference run, which the run itself does not meet (with normalize = true a first run has "
      "the bodies with in_reference = true alone, {} of {}); give the waveguides that sources and monitors "
      "cross "
      "in_reference = true, or leave normalize out",
      why.substr(0, why.rfind("; ")), kept, p.sim.bodies.size()));
}

void build_reference(March& m, const Prepared& p, const Journal& journal) {
  try {
    build_problem(m, p, journal);
  } catch (const BadInput& e) {
    m.monitors.reset();
    m.problem = {};
    refuse_reference(p, e.what(), journal);
  }
}

void report_conductors(const Problem& problem, Journal& journal) {
  if (const std::string note = conductor_note(problem); !note.empty()) journal.note(note);
  if (const std::string text = thin_conductor_warning(problem); !text.empty()) journal.warn(text);
  journal.warn(problem.doubts);
}

/// The engine has its own copy; only the sources' functions are needed, should the run diverge.
void release_arrays(Problem& problem) {
  for (auto& list : problem.material) std::vector<std::uint16_t>().swap(list);
  for (auto& list : problem.tensor) std::vector<TensorTerm>().swap(list);
}

DivergenceWatch divergence_watch(const Prepared& p, const Scene& scene) {
  // Beyond the limit no step is compared: a run that is given more time later must not take its limit for
  // that.
  const auto step_of = [&](double time) {
    return time < p.grid.dt * double(p.stop.limit) ? std::lround(time / p.grid.dt)
                                                   : std::numeric_limits<long>::max();
  };
  double heaviest = 1;
  for (const auto& m : scene.materials()) heaviest = std::max({heaviest, m.eps[0], m.eps[1], m.eps[2]});
  return {step_of(p.stop.settled_at), step_of(p.stop.silent_at), heaviest};
}

/// Steps to the next moment at which anything has to be done.
long steps_ahead(const March& m, const Prepared& p, const MarchWatcher* watcher) {
  const long step = m.engine->step();
  const long piece = steps_between_reports(p.grid, p.machine.backend == "cuda");
  long next = (step / piece + 1) * piece;
  next = std::min(next, (step / watch_interval + 1) * watch_interval);
  if (m.snapshots) next = std::min(next, m.snapshots->next(step));
  next = std::min(next, m.monitors->next_record(step));
  if (watcher) next = std::min(next, watcher->next(step));
  return std::min(next, p.stop.limit) - step;
}

/// What f gives; its time is added.
template <class F>
auto timed(double& seconds, const F& f) {
  const AddSeconds count(seconds);
  return f();
}

/// Throws Diverged; warns of energy from nowhere.
void check_growth(March& m, const Prepared& p, const FieldWatch& watch, Journal& journal) {
  const long step = m.engine->step();
  if (const auto why = m.divergence->check(step, watch); !why.empty())
    throw Diverged(fmt::format("the fields diverged within {} steps: {} ({})", step, why,
                               likely_cause(p.sim, *m.scene, m.problem, step)));
  if (m.divergence->growth(step, watch) > DivergenceWatch::too_much_growth)
    journal.warn(
        "the energy of the fields grew more than tenfold after the sources had ended (nothing passive does "
        "that; a dispersive body in an absorbing layer may); do not trust this run: keep such bodies out of "
        "the layers, or lower courant");
}

/// Snapshots, records and looks that are due at the engine's step; true when a criterion ends the march.
bool after_steps(March& m, const Prepared& p, Journal& journal) {
  const long step = m.engine->step();
  StepTimes& t = m.times;
  if (m.snapshots)
    if (const auto text = timed(t.pictures, [&] { return m.snapshots->take(*m.engine); }); !text.empty())
      journal.warn(text);
  const bool watched = step % watch_interval == 0 || step == p.stop.limit;
  const bool recorded = step == m.monitors->next_record(step - 1);
  if (!watched && !recorded) return false;
  const FieldWatch watch = timed(t.energies, [&] { return m.engine->watch(); });
  ++t.energies_taken;
  m.monitors->note_energy(watch.electric_energy + watch.magnetic_energy);
  if (recorded) timed(t.records, [&] { m.monitors->record(*m.engine); }), ++t.records_taken;
  if (!watched) return false;
  check_growth(m, p, watch, journal);
  const auto end = timed(t.criteria, [&] { return m.rule->check(step, watch, *m.monitors, *m.engine); });
  m.ended = end.has_value();
  if (end) m.stop_reason = *end;
  return m.ended;
}

/// Tells the observer, and saves when it is time or when the observer of any rank wants to stop.
void report(const March& m, const Prepared& p, Checkpoints& checkpoints, const Journal& journal) {
  checkpoints.between_steps(&m, asked_to_stop(where(m, p), journal));
}

/// Lets the watcher look; true when it ends the march.
bool look(March& m, const Prepared& p, Checkpoints& checkpoints, MarchWatcher* watcher) {
  while (watcher) {
    switch (watcher->look(p, m)) {
      case MarchWatcher::Answer::go_on:
        return false;
      case MarchWatcher::Answer::save:
        checkpoints.ask_save(m);
        continue;  // a paused run stays where it is
      case MarchWatcher::Answer::stop:
        m.converged = false;
        m.stop_reason = fmt::format("stopped in the view at step {}", m.engine->step());
        return true;
    }
  }
  return false;
}

/// The last possible step came before any criterion's end.
void end_at_limit(March& m, const StopPlan& stop) {
  m.converged = stop.fixed || stop.lenient;
  m.stop_reason = stop.fixed     ? fmt::format("{} steps are done", stop.limit)
                  : stop.lenient ? m.rule->not_steady(stop.limit)
                                 : fmt::format("the limit of {} steps came before the end ({})", stop.limit,
                                               m.rule->measure());
}

/// To the end by a criterion, by the limit or by the watcher; or to where the ranks of a pair join.
void take_steps(March& m, const Prepared& p, Checkpoints& checkpoints, Journal& journal, const Pair* pair) {
  using Clock = std::chrono::steady_clock;
  MarchWatcher* const watcher = journal.observer().watcher;
  const auto joining = [&] { return pair && pair->joining(); };
  report(m, p, checkpoints, journal);
  while (!joining() && !m.ended && m.engine->step() < p.stop.limit) {
    if (look(m, p, checkpoints, watcher)) return;
    const auto start = Clock::now();
    timed(m.times.steps, [&] { m.engine->advance(steps_ahead(m, p, watcher)); });
    ++m.times.advances;
    timed(m.times.samples, [&] { m.monitors->drain(*m.engine); });
    const bool ended = after_steps(m, p, journal);
    m.seconds += std::chrono::duration<double>(Clock::now() - start).count();
    if (ended) return;
    report(m, p, checkpoints, journal);
  }
  if (!joining() && !m.ended) end_at_limit(m, p.stop);
}

}  // namespace

namespace {

/// All of a march but its engine.
March built_march(const Prepared& p, Phase phase, Journal& journal) {
  journal.stage("scene");
  March m;
  m.phase = phase;
  if (phase == Phase::reference) m.own_scene = make_scene(p.sim, true);
  m.scene = phase == Phase::reference ? m.own_scene.get() : p.scene.get();
  phase == Phase::reference ? build_reference(m, p, journal) : build_problem(m, p, journal);
  if (phase == Phase::run) report_conductors(m.problem, journal);
  return m;
}

}  // namespace

void rehearse(const Prepared& p, Journal& journal) {
  if (p.sim.normalize) built_march(p, Phase::reference, journal);
  built_march(p, Phase::run, journal);
}

March start_march(const Prepared& p, Phase phase, Journal& journal) {
  March m = built_march(p, phase, journal);
  journal.stage("engine");
  ranks::PartOptions options;
  options.cut = p.machine.cut;
  options.told = [&](const ranks::Cut& cut) { m.cut = cut.text(); };
  m.engine = ranks::make_engine(
      m.problem, {p.machine.backend, p.machine.threads, p.machine.gpu(), p.sim.tuned}, *p.comm, options);
  release_arrays(m.problem);
  m.rule.emplace(p.stop, p.grid);
  m.divergence = divergence_watch(p, *m.scene);
  if (phase == Phase::run) m.snapshots.emplace(p.sim, p.grid, p.stop.limit, p.stop.fixed);
  return m;
}

void march_to_end(March& m, const Prepared& p, Checkpoints& checkpoints, Journal& journal, const Pair* pair) {
  checkpoints.resume(m);
  checkpoints.start_clock();
  MarchWatcher* const watcher = journal.observer().watcher;
  if (watcher) watcher->begin(p, m);
  take_steps(m, p, checkpoints, journal, pair);
  if (watcher) watcher->end(p, m);
}

StepReport where(const March& m, const Prepared& p) {
  return {m.engine->step(), p.stop.limit, p.stop.fixed, double(p.grid.cell_count()), m.rule->measure()};
}

bool asked_to_stop(const StepReport& at, const Journal& journal) {
  const auto& step = journal.observer().step;
  return step && !step(at);
}

}  // namespace umov::fdtd
