// A dipole run averaged over orientations.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <span>

#include "dda/observables/orientation_average.hpp"
#include "dda/observables/orientation_symmetry.hpp"
#include "dda/run/extinction.hpp"
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
  all.refreshes += one.refreshes;
  all.sectors = std::max(all.sectors, one.sectors);
  all.blocks += one.blocks;
  all.block = std::max(all.block, one.block);
  all.block_iterations += one.block_iterations;
  all.seconds_preconditioning += one.seconds_preconditioning;
  all.seconds_set_up += one.seconds_set_up;
  if (!one.preconditioner.empty()) all.preconditioner = one.preconditioner;
  all.residual = std::max(all.residual, one.residual);
  all.true_residual = std::max(all.true_residual, one.true_residual);
  if (all.status != SolveStatus::converged || one.status == SolveStatus::converged) return;
  all.status = one.status;
  all.advice = one.advice;
}

/// ADDA's angles are ADDA's; `umov dda` leaves out those that the particle's symmetry makes equivalent. The
/// error of gamma is not estimated by halving: a symmetric particle may begin with one stage. One without
/// symmetry may be nearly its own image after 360/7 degrees and begins with two (the harmonic 14 of two
/// points is what the check misses).
OrientationAngles angles_of(const Prepared& p, OrientationAngles angles, run::Journal& journal) {
  Turns turns = turns_of(p.particle, p.sim.m);
  const BeamKind beam = p.sim.beam.kind;
  // a field from a file is given in the particle's frame
  if (beam == BeamKind::read || (beam != BeamKind::plane && !turns.centred)) turns = {};
  if (p.sim.front == Front::adda) {
    if (estimate_is_blind(angles, turns))
      journal.warn(
          fmt::format("the average over orientations may be off by per cents although it is called "
                      "converged: the particle "
                      "is itself again after {0} degrees about z, the first {1} angles of gamma are "
                      "equivalent, and the error "
                      "estimated from them is zero; give gamma from 0 to {0} (or Jmin={2}) in a file of "
                      "angles, or use umov "
                      "dda --orientation-average",
                      360 / turns.about_z, 1 << angles.gamma.axis.jmin, angles.gamma.axis.jmin + 2));
    return angles;
  }
  if (p.sim.orientation.average_file.empty()) angles.gamma.axis.jmin = turns.about_z == 1 ? 2 : 1;
  return use_turns(std::move(angles), turns);
}

AverageRequest average_request(const Prepared& p, const Angles& angles, run::Journal& journal) {
  AverageRequest request;
  request.angles = angles_of(p, *angles.orientations, journal);
  if (p.plane) {
    request.plane = *p.plane;
    request.theta_intervals = theta_intervals(p);
  }
  request.grid = angles.grid;
  return request;
}

void warn_of_average(const Prepared& p, const OrientationAngles& angles, const OrientationAverage& averaged,
                     run::Journal& journal) {
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

/// Euler angles (beta, gamma) in degrees.
using Turn = std::array<double, 2>;

/// Solves for orientations. Those that are announced and share the polarizability of one that is asked for
/// are solved for with it, where the run has blocks: directions that a cube's symmetry makes equivalent, as
/// those of a quarter turn of gamma are, or all where the polarizability does not depend on the direction.
class OrientedSolves {
 public:
  using Observe = std::function<OrientedPolarization(const Solution&)>;
  OrientedSolves(const Prepared& p, Engine& engine, Journal& journal, TimerTable& timers, Observe observe)
      : p_(p), engine_(engine), journal_(journal), timers_(timers), observe_(std::move(observe)) {}

  void announce(std::span<const Turn> list) {
    if (p_.blocks.columns < 4 && p_.ranks.groups < 3) return;
    for (const Turn& turn : list)
      if (!known_.contains(turn)) ahead_.try_emplace(turn, incident(turn, 'Y'));
  }

  OrientedScattering at(const Turn& turn) {
    if (!known_.contains(turn)) solve_with_mates(turn);
    auto found = known_.extract(turn);
    return std::move(found.mapped());
  }

 private:
  Incident incident(const Turn& turn, char label) const {
    const BeamFrame frame =
        make_beam_frame(p_.sim.propagation, {0, turn[0], turn[1], false, ""}, p_.sim.beam.center);
    return make_incident(p_, frame, label);
  }

  void solve_with_mates(const Turn& turn) {
    const auto first = incident(turn, 'Y');
    ahead_.erase(turn);
    std::vector<Turn> turns{turn};
    for (const auto& [other, its] : ahead_)
      if (p_.ranks.groups > 1 || same_polarizability(first.alpha, its.alpha)) turns.push_back(other);
    // groups of ranks have a wave each
    const std::size_t most = std::max(1, std::max(p_.blocks.columns, p_.ranks.groups) / 2),
                      blocks = (turns.size() + most - 1) / most;
    turns.resize((turns.size() + blocks - 1) / blocks);  // blocks of like sizes
    std::vector<Incident> incidents;
    for (const Turn& one : turns) {
      ahead_.erase(one);
      for (const char label : {'Y', 'X'}) incidents.push_back(incident(one, label));  // in this order
      known_[one].frame = incidents.back().frame;
    }
    solve_each(p_, incidents, engine_, journal_, timers_, [&](std::size_t i, const Solution& solution) {
      OrientedScattering& scattering = known_[turns[i / 2]];
      (i % 2 == 0 ? scattering.y : scattering.x) = observe_(solution);
    });
  }

  const Prepared& p_;
  Engine& engine_;
  Journal& journal_;
  TimerTable& timers_;
  Observe observe_;
  std::map<Turn, Incident> ahead_;
  std::map<Turn, OrientedScattering> known_;
};

}  // namespace

Outcome average_orientations(const Prepared& p, const Angles& angles, Engine& engine, Journal& journal,
                             TimerTable& timers) {
  const AverageRequest request = average_request(p, angles, journal);
  Outcome out;
  // as in ADDA's log, before the angles of the scattering
  out.angle_notes.push_back(describe(request.angles));
  out.alphas = long(request.angles.alpha.values.size());
  Integration integration = make_integration(p, angles);
  PolarizationResult mean;
  mean.label = average_label;
  mean.solve.residual = 0;
  OrientedSolves solves(p, engine, journal, timers, [&](const Solution& solution) {
    add_solve(mean.solve, solution.report);
    ScopedTimer cross(timers, "cross sections");
    OrientedPolarization oriented{observe(p, solution, integration, journal).cross, {}};
    cross.stop();
    const ScopedTimer scattered(timers, "scattered field");
    if (request.matrices())
      oriented.amplitudes = amplitudes_for_alphas(solution.shared_far_field(), p.far_field_scale(),
                                                  solution.incident.frame, request);
    return oriented;
  });
  const auto solve_at = [&](double beta, double gamma) {
    auto scattering = solves.at({beta, gamma});
    ++out.orientations;
    out.propagation_particle = scattering.frame.propagation;
    return scattering;
  };
  const auto ahead = [&](std::span<const Turn> list) { solves.announce(list); };
  auto averaged = average_over_orientations(request, solve_at, ahead);
  warn_of_average(p, request.angles, averaged, journal);
  mean.cross = averaged.cross;
  mean.error = averaged.cross_error;
  set_average_error(integration, mean.cross);
  out.polarizations = {std::move(mean)};
  out.orientation_log = averaged.log.text;
  out.plane = std::move(averaged.plane);
  out.grid = std::move(averaged.grid);
  out.phi_integrals = phi_integrals(p, angles, out.grid);
  warn_of_integrals(p, integration, journal);
  report_extinction(p, integration, journal, out);
  return out;
}

}  // namespace umov::dda
