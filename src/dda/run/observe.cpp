// What is observed of one orientation: cross sections, scattering, forces, fields.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "dda/observables/internal_field.hpp"
#include "dda/observables/phi_integration.hpp"
#include "dda/observables/radiation_force.hpp"
#include "dda/run/course.hpp"

namespace umov::dda {

namespace {

/// Error of the integrals over all directions, relative to Csca, above which a warning says so, and above
/// which the built-in angles are refined: resolved integrals have estimates of 2e-4 and less.
constexpr double integral_tolerance = 0.01, refined_tolerance = 2e-3;
/// 1024 times 512 directions; each refinement costs four times the one before.
constexpr int most_refinements = 4;
/// Directions times dipoles of a refinement: minutes on one core.
constexpr double most_terms = 2e10;

}  // namespace

void DdaRun::single_orientation() {
  const int labels = one_solve_ ? 1 : 2;
  observe();
  for (int i = 0; i < labels; ++i) solve_and_observe("YX"[i]);
  if (one_solve_) amplitudes_[1] = turned_;
  tabulate();
}

void DdaRun::observe() {
  const Outputs& o = sim_.outputs;
  if (plane_) {
    const int intervals = o.ntheta ? o.ntheta : default_theta_intervals(out_.particle.sites());
    const Vec3 in_plane = *plane_ == Plane::yz ? frame_.pol_y : frame_.plane_x;
    plane_directions_ = observe_plane(frame_, *plane_, intervals, needs_full_circle(symmetry_, in_plane));
  }
  load_angles();
  if (grid_) grid_directions_ = observe_grid(frame_, *grid_);
}

void DdaRun::load_angles() {
  if (std::exchange(angles_loaded_, true)) return;
  const Outputs& o = sim_.outputs;
  if (o.csca || o.vec || o.asym) {
    all_ = load_all_directions(o.alldir_file);
    out_.angle_notes.push_back(describe(*all_));
    if (!all_->whole_sphere()) partial_sphere();
  }
  if (!grid_wanted_) return;
  grid_ = load_scattering_grid(o.scat_grid_file, o.phi_integr != 0);
  out_.angle_notes.push_back(describe(*grid_));
}

/// ADDA takes the average over a part for that over all, times 4 pi: right where the particle's symmetry
/// makes the parts alike, which nobody checks.
void DdaRun::partial_sphere() {
  const auto text =
      fmt::format("{}: theta from {:g} to {:g} and phi from {:g} to {:g} are a part of all directions",
                  all_->source, all_->theta.min, all_->theta.max, all_->phi.min, all_->phi.max);
  if (sim_.front == Front::dda)
    throw BadInput(
        text +
        " (Csca and the asymmetry are integrals over all); give theta from 0 to 180 and phi from 0 to 360");
  warn(text +
       "; Csca and Csca g are averages over this part times 4 pi, which is right only where symmetry "
       "makes all parts alike");
}

void DdaRun::solve_and_observe(char label) {
  const int which = label == 'Y' ? 0 : 1;
  PolarizationResult result = solve(label);
  const auto sums = far_field();
  double start = now();
  stage(fmt::format("scattered field, {} polarization", label));
  if (plane_) {
    amplitudes_[which].plane = observed_amplitudes(sums, scale(), frame_, plane_directions_);
    if (one_solve_) turned_.plane = observed_amplitudes(sums, scale(), frame_, plane_directions_, true);
  }
  if (grid_wanted_) amplitudes_[which].grid = observed_amplitudes(sums, scale(), frame_, grid_directions_);
  time("scattered field", start);
  start = now();
  cross_sections(label, sums, result);
  time("cross sections", start);
  keep_fields(result);
  out_.polarizations.push_back(std::move(result));
}

void DdaRun::cross_sections(char label, const FarFieldSums& sums, PolarizationResult& result) {
  stage(fmt::format("cross sections, {} polarization", label));
  const Outputs& o = sim_.outputs;
  extinction_and_absorption(label, sums, result.alpha, result.cross);
  if (all_) {
    auto integrals = integrate_all_directions(label, sums);
    check_balance(integrals, result.cross);
    result.cross.csca = integrals.csca;
    result.cross.csca_g = integrals.csca_g;
    result.integration_logs = std::move(integrals.logs);
  }
  if (o.cpr || o.store_force) forces(result);
  if (sim_.beam.kind == BeamKind::dipole) {
    std::vector<CVec3> p(out_.particle.dipoles()), e(p.size());
    engine_->get_polarization(p);
    engine_->get_incident(e);
    result.cross.decay = decay_rates(k_, p, e, result.cross.cabs);
  }
}

/// The built-in directions are too few where parts of the particle are many wavelengths apart: there they are
/// refined until the estimate of the error is small. Those of a file, and ADDA's, are left as they are.
ScatteringIntegrals DdaRun::integrate_all_directions(char label, const FarFieldSums& sums) {
  const Outputs& o = sim_.outputs;
  const bool free = sim_.front == Front::dda && o.alldir_file.empty();
  for (;; ++finer_) {
    if (finer_ > 0) all_ = built_in_directions(finer_);
    auto integrals = integrate_scattering(sums, scale(), frame_, *all_, o.csca, o.vec || o.asym, label);
    const double next = 4.0 * double(all_->theta.values.size() * all_->phi.values.size());
    if (free && integrals.error > refined_tolerance && finer_ < most_refinements &&
        next * double(out_.particle.dipoles()) < most_terms)
      continue;
    integral_error_ = std::max(integral_error_, integrals.error);
    return integrals;
  }
}

/// Csca = Cext - Cabs to rounding and the residual where point dipoles interact as they radiate.
void DdaRun::check_balance(const ScatteringIntegrals& integrals, const CrossSections& cross) {
  if (!out_.converged || sim_.interaction != Interaction::point || sim_.formula != ScatteringFormula::draine)
    return;
  const double off = std::abs(integrals.total - cross.csca_difference());
  const double residual = 100 * sim_.solver.epsilon * std::abs(cross.cext);
  if (integrals.total > 0 && off > residual) imbalance_ = std::max(imbalance_, off / integrals.total);
}

/// Once per run: an average over orientations has many integrals.
void DdaRun::warn_of_integrals() {
  if (sim_.front != Front::dda) return;
  if (integral_error_ <= integral_tolerance && imbalance_ <= integral_tolerance) return;
  warn(fmt::format(
      "the integrals over all directions have not converged (Csca, Csca g and g: estimated error {:.2g} of "
      "Csca; Csca differs from Cext - Cabs by {:.2g}); give finer angles (Jmax) by --integration-file, or "
      "take Csca from Cext - Cabs",
      integral_error_, imbalance_));
}

void DdaRun::extinction_and_absorption(char label, const FarFieldSums& sums, const std::vector<CVec3>& alpha,
                                       CrossSections& cross) {
  const Vec3& prop = frame_.propagation;
  if (extinction_is_forward(sim_.beam)) {
    CVec3 forward;
    sums(std::span(&prop, 1), std::span(&forward, 1));
    cross.cext = extinction_forward(scale(), prop, frame_.polarization(label), forward);
  } else {
    cross.cext = extinction_from_sum(scale(), prop, engine_->extinction_sum());
  }
  const auto multipliers =
      absorption_multipliers(sim_.formula, k_, out_.particle.dipole_volume(), alpha, sim_.m);
  cross.cabs = absorption(k_, multipliers, engine_->polarization_norms());
}

void DdaRun::forces(PolarizationResult& result) {
  const std::size_t n = out_.particle.dipoles();
  std::vector<CVec3> p(n), e(n);
  engine_->get_polarization(p);
  engine_->get_incident(e);
  auto f = radiation_forces(dipole_positions(out_.particle), p, e, k_, frame_.propagation);
  set_force_cross_sections(f, frame_, result.cross);
  if (sim_.outputs.store_force) result.force = std::move(f.per_dipole);
}

void DdaRun::keep_fields(PolarizationResult& result) const {
  const Outputs& o = sim_.outputs;
  const std::size_t n = out_.particle.dipoles();
  if (o.store_beam) {
    result.incident.resize(n);
    engine_->get_incident(result.incident);
  }
  if (!o.store_dip_pol && !o.store_int_field && !o.hdf5 && !o.pictures) return;
  result.polarization.resize(n);
  engine_->get_polarization(result.polarization);
  result.internal_field = internal_field(result.polarization, out_.particle, sim_.m);
}

void DdaRun::tabulate() {
  if (plane_)
    out_.plane = scattering_rows(frame_, plane_directions_, amplitudes_[0].plane, amplitudes_[1].plane);
  if (!grid_wanted_) return;
  out_.grid = scattering_rows(frame_, grid_directions_, amplitudes_[0].grid, amplitudes_[1].grid);
  if (sim_.outputs.phi_integr)
    out_.phi_integrals = integrate_over_phi(sim_.outputs.phi_integr, *grid_, out_.grid);
}

}  // namespace umov::dda
