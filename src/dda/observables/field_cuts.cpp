#include "dda/observables/field_cuts.hpp"

#include <cmath>
#include <limits>
#include <span>

#include "comm/collect.hpp"
#include "dda/observables/frame.hpp"

namespace umov::dda {

namespace {

std::size_t dipoles_of(std::span<const std::uint8_t> row) {
  unsigned n = 0;
  for (const std::uint8_t m : row) n += m != 0;
  return n;
}

}  // namespace

std::array<int, 2> cut_planes(const shapes::Particle& p, const Simulation& sim) {
  std::array<int, 2> planes{p.box[0] / 2, p.box[1] / 2};
  if (sim.beam.kind == BeamKind::plane || sim.beam.kind == BeamKind::read) return planes;
  const Vec3 centre = make_beam_frame(sim.propagation, sim.orientation, sim.beam.center).beam_center;
  for (int k = 0; k < 2; ++k) {
    const double at = std::round(centre[k] / p.spacing[k] + 0.5 * (p.box[k] - 1));
    if (at >= 0 && at < p.box[k]) planes[std::size_t(k)] = int(at);
  }
  return planes;
}

FieldCuts cuts_of(const shapes::Particle& p, const PlaneFields& f, const std::array<int, 2>& planes) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  const auto nx = std::size_t(p.box[0]), ny = std::size_t(p.box[1]), x = std::size_t(planes[0]);
  const auto intensity = [&](std::uint8_t material, std::size_t dipole) {
    if (material == 0) return nan;
    const CVec3& e = f.internal[dipole];
    return std::norm(e[0]) + std::norm(e[1]) + std::norm(e[2]);
  };
  FieldCuts cuts;
  std::size_t dipole = 0;
  for (index_t z = f.first_plane; z < f.first_plane + f.planes; ++z)
    for (std::size_t j = 0; j < ny; ++j) {
      const std::span<const std::uint8_t> row(p.material.data() + (std::size_t(z) * ny + j) * nx, nx);
      cuts[0].push_back(intensity(row[x], dipole + dipoles_of(row.first(x))));
      if (j == std::size_t(planes[1])) {
        std::size_t at = dipole;
        for (const std::uint8_t m : row) {
          cuts[1].push_back(intensity(m, at));
          at += m != 0;
        }
      }
      dipole += dipoles_of(row);
    }
  return cuts;
}

void append(FieldCuts& cuts, const FieldCuts& more) {
  for (std::size_t c = 0; c < cuts.size(); ++c) cuts[c].insert(cuts[c].end(), more[c].begin(), more[c].end());
}

FieldCuts gather_cuts(comm::Communicator& comm, FieldCuts cuts) {
  for (auto& cut : cuts) cut = comm::gather(comm, std::span<const double>(cut));
  return cuts;
}

}  // namespace umov::dda
