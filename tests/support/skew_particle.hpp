// A particle that no symmetry and no coincidence helps.
#pragma once

#include <cstdint>

#include "shapes/particle.hpp"

namespace umov::test {

/// Of two materials, with bites out of it and planes that are fuller than others.
inline shapes::Particle skew_particle(const Int3& box) {
  shapes::Particle p;
  p.box = box;
  p.materials = 2;
  p.dipoles_per_material = {0, 0};
  p.spacing = {0.31, 0.31, 0.31};
  for (int z = 0; z < box[2]; ++z)
    for (int y = 0; y < box[1]; ++y)
      for (int x = 0; x < box[0]; ++x) {
        const bool bite =
            (x * 7 + y * 3 + z * 5) % 11 == 0 || (x > box[0] / 2 && 2 * y > box[1] && z % 3 == 1);
        const int m = bite && (x | y | z) ? 0 : 1 + ((x + 2 * y * z) % 3 == 0);
        p.material.push_back(std::uint8_t(m));
        if (m) ++p.dipoles_per_material[std::size_t(m) - 1];
      }
  return p;
}

}  // namespace umov::test
