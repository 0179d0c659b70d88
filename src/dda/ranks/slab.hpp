// The planes of a particle that one rank solves for.
#pragma once

#include <vector>

#include "shapes/particle.hpp"

namespace umov::dda {

/// A rank's planes of constant z. Dipoles are numbered x fastest, then y, then z, so that those of a slab
/// follow each other in the whole.
struct ParticleSlab {
  shapes::Particle particle;     ///< box [nx, ny, planes of the rank], maybe none; materials of the whole
  std::vector<index_t> planes;   ///< borders of the ranks' planes, [ranks + 1]
  std::vector<index_t> dipoles;  ///< borders of their dipoles in the order of the whole, [ranks + 1]
  int rank = 0;

  index_t first_plane() const { return planes[std::size_t(rank)]; }
  index_t first_dipole() const { return dipoles[std::size_t(rank)]; }
  index_t own_dipoles() const { return dipoles[std::size_t(rank) + 1] - first_dipole(); }
  index_t all_dipoles() const { return dipoles.back(); }
};

/// Borders alone, without the particle.
ParticleSlab share_planes(const shapes::Particle&, int rank, int ranks);

/// The part of `rank` where `ranks` share the particle: as many dipoles each as whole planes allow.
ParticleSlab take_slab(const shapes::Particle&, int rank, int ranks);

}  // namespace umov::dda
