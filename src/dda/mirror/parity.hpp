// Parities under mirrors, for host and devices.
#pragma once

#include <array>

#include "core/complex.hpp"

namespace umov::dda {

/// Of a field of dipoles under x -> -x, y -> -y, z -> -z: +1 even, -1 odd, 0 where that plane is not used. A
/// field P is even along x where P(-x, y, z) = (-Px, Py, Pz)(x, y, z), as that of a source which is its own
/// mirror image.
using Parity = std::array<int, 3>;

/// Sign of one component between a site and its image.
inline int component_parity(const Parity& parity, int component, int axis) {
  return component == axis ? -parity[axis] : parity[axis];
}

/// One axis of a box of which a mirror leaves the upper half, the sites of the plane included.
struct HalvedAxis {
  int whole;   ///< sites of the box
  int stored;  ///< sites that are kept: (whole + 1)/2, or all
  int parity;  ///< of the sector, 0 = no mirror

  /// Of site i of the box, the one that is kept.
  UMOV_HD int kept(int i) const { return i >= first() ? i - first() : stored - 1 - i; }
  /// Where kept site 0 lies in the box.
  UMOV_HD int first() const { return whole - stored; }
  UMOV_HD bool on_plane(int i) const { return parity != 0 && 2 * i == whole - 1; }
  /// What component c of the kept site counts at site i: its sign there, and twice on the plane, which is the
  /// image of itself.
  UMOV_HD int weight(int i, bool normal) const {
    if (on_plane(i)) return 2;
    return i >= first() ? 1 : sign(normal);
  }
  /// Parity of a component, `normal` to the plane or along it.
  UMOV_HD int sign(bool normal) const { return normal ? -parity : parity; }
};

}  // namespace umov::dda
