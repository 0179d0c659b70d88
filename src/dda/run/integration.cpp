// The integrals of the scattered field over all directions: by which directions, checks.
#include "dda/run/integration.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace umov::dda {

namespace {

/// Error of the integrals over all directions, relative to Csca, from which they have not converged.
constexpr double integral_tolerance = 0.01;

/// Static polarizabilities have no radiative reaction: their light is not Cext - Cabs.
bool radiates(Polarizability pol) {
  return pol != Polarizability::cm && pol != Polarizability::nloc && pol != Polarizability::nloc_av;
}

/// Csca = Cext - Cabs to rounding and the residual where point dipoles interact as they radiate.
double imbalance(const Simulation& sim, double csca, const CrossSections& cross) {
  if (sim.interaction != Interaction::point || sim.formula != ScatteringFormula::draine) return 0;
  const double off = std::abs(csca - cross.csca_difference());
  const double residual = std::max(100 * sim.solver.epsilon * std::abs(cross.cext), cross.difference_error);
  return csca > 0 && off > residual ? off / csca : 0;
}

}  // namespace

Integration make_integration(const Prepared& p, const Angles& angles) {
  Integration i;
  i.wanted = p.sim.outputs.csca || p.sim.outputs.vec || p.sim.outputs.asym;
  if (angles.all)
    i.given = *angles.all;
  else
    i.rules = rule_for(p.wavenumber, diameter_of(p.particle));
  return i;
}

ScatteringIntegrals integrate(const Prepared& p, const Solution& solution, const CrossSections& cross,
                              Integration& i) {
  const Outputs& o = p.sim.outputs;
  const Incident& incident = solution.incident;
  const auto over = [&](const auto& directions) {
    return integrate_scattering(solution.shared_far_field(), p.far_field_scale(), incident.frame, directions,
                                o.csca, o.vec || o.asym, incident.label);
  };
  ScatteringIntegrals integrals = i.given ? over(*i.given) : over(i.rules);
  i.converged = i.converged && solution.report.status == SolveStatus::converged;
  const double off = i.wanted && i.converged ? imbalance(p.sim, integrals.total, cross) : 0;
  i.imbalance = std::max(i.imbalance, off);
  // directions of a file may miss the same in both of their estimates: Cext - Cabs knows nothing of them
  if (i.given && radiates(p.sim.polarizability)) integrals.error = std::max(integrals.error, off);
  i.error = std::max(i.error, integrals.error);
  return integrals;
}

void set_integrals(const ScatteringIntegrals& integrals, CrossSections& cross) {
  cross.csca = integrals.csca;
  cross.csca_g = integrals.csca_g;
  cross.integral_error = integrals.error * integrals.total;
  cross.integrals_converged = integrals.error <= integral_tolerance;
}

void set_average_error(const Integration& i, CrossSections& cross) {
  cross.integral_error = i.error * cross.csca.value_or(0);
  cross.integrals_converged = i.error <= integral_tolerance;
}

void warn_of_integrals(const Prepared& p, const Integration& i, run::Journal& journal) {
  if (!i.wanted) return;
  if (i.error > integral_tolerance) {
    const bool adda = p.sim.front == Front::adda;
    journal.warn(fmt::format(
        "the integrals over all directions have NOT converged (Csca, Csca g and g: estimated error {:.2g} of "
        "Csca; Csca differs from Cext - Cabs by {:.2g}); give finer angles (Jmax) by `output.alldir_file`, "
        "or {}",
        i.error, i.imbalance,
        adda ? "use umov dda, whose angles follow the size of the particle"
             : "leave the file out: the angles then follow the size of the particle"));
  } else if (i.imbalance > integral_tolerance && p.sim.front == Front::dda) {
    journal.warn(fmt::format(
        "Csca by integration over all directions (estimated error {:.2g} of it) differs from "
        "Cext - Cabs by {:.2g} of it; take the integral, or solve to a smaller `solver.epsilon` and "
        "compare again",
        i.error, i.imbalance));
  }
}

}  // namespace umov::dda
