// The parts of a mesh: closed surfaces, each by itself, turned the right way round.
#pragma once

#include "shapes/mesh.hpp"

namespace umov::shapes {

/// Of the extent: faces that lie nearer to each other touch.
inline constexpr double touching = 1e-7;

/// One closed surface.
struct MeshPart {
  std::vector<int> triangles;  ///< of the mesh
  std::string name;            ///< "its part 2 of 3 ('lid', ...)"; "its surface" of a mesh of one part
  double volume = 0;           ///< negative where its triangles call the inside outside
  Bounds bounds;
  bool pinched = false;  ///< somewhere more than two of its triangles meet in an edge
};

/// Parts in the order of the file. A part is what edges of two triangles join, among triangles that follow
/// each other in the file until they close; so parts may share edges, corners and faces. Throws BadInput
/// naming a part that is open, whose neighbouring triangles disagree on the outside, or without volume.
std::vector<MeshPart> parts_of(const Mesh&);

/// Turns parts so that the winding number is positive in what is filled. What no other part encloses whole
/// is filled. A part within others keeps its sense against the outermost of them: in the opposite sense it is
/// a cavity, or what fills one; turned back where nothing is around it that could be hollow.
void turn_parts(Mesh&, std::vector<MeshPart>&);

/// The surface of the union of turned parts: triangles, and parts of triangles, that have nothing filled on
/// their outer side. Faces that lie within 1e-7 of the extent of each other touch, and are inside. Throws
/// BadInput naming a pinched part that calls the inside outside in places.
Mesh union_surface(const Mesh&, const std::vector<MeshPart>&);

/// Parts whose surfaces neither meet those of others nor lie within them: a body apart.
struct MeshPiece {
  Mesh solid, surface;  ///< its triangles; those of the surface of its union
};
/// The union as pieces, in the order of their first parts. However narrow the gap between two of them, each
/// has a surface of its own.
std::vector<MeshPiece> union_pieces(const Mesh&, const std::vector<MeshPart>&);

}  // namespace umov::shapes
