// The average of a dipole run over orientations.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "dda/observables/orientation_average.hpp"
#include "dda/observables/phi_integration.hpp"
#include "dda/run/course.hpp"

namespace umov::dda {

namespace {

/// Relative error of S11 from which a warning says so: the stages are chosen by Cext alone.
constexpr double s11_tolerance = 0.05;

/// The solves of an average as one report: sums of work, the worst end.
void add_solve(SolveReport& all, const SolveReport& one) {
  all.iterations += one.iterations;
  all.products += one.products;
  all.seconds += one.seconds;
  all.seconds_products += one.seconds_products;
  all.residual = std::max(all.residual, one.residual);
  all.true_residual = std::max(all.true_residual, one.true_residual);
  if (all.status != SolveStatus::converged || one.status == SolveStatus::converged) return;
  all.status = one.status;
  all.advice = one.advice;
}

}  // namespace

void DdaRun::average() {
  const Outputs& o = sim_.outputs;
  AverageRequest request;
  request.angles = load_orientation_angles(sim_.orientation.average_file);
  // as in ADDA's log, before the angles of the scattering, which are loaded already
  out_.angle_notes.insert(out_.angle_notes.begin(), describe(request.angles));
  if (plane_) {
    request.plane = *plane_;
    request.theta_intervals = o.ntheta ? o.ntheta : default_theta_intervals(out_.particle.sites());
  }
  load_angles();
  request.grid = grid_;
  PolarizationResult mean;
  mean.label = average_label;
  mean.solve.residual = 0;
  long orientations = 0;
  auto averaged = average_over_orientations(request, [&](double beta, double gamma) {
    orient({0, beta, gamma, false, ""});
    OrientedScattering s;
    s.frame = frame_;
    s.y = oriented('Y', request, mean.solve);
    s.x = oriented('X', request, mean.solve);
    ++orientations;
    return s;
  });
  mean.cross = averaged.cross;
  out_.orientations = orientations;
  if (!averaged.converged && request.angles.beta.axis.eps > 0)
    warn(fmt::format(
        "the average over orientations reached a relative error of {:.2g} in Cext ({:g} is asked for "
        "by {}); give more stages (Jmax) in a file of angles",
        averaged.error, request.angles.beta.axis.eps, request.angles.source));
  if (sim_.front == Front::dda && averaged.s11_error > s11_tolerance)
    warn(fmt::format(
        "the averaged Mueller matrix has not converged where Cext has (S11 at theta = {:g} has an estimated "
        "error of {:.2g}, the largest of all angles); give more stages (Jmin, Jmax) in a file of angles",
        averaged.s11_theta, averaged.s11_error));
  out_.polarizations = {mean};
  out_.orientation_log = averaged.log.text;
  out_.plane = std::move(averaged.plane);
  out_.grid = std::move(averaged.grid);
  if (grid_ && o.phi_integr) out_.phi_integrals = integrate_over_phi(o.phi_integr, *grid_, out_.grid);
}

OrientedPolarization DdaRun::oriented(char label, const AverageRequest& request, SolveReport& all) {
  auto result = solve(label);
  add_solve(all, result.solve);
  const auto sums = far_field();
  cross_sections(label, sums, result);
  OrientedPolarization o{result.cross, {}};
  if (request.matrices()) o.amplitudes = amplitudes_for_alphas(sums, scale(), frame_, request);
  return o;
}

}  // namespace umov::dda
