// A particle with mirror planes, and the fraction of it on which its even and odd parts are known.
#pragma once

#include <vector>

#include "dda/mirror/parity.hpp"
#include "shapes/particle.hpp"

namespace umov::dda {

using Planes = std::array<bool, 3>;

/// Half, quarter or eighth of a particle: its sites at and above the middle of each axis with a plane. A part
/// of one parity is known by its values u there, an orthonormal basis of the whole: sqrt(images) times them,
/// where a site has 2^planes images, half as many for each plane that it lies on. So restricted the system
/// is I - S w H w S, where H sums the interaction over all images and w = sqrt(images/2^planes): complex
/// symmetric as the whole is, of the same norms. The components that are odd across a plane are zero on it:
/// their w is zero, and the system is the identity there.
struct MirrorFraction {
  /// Its materials are those of the whole, anew on each set of planes: their factors S w differ.
  shapes::Particle particle;
  Int3 whole{0, 0, 0};  ///< box of the whole
  Planes planes{};
  struct Kind {
    int material;  ///< of the whole, from 0
    Planes on_plane{};
  };
  std::vector<Kind> kinds;  ///< of the particle's materials
  Parity parity{};          ///< the sector that factors and products are of, until it is another

  int planes_used() const { return planes[0] + planes[1] + planes[2]; }
  int all_images() const { return 1 << planes_used(); }
  int images(const Kind&) const;
  /// w of each component.
  Vec3 weights(const Kind&) const;
  HalvedAxis axis(int a) const { return {whole[a], particle.box[a], parity[a]}; }
};

/// Planes in the middle of the box under which the particle's sites are their own images, materials included.
/// A refractive index that is a tensor is diagonal on the lattice and keeps these mirrors. None for so many
/// materials that the fraction's could not be numbered.
Planes mirror_planes(const shapes::Particle&);

MirrorFraction take_fraction(const shapes::Particle&, const Planes&);

/// The parities of all sectors.
std::vector<Parity> sectors_of(const Planes&);

/// Grid of the transforms for `planes`: as transform_grid gives it, with lengths of a multiple of four
/// where the box is even and none was given, so that both halves of the spectrum fold once more.
Int3 folded_grid(const Int3& box, const Int3& given, const Planes&);

}  // namespace umov::dda
