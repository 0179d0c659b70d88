// The search for a periodic steady state.
#include "eqs/run/steady_state.hpp"

#include <fmt/format.h>

#include <utility>

#include "core/text.hpp"
#include "eqs/model/steady_drive.hpp"
#include "eqs/run/record.hpp"
#include "eqs/run/transient.hpp"

namespace umov::eqs {

namespace {

/// The results of an earlier shot are none.
void forget_records(TransientState& t) {
  Outcome& o = t.out;
  o.history.clear();
  o.saved_times.clear();
  for (auto& l : o.lines)
    for (auto* values : {&l.potential, &l.tangential, &l.normal, &l.magnitude}) values->clear();
  for (auto& s : o.surfaces)
    for (auto* values : {&s.normal[0], &s.normal[1], &s.tangential}) values->clear();
  o.cuts_at_peak.clear();
  o.cuts_at_end.clear();
  t.peak = -1;
}

/// The last shot's steps, those of the second half after those of the first.
std::vector<double> grid_of(SteadySearch& s, bool halves, double period) {
  std::vector<double> grid = std::exchange(s.ends, {});
  const std::size_t first = grid.size();
  for (std::size_t k = 0; halves && k < first; ++k) grid.push_back(grid[k] + 0.5 * period);
  return grid;
}

/// At the end of the result.
bool judge(TransientState& t) {
  Outcome& o = t.out;
  const double tolerance = o.simulation.time.tolerance;
  if (o.steady.error <= tolerance) return true;
  o.converged = false;
  o.why_not = fmt::format(
      "the steady state was not found within {:g} periods: its last one closes to {:.2g} of the largest "
      "field, its "
      "error is {:.2g}, more than time.tolerance ({:g}); raise time.most_periods, or loosen time.tolerance",
      o.steady.periods, o.steady.residual, o.steady.error, tolerance);
  return true;
}

/// The shot at hand has ended: how it closed.
ShotEnd close(const Prepared& p, Engine& engine, TransientState& t) {
  SteadyState& found = t.out.steady;
  // the first one's steps are its own: it begins with what the state without charge leaves behind
  ShotEnd end = engine.end_shot(found.halves || t.search.shots > 0);
  ++t.search.shots;
  found.periods += found.halves ? 0.5 : 1;
  found.residual = end.residual;
  found.error = end.error;
  count(p.problem, end.effort, t.out);
  return end;
}

}  // namespace

void begin_record(const Prepared& p, Engine& engine, FrameSink* frames, TransientState& t) {
  forget_records(t);
  if (frames) frames->begin(p.problem, p.schedule.saved, 0);
  Record r;
  r.time = engine.time();
  take(p, engine, std::move(r), t.out);
  --t.out.steps;  // the start is none
  save_fields(p, engine, frames, engine.time(), t.peak, t.out);
}

void begin_search(const Prepared& p, Engine& engine, TransientState& t) {
  t.out.steady.halves = changes_sign_after_half(p.problem, p.schedule.end);
  count(p.problem, engine.start(0), t.out);
  engine.begin_shot(t.out.steady.halves ? -1 : 1);
}

bool end_of_search(const Prepared& p, Engine& engine, FrameSink* frames, TransientState& t) {
  SteadySearch& s = t.search;
  SteadyState& found = t.out.steady;
  const double period = p.schedule.end, length = found.halves ? 0.5 * period : period;
  if (s.closed || engine.time() < length * (1 - 1e-12))
    return engine.time() >= period * (1 - 1e-12) && judge(t);
  const double tolerance = p.sim.time.tolerance;
  const ShotEnd end = close(p, engine, t);
  if (!end.effort.converged) return true;
  const bool good = end.error <= tolerance;
  if (s.kept && (good || s.last)) {
    s.closed = true;
    found.periods += found.halves ? 0.5 : 0;
    return !found.halves && judge(t);
  }
  engine.next_shot();
  // the second shot's own steps, chosen by their errors, are those of all that follow
  s.grid = s.shots > 1 && p.sim.time.step == 0 ? grid_of(s, found.halves, period) : std::vector<double>{};
  s.ends.clear();
  t.control = StepControl(p.sim.time, period, p.schedule.stops, 0, p.schedule.limits);
  t.control.march_by(s.grid);
  s.last = found.periods + 1 + length / period > p.sim.time.most_periods;
  s.kept = good || s.last || end.predicted <= tolerance;
  if (s.kept) begin_record(p, engine, frames, t);
  return false;
}

}  // namespace umov::eqs
