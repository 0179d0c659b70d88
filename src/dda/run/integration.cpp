// The integrals of the scattered field over all directions: refinement, checks.
#include "dda/run/integration.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace umov::dda {

namespace {

/// Error of the integrals over all directions, relative to Csca, above which a warning says so, and above
/// which the built-in angles are refined: resolved integrals have estimates of 2e-4 and less.
constexpr double integral_tolerance = 0.01, refined_tolerance = 2e-3;
/// The integrals that nobody asked for begin with 17 times 8 directions, exact for small particles, and this
/// error decides that they suffice.
constexpr int coarsest = -2;
constexpr double coarse_tolerance = 1e-6;
/// 1024 times 512 directions; each refinement costs four times the one before.
constexpr int most_refinements = 4;
/// Directions times dipoles of a refinement: minutes on one core.
constexpr double most_terms = 2e10;

/// The built-in directions are too few where parts of the particle are many wavelengths apart: there they are
/// refined until the estimate of the error is small. Those of a file, and ADDA's, are left as they are.
bool refine(const Prepared& p, double error, const Integration& i) {
  if (p.sim.front != Front::dda || (i.wanted && !p.sim.outputs.alldir_file.empty())) return false;
  const double next = 4.0 * double(i.directions.theta.values.size() * i.directions.phi.values.size());
  return error > (i.refinements < 0 ? coarse_tolerance : refined_tolerance) &&
         i.refinements < most_refinements && next * double(p.particle.dipoles()) < most_terms;
}

/// Csca = Cext - Cabs to rounding and the residual where point dipoles interact as they radiate.
double imbalance(const Simulation& sim, double csca, const CrossSections& cross) {
  if (sim.interaction != Interaction::point || sim.formula != ScatteringFormula::draine) return 0;
  const double off = std::abs(csca - cross.csca_difference());
  const double residual = std::max(100 * sim.solver.epsilon * std::abs(cross.cext), cross.difference_error);
  return csca > 0 && off > residual ? off / csca : 0;
}

}  // namespace

Integration make_integration(const Angles& angles) {
  if (angles.all) return {*angles.all};
  return {built_in_directions(coarsest), false, coarsest};
}

ScatteringIntegrals integrate(const Prepared& p, const Solution& solution, const CrossSections& cross,
                              Integration& i) {
  const Outputs& o = p.sim.outputs;
  const Incident& incident = solution.incident;
  const auto over = [&](const AllDirections& directions, const FarFieldSums& sums) {
    return integrate_scattering(sums, p.far_field_scale(), incident.frame, directions, o.csca,
                                o.vec || o.asym, incident.label);
  };
  ScatteringIntegrals integrals = over(i.directions, solution.shared_far_field());
  while (refine(p, integrals.error, i)) {
    i.directions = built_in_directions(++i.refinements);
    integrals = over(i.directions, solution.far_field());  // the next wave begins with the finest
  }
  i.error = std::max(i.error, integrals.error);
  if (!i.wanted) return integrals;
  i.converged = i.converged && solution.report.status == SolveStatus::converged;
  if (i.converged) i.imbalance = std::max(i.imbalance, imbalance(p.sim, integrals.total, cross));
  return integrals;
}

void warn_of_integrals(const Prepared& p, const Integration& i, front::Journal& journal) {
  if (p.sim.front != Front::dda || !i.wanted) return;
  if (i.error <= integral_tolerance && i.imbalance <= integral_tolerance) return;
  if (i.error <= integral_tolerance) {
    journal.warn(
        fmt::format("Csca by integration over all directions (estimated error {:.2g} of it) differs from "
                    "Cext - Cabs by {:.2g} "
                    "of it; take the integral, or solve to a smaller --epsilon and compare again",
                    i.error, i.imbalance));
    return;
  }
  journal.warn(fmt::format(
      "the integrals over all directions have not converged (Csca, Csca g and g: estimated error {:.2g} of "
      "Csca; Csca differs from Cext - Cabs by {:.2g}); give finer angles (Jmax) by --integration-file, or "
      "take Csca from Cext - Cabs",
      i.error, i.imbalance));
}

}  // namespace umov::dda
