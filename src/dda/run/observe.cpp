// From a solution to its cross sections, forces and fields.
#include "dda/run/observe.hpp"

#include <fmt/format.h>

#include "dda/observables/internal_field.hpp"
#include "dda/observables/radiation_force.hpp"

namespace umov::dda {

namespace {

double extinction_of(const Prepared& p, const Solution& solution) {
  const BeamFrame& frame = solution.incident.frame;
  const Vec3& prop = frame.propagation;
  if (!extinction_is_forward(p.sim.beam))
    return extinction_from_sum(p.far_field_scale(), prop, solution.engine.extinction_sum());
  CVec3 forward;
  solution.engine.far_field(std::span(&prop, 1), std::span(&forward, 1));
  return extinction_forward(p.far_field_scale(), prop, frame.polarization(solution.incident.label), forward);
}

double absorption_of(const Prepared& p, const Solution& solution) {
  const auto multipliers = absorption_multipliers(p.sim.formula, p.wavenumber, p.particle.dipole_volume(),
                                                  solution.incident.alpha, p.sim.m);
  return absorption(p.wavenumber, multipliers, solution.engine.polarization_norms());
}

/// Polarizations of the dipoles and the incident field at them.
struct DipoleFields {
  std::vector<CVec3> polarization, incident;
};
DipoleFields dipole_fields(const Prepared& p, const Engine& engine) {
  const std::size_t n = p.particle.dipoles();
  DipoleFields f{std::vector<CVec3>(n), std::vector<CVec3>(n)};
  engine.get_polarization(f.polarization);
  engine.get_incident(f.incident);
  return f;
}

RadiationForces forces(const Prepared& p, const Solution& solution) {
  const DipoleFields f = dipole_fields(p, solution.engine);
  return radiation_forces(dipole_positions(p.particle), f.polarization, f.incident, p.wavenumber,
                          solution.incident.frame.propagation);
}

DecayRates decay(const Prepared& p, const Solution& solution, double cabs) {
  const DipoleFields f = dipole_fields(p, solution.engine);
  return decay_rates(p.wavenumber, f.polarization, f.incident, cabs);
}

}  // namespace

PolarizationResult observe(const Prepared& p, const Solution& solution,
                           std::optional<Integration>& integration, const front::Journal& journal) {
  const auto& [label, frame, alpha] = solution.incident;
  journal.stage(fmt::format("cross sections, {} polarization", label));
  PolarizationResult result;
  result.label = label;
  result.inc_pol = laboratory_frame(p.sim.propagation).polarization(label);
  result.alpha = alpha;
  result.solve = solution.report;
  CrossSections& cross = result.cross;
  cross.cext = extinction_of(p, solution);
  cross.cabs = absorption_of(p, solution);
  if (integration) {
    auto integrals = integrate(p, solution, cross, *integration);
    cross.csca = integrals.csca;
    cross.csca_g = integrals.csca_g;
    result.integration_logs = std::move(integrals.logs);
  }
  if (p.sim.outputs.cpr || p.sim.outputs.store_force) {
    auto f = forces(p, solution);
    set_force_cross_sections(f, frame, cross);
    if (p.sim.outputs.store_force) result.force = std::move(f.per_dipole);
  }
  if (p.sim.beam.kind == BeamKind::dipole) cross.decay = decay(p, solution, cross.cabs);
  return result;
}

void keep_fields(const Prepared& p, const Solution& solution, PolarizationResult& result) {
  const Outputs& o = p.sim.outputs;
  const std::size_t n = p.particle.dipoles();
  if (o.store_beam) {
    result.incident.resize(n);
    solution.engine.get_incident(result.incident);
  }
  if (!o.store_dip_pol && !o.store_int_field && !o.hdf5 && !o.pictures) return;
  result.polarization.resize(n);
  solution.engine.get_polarization(result.polarization);
  result.internal_field = internal_field(result.polarization, p.particle, p.sim.m);
}

}  // namespace umov::dda
