#include "dda/ranks/slab.hpp"

#include <algorithm>

#include "comm/parts.hpp"

namespace umov::dda {

ParticleSlab take_slab(const shapes::Particle& whole, int rank, int ranks) {
  const std::size_t plane = std::size_t(whole.box[0]) * whole.box[1];
  std::vector<double> costs;
  std::vector<index_t> before{0};
  for (int z = 0; z < whole.box[2]; ++z) {
    const auto from = whole.material.begin() + std::ptrdiff_t(z * plane);
    const auto empty = std::count(from, from + std::ptrdiff_t(plane), 0);
    before.push_back(before.back() + index_t(plane) - empty);
    // the transforms of a plane's lines cost whether or not they hold dipoles
    costs.push_back(double(plane) + double(index_t(plane) - empty));
  }
  ParticleSlab slab;
  slab.rank = rank;
  slab.planes = comm::balanced_parts(costs, ranks);
  for (const index_t z : slab.planes) slab.dipoles.push_back(before[std::size_t(z)]);
  const index_t first = slab.first_plane(), end = slab.planes[std::size_t(rank) + 1];
  shapes::Particle& part = slab.particle;
  part.box = {whole.box[0], whole.box[1], int(end - first)};
  part.material.assign(whole.material.begin() + first * index_t(plane),
                       whole.material.begin() + end * index_t(plane));
  part.materials = whole.materials;
  part.spacing = whole.spacing;
  part.dipoles_per_material.assign(whole.dipoles_per_material.size(), 0);
  for (const int m : part.material)
    if (m) ++part.dipoles_per_material[std::size_t(m) - 1];
  return slab;
}

}  // namespace umov::dda
