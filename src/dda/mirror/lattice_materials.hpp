// The factors of a lattice's materials: those of the particle, or of its mirror fraction.
#pragma once

#include <span>
#include <vector>

#include "dda/engine.hpp"
#include "dda/mirror/fraction.hpp"

namespace umov::dda {

/// What the factor of one material on the lattice is made of, component by component.
struct LatticeMaterial {
  CVec3 alpha;  ///< polarizability (um^3)
  Vec3 weight;  ///< w of a mirror fraction, else 1
};

/// For the polarizability of each material of the whole particle.
inline std::vector<LatticeMaterial> lattice_materials(const Problem& problem, std::span<const CVec3> alpha) {
  std::vector<LatticeMaterial> list;
  if (problem.fraction) {
    for (const auto& kind : problem.fraction->kinds)
      list.push_back({alpha[kind.material], problem.fraction->weights(kind)});
  } else {
    for (const CVec3& a : alpha) list.push_back({a, {1, 1, 1}});
  }
  return list;
}

}  // namespace umov::dda
