// What every electroquasistatic solution leaves in the outcome: its effort, what was seen, fields.
#include "eqs/run/record.hpp"

#include <algorithm>

namespace umov::eqs {

void count(const Effort& e, Outcome& out) {
  out.newton += e.newton;
  out.linear += e.linear;
  out.setups += e.setups;
  out.refreshes += e.refreshes;
  if (!e.converged) {
    out.converged = false;
    out.why_not = e.why_not;
  }
}

void take(const Prepared& p, Engine& engine, Record r, Outcome& out) {
  r.seen = engine.observe();
  if (!r.seen.why_not.empty()) out.converged = false, out.why_not = r.seen.why_not;
  if (!p.probes.points.empty())
    sample_points(p.probes, Sampler(p.problem), engine.potential().data(), nullptr, r);
  out.history.push_back(std::move(r));
  ++out.steps;
}

void save_fields(const Prepared& p, const Engine& engine, FrameSink* frames, double time, double& peak,
                 Outcome& out) {
  const Sampler sampler(p.problem);
  const auto u = engine.potential();
  if (frames) frames->frame(out.saved_times.size(), u.data(), sampler.element_fields(u.data()));
  sample_lines(p.probes, sampler, u.data(), nullptr, out);
  double largest = 0;
  for (const auto& material : out.history.back().seen.peaks) largest = std::max(largest, material.field);
  auto cuts = sample_cuts(p.probes, sampler, u.data(), nullptr, time);
  if (largest > peak) {
    peak = largest;
    out.cuts_at_peak = cuts;
  }
  out.cuts_at_end = std::move(cuts);
  out.saved_times.push_back(time);
}

}  // namespace umov::eqs
