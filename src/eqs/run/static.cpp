// Electrostatics and steady conduction: one solution.
#include <limits>

#include "core/timer.hpp"
#include "eqs/run/record.hpp"
#include "eqs/run/solutions.hpp"

namespace umov::eqs {

Outcome solve_static(const Prepared& p, Engine& engine, FrameSink* frames, Journal& journal) {
  Outcome out = unsolved(p);
  if (frames) frames->begin(p.problem, p.schedule.saved, 0);
  wait_before_solution(p, engine, out, journal);
  journal.stage("solution");
  const Stopwatch watch;
  const double time = p.schedule.end;
  const bool moment = p.sim.time.moment().has_value();  // without one the amplitudes are meant
  Record r;
  r.time = time;
  r.effort = engine.solve_static(moment ? time : std::numeric_limits<double>::quiet_NaN());
  count(p.problem, r.effort, out);
  take(p, engine, std::move(r), out);
  check_currents(p, out);
  double peak = -1;
  save_fields(p, engine, frames, time, peak, out);
  out.seconds = watch.seconds();
  return out;
}

}  // namespace umov::eqs
