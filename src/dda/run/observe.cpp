// From a solution to its cross sections, forces and fields.
#include "dda/run/observe.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>

#include "comm/parts.hpp"
#include "core/large_memory.hpp"
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
                           const run::Journal& journal) {
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
    set_integrals(*integrals, cross);
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

/// Planes that this rank has the fields of: those of its slab or, where every rank has the whole, a part by
/// its number; all planes once.
struct OwnPlanes {
  index_t first = 0, end = 0;
};
OwnPlanes own_planes(const Prepared& p, const Engine& engine) {
  const auto of = [](const ParticleSlab& slab) {
    return OwnPlanes{slab.first_plane(), slab.planes[std::size_t(slab.rank) + 1]};
  };
  if (const ParticleSlab* slab = slab_of(engine))
    return p.ranks.mine > 0 ? OwnPlanes{} : of(*slab);  // of groups that have the same the first one gives it
  return of(share_planes(p.particle, p.ranks.all->rank(), p.ranks.all->size()));
}

/// Gives the fields of `own` planes out, some at a time: enough for all threads, which take a plane of one
/// array of a file each, and far from all that there are.
void pass_fields(const Prepared& p, const Engine& engine, const OwnPlanes& own,
                 const std::function<void(const PlaneFields&)>& use) {
  constexpr std::size_t at_once = std::size_t(1) << 19, most = 8 * at_once;  // dipoles; 50 MB
  constexpr int arrays = 5;
  const index_t least_planes = 1 + 2 * omp_get_max_threads() / arrays;
  const auto below = shapes::dipoles_below(p.particle);
  const InternalField field_of(p.particle, p.sim.m);
  const auto area = std::size_t(p.particle.box[0]) * std::size_t(p.particle.box[1]);
  std::vector<CVec3> polarization, internal;
  for (index_t first = own.first, end; first < own.end; first = end) {
    const auto dipoles_to = [&](index_t z) { return below[std::size_t(z)] - below[std::size_t(first)]; };
    end = first + 1;
    while (end < own.end && dipoles_to(end + 1) <= (end - first < least_planes ? most : at_once)) ++end;
    polarization.resize(dipoles_to(end));
    internal.resize(dipoles_to(end));
    engine.get_polarization_from(index_t(below[std::size_t(first)]), polarization);
#pragma omp parallel for schedule(static)
    for (index_t z = first; z < end; ++z) {
      const std::size_t from = dipoles_to(z), count = dipoles_to(z + 1) - from;
      const auto plane = std::span(internal).subspan(from, count);
      std::copy_n(polarization.begin() + std::ptrdiff_t(from), count, plane.begin());
      field_of.apply({p.particle.material.data() + std::size_t(z) * area, area}, plane);
    }
    use({first, end - first, index_t(below[std::size_t(first)]), polarization, internal});
  }
}

/// Whether the sink has taken this rank's part.
bool give_fields(const Prepared& p, const Solution& solution, FieldSink& sink, PolarizationResult& result) {
  const bool pictures = p.sim.outputs.pictures;
  const OwnPlanes own = own_planes(p, solution.engine);
  const auto planes = cut_planes(p.particle, p.sim);
  FieldCuts cuts;
  const auto pass = [&](const std::function<void(const PlaneFields&)>& use) {
    pass_fields(p, solution.engine, own, [&](const PlaneFields& some) {
      if (pictures) append(cuts, cuts_of(p.particle, some, planes));
      use(some);
    });
  };
  if (!sink.take(p.particle, result.label, pass)) return false;
  if (pictures) result.cuts = gather_cuts(*p.ranks.all, std::move(cuts));
  return true;
}

}  // namespace

void keep_fields(const Prepared& p, const Solution& solution, FieldSink* sink, PolarizationResult& result) {
  const Outputs& o = p.sim.outputs;
  if (sink && give_fields(p, solution, *sink, result)) return;
  if (!p.has_fields() && !p.ranks.group) return;  // ranks of a group have parts of the first one's
  const std::size_t n = p.has_fields() ? p.particle.dipoles() : 0;
  if (o.store_beam) {
    resize_large(result.incident, n);
    solution.engine.get_incident(result.incident);
  }
  if (!o.store_dip_pol && !o.store_int_field && !o.hdf5 && !o.pictures) return;
  resize_large(result.polarization, n);
  solution.engine.get_polarization(result.polarization);
  if (n == 0) return;
  result.internal_field = internal_field(result.polarization, p.particle, p.sim.m);
  if (o.pictures)
    result.cuts = cuts_of(p.particle, {0, p.particle.box[2], 0, result.polarization, result.internal_field},
                          cut_planes(p.particle, p.sim));
}

}  // namespace umov::dda
