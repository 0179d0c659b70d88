// Complex peak values at one frequency, and the fields over one period.
#include <cmath>

#include "core/timer.hpp"
#include "eqs/observables/balance.hpp"
#include "eqs/run/record.hpp"
#include "eqs/run/solutions.hpp"

namespace umov::eqs {

namespace {

/// One period, frame by frame: the imaginary part of u exp(j omega t).
void write_period(const std::vector<double>& u, std::size_t phases, const Sampler& sampler,
                  FrameSink& frames) {
  const std::size_t n = u.size() / 2;
  const double* imaginary = u.data() + n;
  std::vector<double> instant(n);
  for (std::size_t k = 0; k < phases; ++k) {
    const double phase = 2 * pi * double(k) / double(phases);
    for (std::size_t i = 0; i < n; ++i) instant[i] = u[i] * std::sin(phase) + imaginary[i] * std::cos(phase);
    frames.frame(k, instant.data(), sampler.element_fields(instant.data()));
  }
}

}  // namespace

Outcome solve_harmonic(const Prepared& p, Engine& engine, FrameSink* frames, Journal& journal) {
  Outcome out = unsolved(p);
  if (frames) frames->begin(p.problem, p.schedule.saved, 0);
  wait_before_solution(p, engine, out, journal);
  journal.stage("solution");
  const Stopwatch watch;
  Record r;
  r.effort = engine.solve_harmonic(2 * pi * common_frequency(p.sim.electrodes));
  count(p.problem, r.effort, out);
  r.seen = engine.observe();
  if (const auto why = imbalance(r.seen, p.sim.linear.tolerance); out.converged && !why.empty())
    out.converged = false, out.why_not = why;
  ++out.steps;
  out.saved_times = {0};
  if (frames || !p.probes.points.empty() || wants_fields(p.probes)) {
    const AddSeconds timed(out.field_seconds);
    const Sampler sampler(p.problem);
    const auto u = engine.potential();
    const double* imaginary = u.data() + u.size() / 2;
    sample_points(p.probes, sampler, u.data(), imaginary, r);
    sample_lines(p.probes, sampler, u.data(), imaginary, out);
    out.cuts_at_peak = out.cuts_at_end = sample_cuts(p.probes, sampler, u.data(), imaginary, 0);
    if (frames) write_period(u, p.schedule.saved.size(), sampler, *frames);
  }
  out.history.push_back(std::move(r));
  out.seconds = watch.seconds();
  return out;
}

}  // namespace umov::eqs
