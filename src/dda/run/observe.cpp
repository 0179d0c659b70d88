// From a solution to its cross sections, forces and fields.
#include "dda/run/observe.hpp"

#include <fmt/format.h>

#include "comm/parts.hpp"
#include "dda/observables/field_cuts.hpp"
#include "dda/observables/internal_field.hpp"
#include "dda/observables/radiation_force.hpp"
#include "dda/ranks/ranked_engine.hpp"
#include "dda/run/extinction.hpp"

namespace umov::dda {

namespace {

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

/// Forces on a stretch of the dipoles each, of all for all ranks.
void forces_by_ranks(comm::Communicator& all, std::span<const Vec3> r, std::span<const CVec3> p,
                     double wavenumber, std::span<Vec3> force) {
  const auto borders = comm::even_parts(index_t(r.size()), all.size());
  const auto of = [&](int rank) {
    const auto first = std::size_t(borders[std::size_t(rank)]);
    return force.subspan(first, std::size_t(borders[std::size_t(rank) + 1]) - first);
  };
  const auto own = of(all.rank());
  const auto first = std::size_t(own.data() - force.data());
  dipole_forces_on(first, first + own.size(), r, p, wavenumber, force);
  std::vector<comm::Out> outs;
  std::vector<comm::In> ins;
  for (int rank = 0; rank < all.size(); ++rank) {
    if (rank == all.rank()) continue;
    outs.push_back(comm::out(rank, own.data(), own.size()));
    ins.push_back(comm::in(rank, of(rank).data(), of(rank).size()));
  }
  all.exchange(outs, ins);
}

RadiationForces forces(const Prepared& p, const Solution& solution) {
  const DipoleFields f = dipole_fields(p, solution.engine);
  DipoleForces dipole_forces = dipole_forces_direct;
  if (p.ranks.all)
    dipole_forces = [&](std::span<const Vec3> r, std::span<const CVec3> moments, double wavenumber,
                        std::span<Vec3> force) {
      forces_by_ranks(*p.ranks.all, r, moments, wavenumber, force);
    };
  return radiation_forces(dipole_positions(p.particle), f.polarization, f.incident, p.wavenumber,
                          solution.incident.frame.propagation, dipole_forces);
}

DecayRates decay(const Prepared& p, const Solution& solution, double cabs) {
  const DipoleFields f = dipole_fields(p, solution.engine);
  return decay_rates(p.wavenumber, f.polarization, f.incident, cabs);
}

}  // namespace

PolarizationResult observe(const Prepared& p, const Solution& solution, Integration& integration,
                           const front::Journal& journal) {
  const auto& [label, frame, alpha] = solution.incident;
  journal.stage(fmt::format("cross sections, {} polarization", label));
  PolarizationResult result;
  result.label = label;
  result.inc_pol = laboratory_frame(p.sim.propagation).polarization(label);
  result.alpha = alpha;
  result.solve = solution.report;
  CrossSections& cross = result.cross;
  set_cross_sections(p, solution, cross);
  std::optional<ScatteringIntegrals> integrals;
  if (integration.wanted) {
    integrals = integrate(p, solution, cross, integration);
    cross.csca = integrals->csca;
    cross.csca_g = integrals->csca_g;
    result.integration_logs = std::move(integrals->logs);
  }
  balance_cross_sections(p, solution, integrals, integration, cross);
  if (p.sim.outputs.cpr || p.sim.outputs.store_force) {
    auto f = forces(p, solution);
    set_force_cross_sections(f, frame, cross);
    if (p.sim.outputs.store_force) result.force = std::move(f.per_dipole);
  }
  if (p.sim.beam.kind == BeamKind::dipole) cross.decay = decay(p, solution, cross.cabs);
  return result;
}

namespace {

/// What this rank has of the fields by its slab, or, where every rank has the whole, by its number: all
/// planes once. `polarization` and `internal` get room for them.
PlaneFields own_planes(const Prepared& p, const Engine& engine, std::vector<CVec3>& polarization,
                       std::vector<CVec3>& internal) {
  PlaneFields out;
  ParticleSlab part;
  const ParticleSlab* slab = slab_of(engine);
  if (slab) {
    if (p.ranks.mine > 0) return out;  // of several groups that have the same the first one gives it
    polarization = own_polarization(engine);
  } else {
    part = take_slab(p.particle, p.ranks.all->rank(), p.ranks.all->size());
    slab = &part;
    std::vector<CVec3> whole(p.particle.dipoles());
    engine.get_polarization(whole);
    const auto first = whole.begin() + part.first_dipole();
    polarization.assign(first, first + part.own_dipoles());
  }
  internal = internal_field(polarization, slab->particle, p.sim.m);
  out = {slab->first_plane(), slab->particle.box[2], slab->first_dipole(), polarization, internal};
  return out;
}

}  // namespace

void keep_fields(const Prepared& p, const Solution& solution, FieldSink* sink, PolarizationResult& result) {
  const Outputs& o = p.sim.outputs;
  if (sink) {
    std::vector<CVec3> polarization, internal;
    const PlaneFields own = own_planes(p, solution.engine, polarization, internal);
    if (sink->take(p.particle, result.label, own)) {
      if (o.pictures) result.cuts = gather_cuts(*p.ranks.all, p.particle, own);
      return;
    }
  }
  if (!p.has_fields() && !p.ranks.group) return;  // ranks of a group have parts of the first one's
  const std::size_t n = p.has_fields() ? p.particle.dipoles() : 0;
  if (o.store_beam) {
    result.incident.resize(n);
    solution.engine.get_incident(result.incident);
  }
  if (!o.store_dip_pol && !o.store_int_field && !o.hdf5 && !o.pictures) return;
  result.polarization.resize(n);
  solution.engine.get_polarization(result.polarization);
  if (n == 0) return;
  result.internal_field = internal_field(result.polarization, p.particle, p.sim.m);
  if (o.pictures)
    result.cuts = cuts_of(p.particle, {0, p.particle.box[2], 0, result.polarization, result.internal_field});
}

}  // namespace umov::dda
