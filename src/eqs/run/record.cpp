// From a solution to its record in the outcome.
#include "eqs/run/record.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/timer.hpp"
#include "eqs/model/model_parts.hpp"
#include "eqs/observables/balance.hpp"

namespace umov::eqs {

void count(const Problem& p, const Effort& e, Outcome& out) {
  out.newton += e.newton;
  out.linear += e.linear;
  out.setups += e.setups;
  out.refreshes += e.refreshes;
  out.stages += e.stages;
  out.unstable += e.unstable;
  out.renewal_seconds += e.renewal_seconds;
  out.linear_seconds += e.linear_seconds;
  if (!e.converged) {
    out.converged = false;
    out.why_not = e.why_not + contrast_hint(p);
  }
}

std::string contrast_hint(const Problem& p) {
  if (p.contrast <= 1e5) return {};
  // What is beyond it is tried to be taken away (conductors.cpp), and hinders the solver.
  return fmt::format(
      " (materials that one current passes conduct up to {} times differently, beside what bodies of "
      "good conductors take away); make the best conductor between worse ones an electrode of kind floating",
      written_contrast(p.contrast));
}

void check_currents(const Prepared& p, Outcome& out) {
  if (!out.converged || p.sim.analysis == Analysis::electrostatic) return;
  const bool newton = p.sim.analysis == Analysis::conduction &&
                      std::ranges::any_of(p.problem.materials, &Material::nonlinear);
  const auto why = imbalance_of_currents(
      out.history, newton ? p.sim.newton.tolerance : p.sim.linear.tolerance, out.first_lasting());
  if (!why.empty()) out.converged = false, out.why_not = why;
}

void take(const Prepared& p, Engine& engine, Record r, Outcome& out) {
  r.seen = engine.observe();
  if (!r.seen.why_not.empty()) out.converged = false, out.why_not = r.seen.why_not;
  if (!p.probes.points.empty()) {
    const AddSeconds timed(out.field_seconds);
    sample_points(p.probes, Sampler(p.problem), engine.potential().data(), nullptr, r);
  }
  out.history.push_back(std::move(r));
  ++out.steps;
}

void save_fields(const Prepared& p, const Engine& engine, FrameSink* frames, double time, double& peak,
                 Outcome& out) {
  out.saved_times.push_back(time);
  // the solution of many ranks on the first takes as long as some iterations
  if (!frames && !wants_fields(p.probes)) return;
  const AddSeconds timed(out.field_seconds);
  const Sampler sampler(p.problem);
  const auto u = engine.potential();
  if (frames) frames->frame(out.saved_times.size() - 1, u.data(), sampler.element_fields(u.data()));
  sample_lines(p.probes, sampler, u.data(), nullptr, out);
  double largest = 0;
  for (const auto& material : out.history.back().seen.peaks) largest = std::max(largest, material.field);
  auto cuts = sample_cuts(p.probes, sampler, u.data(), nullptr, time);
  if (largest > peak) {
    peak = largest;
    out.cuts_at_peak = cuts;
  }
  out.cuts_at_end = std::move(cuts);
}

}  // namespace umov::eqs
