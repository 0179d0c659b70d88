// A dipole run at one orientation: both polarizations, or one where symmetry gives the other.
#include <fmt/format.h>

#include "dda/run/extinction.hpp"
#include "dda/run/matrices.hpp"
#include "dda/run/observe.hpp"
#include "dda/run/orientations.hpp"

namespace umov::dda {

Outcome single_orientation(const Prepared& p, const Angles& angles, Engine& engine, Journal& journal,
                           TimerTable& timers) {
  Outcome out;
  out.propagation_particle = p.frame.propagation;
  Integration integration = make_integration(angles);
  const Directions directions = make_directions(p, angles);
  Amplitudes y, x;
  std::vector<Incident> incidents;
  for (const char label : p.labels()) incidents.push_back(make_incident(p, p.frame, label));
  solve_each(p, incidents, engine, journal, timers, [&](std::size_t, const Solution& solution) {
    const char label = solution.incident.label;
    ScopedTimer scattered(timers, "scattered field");
    journal.stage(fmt::format("scattered field, {} polarization", label));
    (label == 'Y' ? y : x) = amplitudes(p, solution, directions);
    if (p.one_solve) x = amplitudes(p, solution, directions, true);
    scattered.stop();

    ScopedTimer cross(timers, "cross sections");
    PolarizationResult result = observe(p, solution, integration, journal);
    cross.stop();
    keep_fields(p, solution, result);
    out.polarizations.push_back(std::move(result));
  });
  tabulate(p, angles, directions, y, x, out);
  warn_of_integrals(p, integration, journal);
  report_extinction(p, integration, journal, out);
  return out;
}

}  // namespace umov::dda
