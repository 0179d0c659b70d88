// The faces at which volumes of a mesh meet or end, and how they join into surfaces.
#pragma once

#include <array>
#include <vector>

#include "mesh/tet_mesh.hpp"

namespace umov::mesh {

/// Faces between volume groups, faces of one element, and triangles of named surfaces inside a group; each
/// once.
std::vector<Tri> skin_faces(const TetMesh&);

/// The three edges of faces, those of one edge side by side: sorted by ends, then face.
struct FaceEdge {
  int low, high, face, opposite;
  bool same(const FaceEdge& o) const { return low == o.low && high == o.high; }
};
std::vector<FaceEdge> edges_of_faces(const std::vector<Tri>&);

/// Of twice the triangle's area, by its right-handed order.
inline Vec3 facet_normal(const TetMesh& m, const Tri& f) {
  return cross(m.nodes[f[1]] - m.nodes[f[0]], m.nodes[f[2]] - m.nodes[f[0]]);
}

/// By how much a surface turns where two faces meet in an edge, rad: 0 in a plane, pi where they fold back.
double turn_between(const TetMesh&, const FaceEdge&, const FaceEdge&);

/// At this angle and more two faces meet in an edge that is meant; below, they stand for one smooth surface.
/// A circle of nine edges turns by 40 degrees at each.
inline constexpr double meant_edge = 0.72;

/// Puts faces into patches across edges of less than `meant_edge`, and turns the faces of a patch about so
/// that all have one side. `patch`: per face, -1 for those that take no part; set to 0, 1, ... for the
/// others. Returns how many there are.
int join_patches(const TetMesh&, std::vector<Tri>& faces, std::vector<int>& patch);

}  // namespace umov::mesh
