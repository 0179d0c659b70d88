#include "dda/ranks/slab.hpp"

#include "comm/parts.hpp"

namespace umov::dda {

ParticleSlab share_planes(const shapes::Particle& whole, int rank, int ranks) {
  const std::size_t plane = std::size_t(whole.box[0]) * whole.box[1];
  const auto below = shapes::dipoles_below(whole);
  // the transforms of a plane's lines cost whether or not they hold dipoles
  std::vector<double> costs;
  for (std::size_t z = 0; z + 1 < below.size(); ++z)
    costs.push_back(double(plane) + double(below[z + 1] - below[z]));
  ParticleSlab slab;
  slab.rank = rank;
  slab.planes = comm::balanced_parts(costs, ranks);
  for (const index_t z : slab.planes) slab.dipoles.push_back(index_t(below[std::size_t(z)]));
  return slab;
}

ParticleSlab take_slab(const shapes::Particle& whole, int rank, int ranks) {
  ParticleSlab slab = share_planes(whole, rank, ranks);
  const auto plane = index_t(whole.box[0]) * whole.box[1];
  const index_t first = slab.first_plane(), end = slab.planes[std::size_t(rank) + 1];
  shapes::Particle& part = slab.particle;
  part.box = {whole.box[0], whole.box[1], int(end - first)};
  part.material.assign(whole.material.begin() + first * plane, whole.material.begin() + end * plane);
  part.materials = whole.materials;
  part.spacing = whole.spacing;
  const auto sites = shapes::sites_of_materials(part.material);
  part.dipoles_per_material.assign(sites.begin() + 1,
                                   sites.begin() + 1 + index_t(whole.dipoles_per_material.size()));
  return slab;
}

}  // namespace umov::dda
