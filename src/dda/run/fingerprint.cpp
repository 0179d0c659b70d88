// Digests of lattice and files, and the parameters that enter the linear system.
#include "dda/run/fingerprint.hpp"

#include <string>

#include "core/digest.hpp"

namespace umov::dda {

namespace {

/// A digest as two numbers that a double holds exactly.
void add_digest(std::vector<double>& list, const Digest& digest) {
  list.push_back(double(digest.value() >> 32));
  list.push_back(double(digest.value() & 0xffffffffu));
}

void add_file(std::vector<double>& list, const std::string& path) {
  Digest digest;
  digest.add_file(path);
  add_digest(list, digest);
}

void add(std::vector<double>& list, const Vec3& v) { list.insert(list.end(), v.begin(), v.end()); }

}  // namespace

std::vector<double> fingerprint(const Simulation& sim, const shapes::Particle& particle,
                                const IncidentFrame& incident, char label) {
  std::vector<double> list;
  Digest sites;
  sites.add(particle.material.data(), particle.material.size() * sizeof particle.material[0]);
  add_digest(list, sites);
  add(list, particle.spacing);
  for (const CVec3& m : sim.m)
    for (const cplx& c : m) list.insert(list.end(), {c.real(), c.imag()});
  list.insert(list.end(), {sim.wavenumber(), double(sim.polarizability), double(sim.ldr_average),
                           sim.pol_nloc_rp, double(sim.interaction)});
  list.insert(list.end(), sim.interaction_arguments.begin(), sim.interaction_arguments.end());
  list.insert(list.end(), {double(sim.beam.kind), sim.beam.width});
  add(list, incident.propagation);
  add(list, incident.polarization(label));
  add(list, incident.beam_center);
  if (sim.beam.kind == BeamKind::read) add_file(list, label == 'Y' ? sim.beam.file_y : sim.beam.file_x);
  return list;
}

}  // namespace umov::dda
