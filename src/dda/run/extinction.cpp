// Optical theorem against the balance of energy.
#include "dda/run/extinction.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace umov::dda {

namespace {

/// Bound of the error of Cext - Cabs relative to it, over the solver's epsilon, from which it is taken from
/// the scattered light: errors of 1/10 to 1/1000 of the bound are measured.
constexpr double tolerance_over_epsilon = 100;
/// Relative bound for Cext of `umov adda` and of what has no balance, from which a warning says so.
constexpr double doubtful = 0.01;
/// Directions times dipoles of an integral that nobody asked for: a minute on one core.
constexpr double most_terms = 2e10;

double extinction_of(const Prepared& p, const Solution& solution) {
  const BeamFrame& frame = solution.incident.frame;
  const Vec3& prop = frame.propagation;
  if (!extinction_is_forward(p.sim.beam))
    return extinction_from_sum(p.far_field_scale(), prop, solution.engine.extinction_sum());
  CVec3 forward;
  solution.engine.far_field(std::span(&prop, 1), std::span(&forward, 1));
  return extinction_forward(p.far_field_scale(), prop, frame.polarization(solution.incident.label), forward);
}

double absorption_of(const Prepared& p, const Solution& solution, std::span<const Vec3> norms) {
  auto multipliers = absorption_multipliers(p.sim.formula, p.wavenumber, p.particle.dipole_volume(),
                                            solution.incident.alpha, p.sim.m);
  if (p.sim.front == Front::dda) drop_rounding(multipliers, solution.incident.alpha);
  return absorption(p.wavenumber, multipliers, norms);
}

/// Per material, the sum over its dipoles of |E_inc,c|^2.
std::vector<Vec3> incident_norms(const Prepared& p, const Solution& solution) {
  std::vector<Vec3> sums(p.particle.materials, Vec3{0, 0, 0});
  if (p.sim.beam.kind == BeamKind::plane) {
    const Vec3& e = solution.incident.frame.polarization(solution.incident.label);
    for (std::size_t m = 0; m < sums.size() && m < p.particle.dipoles_per_material.size(); ++m)
      for (int c = 0; c < 3; ++c) sums[m][c] = double(p.particle.dipoles_per_material[m]) * e[c] * e[c];
    return sums;
  }
  std::vector<CVec3> field(p.particle.dipoles());
  solution.engine.get_incident(field);
  std::size_t i = 0;
  for (const int material : p.particle.material) {
    if (!material) continue;
    for (int c = 0; c < 3; ++c) sums[material - 1][c] += std::norm(field[i][c]);
    ++i;
  }
  return sums;
}

/// What the solver left, and what its precision leaves of sums that cancel.
double residual_of(const Prepared& p, const Solution& solution) {
  const SolveReport& report = solution.report;
  const double rounding = p.sim.precision == Precision::single ? double(std::numeric_limits<float>::epsilon())
                                                               : std::numeric_limits<double>::epsilon();
  return (report.true_residual >= 0 ? report.true_residual : report.residual) + 4 * rounding;
}

double relative(double error, double value) {
  return value == 0 ? (error > 0 ? std::numeric_limits<double>::infinity() : 0) : error / std::abs(value);
}

}  // namespace

void set_cross_sections(const Prepared& p, const Solution& solution, CrossSections& cross) {
  const auto norms = solution.engine.polarization_norms();
  cross.cext = extinction_of(p, solution);
  cross.cabs = absorption_of(p, solution, norms);
  cross.difference = cross.cext - cross.cabs;
  const double residual = residual_of(p, solution);
  cross.difference_error =
      extinction_bound(p.wavenumber, solution.incident.alpha, norms, incident_norms(p, solution), residual) +
      2 * residual * std::abs(cross.cabs);
}

void balance_cross_sections(const Prepared& p, const Solution& solution,
                            const std::optional<ScatteringIntegrals>& total, Integration& integration,
                            CrossSections& cross) {
  if (solution.report.status != SolveStatus::converged || p.sim.beam.kind == BeamKind::dipole) return;
  const double off = relative(cross.difference_error, cross.csca_difference());
  if (cross.csca_difference() > 0 && off <= tolerance_over_epsilon * p.sim.solver.epsilon) return;
  const double terms = double(integration.directions()) * double(p.particle.dipoles());
  if (p.sim.front == Front::dda && terms < most_terms) {
    const auto integrals = total ? *total : integrate(p, solution, cross, integration);
    // twice the relative error of P, and that of the quadrature
    const double error = integrals.total * (integrals.error + 2 * residual_of(p, solution));
    if (integrals.total > 0 && (error < cross.difference_error || cross.csca_difference() <= 0)) {
      cross.cext = cross.cabs + integrals.total;
      cross.difference = integrals.total;
      cross.difference_error = error;
      cross.balanced = integration.balanced = true;
      return;
    }
  }
  integration.doubt = std::max(integration.doubt, relative(cross.difference_error, cross.cext));
}

void report_extinction(const Prepared& p, const Integration& integration, run::Journal& journal,
                       Outcome& out) {
  if (integration.balanced)
    out.angle_notes.push_back(
        "\nCext is Cabs + Csca, Csca integrated over all directions: the optical theorem gives the "
        "difference of\n"
        "larger numbers here\n\n");
  if (integration.doubt <= doubtful) return;
  const bool adda = p.sim.front == Front::adda;
  journal.warn(fmt::format(
      "Cext by the optical theorem may be off by {:.2g} of it, the bound by the residual (it is the small "
      "difference of large numbers here); {}",
      integration.doubt,
      adda ? "take Cabs + Csca (`output.csca`), solve to more digits (`solver.epsilon`), or use umov dda"
           : "solve to a smaller `solver.epsilon`"));
}

}  // namespace umov::dda
