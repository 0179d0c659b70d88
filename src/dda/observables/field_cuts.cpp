#include "dda/observables/field_cuts.hpp"

#include <limits>
#include <span>

#include "comm/collect.hpp"

namespace umov::dda {

FieldCuts cuts_of(const shapes::Particle& p, const PlaneFields& f) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  const auto nx = std::size_t(p.box[0]), ny = std::size_t(p.box[1]);
  FieldCuts cuts;
  std::size_t dipole = 0;
  for (index_t z = f.first_plane; z < f.first_plane + f.planes; ++z) {
    const auto* material = p.material.data() + std::size_t(z) * nx * ny;
    for (std::size_t j = 0; j < ny; ++j)
      for (std::size_t i = 0; i < nx; ++i) {
        double value = nan;
        if (material[j * nx + i] != 0) {
          const CVec3& e = f.internal[dipole++];
          value = std::norm(e[0]) + std::norm(e[1]) + std::norm(e[2]);
        }
        if (i == nx / 2) cuts[0].push_back(value);
        if (j == ny / 2) cuts[1].push_back(value);
      }
  }
  return cuts;
}

FieldCuts gather_cuts(comm::Communicator& comm, const shapes::Particle& p, const PlaneFields& f) {
  FieldCuts cuts = cuts_of(p, f);
  for (auto& cut : cuts) cut = comm::gather(comm, std::span<const double>(cut));
  return cuts;
}

}  // namespace umov::dda
