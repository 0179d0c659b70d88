// Nodes inside of a refined mesh that follow those that were moved.
#pragma once

#include <vector>

#include "mesh/tet_mesh.hpp"

namespace umov::mesh {

/// A new node of a skin: where it goes, or what it must not leave.
struct SkinNode {
  int node = 0;  ///< of the fine mesh
  Vec3 move{0, 0, 0};
  bool placed = true;  ///< it goes there; else it may follow others along planes
  int planes = 0;      ///< whose normals, orthogonal to one another, these are
  std::array<Vec3, 3> normal{};
};

/// Moves the nodes of `skin` (in the order of their numbers), and new nodes beside them as a net of springs
/// would (stiffness 1 / length^2; nodes of the coarse mesh stay). Where an element would be inverted or keep
/// less than a fifth of its quality, its nodes go half as far, and again until it is good. Returns how far
/// each of `skin` went, 0 to 1.
std::vector<double> settle(int coarse_nodes, const std::vector<Edge>& middles, std::vector<SkinNode> skin,
                           TetMesh& fine);

}  // namespace umov::mesh
