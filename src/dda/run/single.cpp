// A dipole run at one orientation: both polarizations, or one where symmetry gives the other.
#include <fmt/format.h>

#include <algorithm>

#include "dda/run/extinction.hpp"
#include "dda/run/observe.hpp"
#include "dda/run/orientations.hpp"

namespace umov::dda {

OneOrientation::OneOrientation(const Prepared& p, const Angles& angles, Journal& journal, TimerTable& timers)
    : p_(p),
      angles_(angles),
      journal_(journal),
      timers_(timers),
      integration_(make_integration(p, angles)),
      directions_(make_directions(p, angles)) {
  out_.propagation_particle = p.frame.propagation;
}

std::vector<Incident> OneOrientation::incidents() const {
  std::vector<Incident> list;
  for (const char label : p_.labels()) list.push_back(make_incident(p_, p_.frame, label));
  return list;
}

void OneOrientation::take(const Solution& solution) {
  const char label = solution.incident.label;
  ScopedTimer scattered(timers_, "scattered field");
  journal_.stage(fmt::format("scattered field, {} polarization", label));
  (label == 'Y' ? y_ : x_) = amplitudes(p_, solution, directions_);
  if (p_.one_solve) x_ = amplitudes(p_, solution, directions_, true);
  scattered.stop();

  ScopedTimer cross(timers_, "cross sections");
  PolarizationResult result = observe(p_, solution, integration_, journal_);
  cross.stop();
  ScopedTimer fields(timers_, "fields per dipole");
  keep_fields(p_, solution, journal_.observer().fields, result);
  fields.stop();
  out_.polarizations.push_back(std::move(result));
}

Outcome OneOrientation::finish() {
  // blocks come in an order of their own
  std::stable_sort(out_.polarizations.begin(), out_.polarizations.end(),
                   [](const auto& a, const auto& b) { return a.label == 'Y' && b.label != 'Y'; });
  ScopedTimer scattered(timers_, "scattered field");
  tabulate(p_, angles_, directions_, y_, x_, out_);
  scattered.stop();
  const ScopedTimer cross(timers_, "cross sections");
  warn_of_integrals(p_, integration_, journal_);
  report_extinction(p_, integration_, journal_, out_);
  return std::move(out_);
}

Outcome single_orientation(const Prepared& p, const Angles& angles, Engine& engine, Journal& journal,
                           TimerTable& timers) {
  OneOrientation one(p, angles, journal, timers);
  solve_each(p, one.incidents(), engine, journal, timers,
             [&](std::size_t, const Solution& solution) { one.take(solution); });
  return one.finish();
}

}  // namespace umov::dda
