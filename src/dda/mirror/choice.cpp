// When a particle is solved for in the sectors of its mirror planes.
#include "dda/mirror/choice.hpp"

#include <fmt/format.h>

#include <cmath>

#include "core/error.hpp"

namespace umov::dda {

namespace {

std::string plane_words(const Planes& planes) {
  std::string words;
  for (int a = 0; a < 3; ++a)
    if (planes[a]) words += std::string(words.empty() ? "" : ", ") + "xyz"[a];
  return words;
}

/// Why sectors cannot be had; empty where they can.
std::string obstacle(const Simulation& sim, bool tensor_on_host, const Planes& planes) {
  if (sim.precision == Precision::long_double)
    return "parts of fields are formed in double, the run is in long double";
  if (tensor_on_host) return "the interaction tensor is kept in host memory";
  if (!planes[0] && !planes[1] && !planes[2]) return "the particle has no mirror plane on the lattice";
  return "";
}

/// Below this components count as zero, as rounding leaves them of a rotated frame.
constexpr double rounding = 1e-14;

/// A product on a fraction takes so much of its share of the whole's (an eighth with three planes: the table
/// is read whole, and lines are short), a sector so many of the whole's iterations. Measured on processors at
/// n = 48: 2.2 to 2.3, and 0.57 to 0.67 (benchmarks/dda_sectors.md).
constexpr double product_overhead = 2.3, iterations_of_sector = 0.7;
/// Of fewer dipoles a product takes less time than what goes on around it.
constexpr std::size_t least_dipoles = 4000;

}  // namespace

int sectors_excited(const Simulation& sim, const Planes& planes, const IncidentFrame& frame, char label) {
  const bool plane_wave = sim.beam.kind == BeamKind::plane && !sim.orientation.average;
  const Vec3 &n = frame.propagation, &e = frame.polarization(label);
  int sectors = 1;
  for (int a = 0; a < 3; ++a) {
    if (!planes[a]) continue;
    const double normal = std::abs(e[a]), along = std::sqrt(std::max(0.0, 1 - normal * normal));
    const bool own_image = std::abs(n[a]) < rounding && (normal < rounding || along < 1e-7);
    if (!plane_wave || !own_image) sectors *= 2;
  }
  return sectors;
}

SectorChoice choose_sectors(const Simulation& sim, const Machine& machine, const shapes::Particle& particle,
                            const IncidentFrame& frame, std::string_view labels) {
  const SectorUse use = sim.solver.sectors;
  if (use == SectorUse::off) return {};
  const Planes planes = mirror_planes(particle);
  const std::string why_not = obstacle(sim, machine.tensor_on_host, planes);
  if (use == SectorUse::on) {
    if (!why_not.empty())
      throw BadInput(fmt::format("mirror sectors cannot be used ({}); leave `solver.sectors` out", why_not));
    return {planes, false, fmt::format("of the planes normal to {}", plane_words(planes))};
  }
  if (!why_not.empty()) return {{}, true, fmt::format("none (auto: {})", why_not)};
  double sectors = 0;
  for (const char label : labels)
    sectors += sectors_excited(sim, planes, frame, label) / double(labels.size());
  int all = 1;
  for (const bool plane : planes) all *= plane ? 2 : 1;
  const double cost = sectors / all * product_overhead * iterations_of_sector;
  const auto facts =
      fmt::format("planes normal to {}, {:g} of {} sectors excited", plane_words(planes), sectors, all);
  if (particle.dipoles() < least_dipoles || cost >= 1)
    return {{}, true, fmt::format("none (auto: would not pay, {})", facts)};
  return {planes, true, fmt::format("auto: {}", facts)};
}

}  // namespace umov::dda
