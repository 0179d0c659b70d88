// What two runs must have in common so that one can continue from the other's checkpoint.
#include "run/fingerprint.hpp"

#include <cstdint>
#include <fstream>
#include <iterator>
#include <string>

namespace umov::run {

namespace {

/// FNV-1a, 64 bits (Fowler, Noll, Vo 1991), as two numbers that a double holds exactly.
void add_hash(std::vector<double>& list, const void* data, std::size_t bytes) {
  std::uint64_t hash = 14695981039346656037u;
  const auto* p = static_cast<const unsigned char*>(data);
  for (std::size_t i = 0; i < bytes; ++i) hash = (hash ^ p[i]) * 1099511628211u;
  list.push_back(double(hash >> 32));
  list.push_back(double(hash & 0xffffffffu));
}

void add_file(std::vector<double>& list, const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  add_hash(list, text.data(), text.size());
}

void add(std::vector<double>& list, const Vec3& v) { list.insert(list.end(), v.begin(), v.end()); }

}  // namespace

std::vector<double> fingerprint(const dda::Simulation& sim, const shapes::Particle& particle,
                                const dda::IncidentFrame& incident, char label) {
  std::vector<double> list;
  add_hash(list, particle.material.data(), particle.material.size() * sizeof particle.material[0]);
  add(list, particle.spacing);
  for (const CVec3& m : sim.m)
    for (const cplx& c : m) list.insert(list.end(), {c.real(), c.imag()});
  list.insert(list.end(), {2 * pi / sim.wavelength, double(sim.polarizability), double(sim.ldr_average),
                           sim.pol_nloc_rp, double(sim.interaction)});
  list.insert(list.end(), sim.interaction_arguments.begin(), sim.interaction_arguments.end());
  list.insert(list.end(), {double(sim.beam.kind), sim.beam.width});
  add(list, incident.propagation);
  add(list, incident.polarization(label));
  add(list, incident.beam_center);
  if (sim.beam.kind == dda::BeamKind::read) add_file(list, label == 'Y' ? sim.beam.file_y : sim.beam.file_x);
  return list;
}

}  // namespace umov::run
