// Steps in time: the start or a checkpoint, steps to the end, what is reported and saved between them.
#include "eqs/run/transient.hpp"

#include <fmt/format.h>

#include <cmath>

#include "core/timer.hpp"
#include "eqs/run/passing.hpp"
#include "eqs/run/record.hpp"
#include "eqs/run/run.hpp"
#include "eqs/run/small_fields.hpp"
#include "eqs/run/solutions.hpp"

namespace umov::eqs {

namespace {

bool checkpoints_on(const run::Machine& machine) { return !machine.output_dir.empty(); }

/// Stabilised methods choose a first step of controlled length themselves.
void choose_first_step(const Prepared& p, Engine& engine, TransientState& t) {
  const TimeSpec& time = p.sim.time;
  if (time.step > 0 || time.first_step > 0 || !t.out.converged) return;
  Effort effort;
  const double first = engine.first_step(t.control.longest(0), time.tolerance, effort);
  count(p.problem, effort, t.out);
  if (first > 0) t.control.begin_with(first);
}

/// The state without free charge at time 0.
void start(const Prepared& p, Engine& engine, FrameSink* frames, TransientState& t) {
  const Stopwatch watch;
  if (p.sim.time.steady_state) {
    begin_search(p, engine, t);
    t.out.seconds += watch.seconds();
    return;
  }
  if (frames) frames->begin(p.problem, p.schedule.saved, 0);
  Record r;
  r.effort = engine.start(0);
  count(p.problem, r.effort, t.out);
  take(p, engine, std::move(r), t.out);
  --t.out.steps;  // the start is none
  save_fields(p, engine, frames, 0, t.peak, t.out);
  choose_first_step(p, engine, t);
  t.out.seconds += watch.seconds();
}

/// Undoes the last step, unless what was saved at its end would be another then.
void undo_step(const Prepared& p, Engine& engine, Outcome& out, Record& r) {
  if (out.history.back().time <= out.saved_times.back() + 1e-9 * p.schedule.end || !engine.go_back()) return;
  out.history.pop_back();
  --out.steps;
  ++r.rejected;
}

/// Tries steps until one is accepted; false when none can be taken.
bool try_steps(const Prepared& p, Engine& engine, TransientState& state, Record& r) {
  StepControl& control = state.control;
  for (;;) {
    const double t = engine.time();
    const double wanted = control.next(t), longest = engine.plan(wanted, control.longest(t));
    if (longest < wanted && !control.can_take(t, longest)) return false;
    // in equal parts, without a splinter at the end
    const double dt = longest < wanted ? wanted / std::ceil(wanted / longest) : wanted;
    const StepTry tried = engine.attempt(dt);
    r.effort.add_work(tried.effort);
    r.step = dt;
    r.error = tried.error;
    r.material_error = tried.material_error;
    r.stages = tried.stages;
    r.rate = tried.rate;
    r.cut = longest < wanted;
    if (tried.first_rate > 0) control.allow_for(tried.first_rate);
    if (p.sim.time.scheme == Scheme::automatic) control.follow(tried.stages > 0);
    const auto verdict = control.judge(t, dt, tried.error, tried.effort.converged, tried.effort.why_not);
    if (verdict == StepControl::Verdict::accept) return true;
    if (verdict == StepControl::Verdict::give_up) return false;
    ++r.rejected;
    if (verdict == StepControl::Verdict::back) undo_step(p, engine, state.out, r);
  }
}

/// One accepted step towards the next stop; false when none can be taken.
bool step(const Prepared& p, Engine& engine, FrameSink* frames, TransientState& t) {
  const Stopwatch watch;
  Outcome& out = t.out;
  Record r;
  const bool accepted = try_steps(p, engine, t, r);
  count(p.problem, r.effort, out);
  if (accepted) {
    engine.accept();
    r.time = engine.time();
    out.rejected += r.rejected;
    if (p.sim.time.steady_state) t.search.ends.push_back(r.time);
    if (p.sim.time.steady_state && !t.search.kept) {
      ++out.steps;
      out.seconds += watch.seconds();
      return true;
    }
    take(p, engine, std::move(r), out);
    const auto& saved = p.schedule.saved;
    const std::size_t next = out.saved_times.size();
    if (next < saved.size() && engine.time() >= saved[next] - 1e-9 * p.schedule.end)
      save_fields(p, engine, frames, saved[next], t.peak, out);
  } else {
    out.converged = false;
    out.why_not = t.control.why() + contrast_hint(p.problem);
  }
  out.seconds += watch.seconds();
  return accepted;
}

/// Tells the observer, who may end the run.
bool go_on(const Engine& engine, const Schedule& schedule, const Outcome& out, const RunObserver& observer) {
  return !observer.time ||
         observer.time({engine.time(), schedule.end, out.steps, out.rejected, out.newton, out.linear});
}

bool over(const Prepared& p, Engine& engine, FrameSink* frames, TransientState& t) {
  if (!p.sim.time.steady_state) return engine.time() >= p.schedule.end * (1 - 1e-12);
  const Stopwatch watch;
  const bool ended = end_of_search(p, engine, frames, t);
  t.out.seconds += watch.seconds();
  return ended;
}

std::string interruption(const run::Machine& machine, double time) {
  if (!checkpoints_on(machine)) return "interrupted; there is no checkpoint, nothing is kept";
  return fmt::format("interrupted at t = {:.6g} s; the state is in {}, continue with `resume = '{}'`", time,
                     checkpoint_file(machine.output_dir), machine.output_dir);
}

}  // namespace

Outcome solve_transient(const Prepared& p, Engine& engine, FrameSink* frames, Journal& journal) {
  const Simulation& sim = p.sim;
  const run::Machine& machine = p.machine;
  const Schedule& schedule = p.schedule;
  const std::uint64_t fingerprint = case_fingerprint(sim);
  TransientState t{unsolved(p), StepControl(sim.time, schedule.end, schedule.stops, 0, schedule.limits)};
  if (machine.checkpoint.resume) {
    journal.stage("checkpoint");
    resume_state(p, fingerprint, t, engine);
    if (frames && !t.out.history.empty()) frames->begin(p.problem, schedule.saved, t.out.saved_times.size());
  } else {
    journal.stage("start");
    start(p, engine, frames, t);
  }
  journal.stage("");
  const bool saves = checkpoints_on(machine);
  RunWatcher* watcher = journal.observer().watcher;
  Stopwatch since_save;
  for (;;) {
    const auto answer = watcher ? watcher->look(p, engine, t.out) : RunWatcher::Answer::go_on;
    if (!go_on(engine, schedule, t.out, journal.observer())) {
      if (saves) save_state(t, engine, fingerprint);
      throw run::Interrupted(interruption(machine, engine.time()));
    }
    const double interval = machine.checkpoint.interval;
    const bool due = interval > 0 && since_save.seconds() >= interval;
    if (saves && (due || answer == RunWatcher::Answer::save)) {
      try_save_state(t, engine, fingerprint, journal);
      since_save = {};
    }
    if (over(p, engine, frames, t)) break;
    if (answer == RunWatcher::Answer::stop) {
      t.out.converged = false;
      t.out.why_not = fmt::format("stopped in the view at t = {:.6g} s", engine.time());
      break;
    }
    if (!step(p, engine, frames, t)) break;
  }
  // of a search that failed: where it stands
  if (t.out.history.empty()) begin_record(p, engine, frames, t);
  if (!t.out.converged && saves) try_save_state(t, engine, fingerprint, journal);
  sim.time.steady_state ? warn_of_slow_charges(p, t.out, journal) : note_passing(p, t.out, journal);
  warn_of_small_fields(p, t.out, journal);
  warn_of_switching(p, t.out, journal);
  check_currents(p, t.out);
  // what left its region is done again from a state in which fast parts may have grown already
  if (sim.time.spectral_radius == SpectralRadius::rayleigh && t.out.unstable > 0)
    journal.warn(fmt::format(
        "with time.spectral_radius = \"rayleigh\" {} of {} steps left their stability region (they were "
        "done again, but "
        "what decays fast may have grown before that was seen, and stays); compare with \"bound\"",
        t.out.unstable, t.out.steps));
  return std::move(t.out);
}

}  // namespace umov::eqs
