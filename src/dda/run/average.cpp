// A dipole run averaged over orientations.
#include <fmt/format.h>

#include <algorithm>

#include "dda/observables/orientation_average.hpp"
#include "dda/run/matrices.hpp"
#include "dda/run/observe.hpp"
#include "dda/run/orientations.hpp"

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
  all.preconditionings += one.preconditionings;
  all.seconds_preconditioning += one.seconds_preconditioning;
  if (!one.preconditioner.empty()) all.preconditioner = one.preconditioner;
  all.residual = std::max(all.residual, one.residual);
  all.true_residual = std::max(all.true_residual, one.true_residual);
  if (all.status != SolveStatus::converged || one.status == SolveStatus::converged) return;
  all.status = one.status;
  all.advice = one.advice;
}

AverageRequest average_request(const Prepared& p, const Angles& angles) {
  AverageRequest request;
  request.angles = *angles.orientations;
  if (p.plane) {
    request.plane = *p.plane;
    request.theta_intervals = theta_intervals(p);
  }
  request.grid = angles.grid;
  return request;
}

void warn_of_average(const Prepared& p, const OrientationAngles& angles, const OrientationAverage& averaged,
                     front::Journal& journal) {
  if (!averaged.converged && angles.beta.axis.eps > 0)
    journal.warn(fmt::format(
        "the average over orientations reached a relative error of {:.2g} in Cext ({:g} is asked for "
        "by {}); give more stages (Jmax) in a file of angles",
        averaged.error, angles.beta.axis.eps, angles.source));
  if (p.sim.front == Front::dda && averaged.s11_error > s11_tolerance)
    journal.warn(fmt::format(
        "the averaged Mueller matrix has not converged where Cext has (S11 at theta = {:g} has an estimated "
        "error of {:.2g}, the largest of all angles); give more stages (Jmin, Jmax) in a file of angles",
        averaged.s11_theta, averaged.s11_error));
}

}  // namespace

Outcome average_orientations(const Prepared& p, const Angles& angles, Engine& engine, front::Journal& journal,
                             TimerTable& timers) {
  const AverageRequest request = average_request(p, angles);
  Outcome out;
  // as in ADDA's log, before the angles of the scattering
  out.angle_notes.push_back(describe(request.angles));
  std::optional<Integration> integration;
  if (angles.all) integration = Integration{*angles.all};
  PolarizationResult mean;
  mean.label = average_label;
  mean.solve.residual = 0;
  const auto solve_at = [&](double beta, double gamma) {
    const BeamFrame frame =
        make_beam_frame(p.sim.propagation, {0, beta, gamma, false, ""}, p.sim.beam.center);
    const auto polarization = [&](char label) {
      const Solution solution = solve(p, make_incident(p, frame, label), engine, journal, timers);
      add_solve(mean.solve, solution.report);
      OrientedPolarization oriented{observe(p, solution, integration, journal).cross, {}};
      if (request.matrices())
        oriented.amplitudes =
            amplitudes_for_alphas(solution.far_field(), p.far_field_scale(), frame, request);
      return oriented;
    };
    ++out.orientations;
    out.propagation_particle = frame.propagation;
    return OrientedScattering{frame, polarization('Y'), polarization('X')};  // in this order
  };
  auto averaged = average_over_orientations(request, solve_at);
  warn_of_average(p, request.angles, averaged, journal);
  mean.cross = averaged.cross;
  out.polarizations = {std::move(mean)};
  out.orientation_log = averaged.log.text;
  out.plane = std::move(averaged.plane);
  out.grid = std::move(averaged.grid);
  out.phi_integrals = phi_integrals(p, angles, out.grid);
  if (integration) warn_of_integrals(p, *integration, journal);
  return out;
}

}  // namespace umov::dda
