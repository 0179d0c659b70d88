#include "dda/observables/field_cuts.hpp"

#include <limits>
#include <span>

#include "comm/collect.hpp"

namespace umov::dda {

namespace {

std::size_t dipoles_of(std::span<const std::uint8_t> row) {
  unsigned n = 0;
  for (const std::uint8_t m : row) n += m != 0;
  return n;
}

}  // namespace

FieldCuts cuts_of(const shapes::Particle& p, const PlaneFields& f) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  const auto nx = std::size_t(p.box[0]), ny = std::size_t(p.box[1]);
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
      cuts[0].push_back(intensity(row[nx / 2], dipole + dipoles_of(row.first(nx / 2))));
      if (j == ny / 2) {
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
