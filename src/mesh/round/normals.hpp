// Normals of smooth surfaces of which only a triangulation is known, and the arcs between them.
#pragma once

#include <array>
#include <vector>

#include "mesh/round/skin.hpp"

namespace umov::mesh {

using CornerNormals = std::array<Vec3, 3>;

/// Unit normals of each face at its corners, of the faces whose patch is not negative; corners of one patch
/// in one node have the same. A cubic height function through the node and its neighbours of two rings and
/// more gives it (jets: Cazals and Pouget 2005, Comput. Aided Geom. Design 22, 121; error of third order in
/// the edges inside of a patch), of lower degree where neighbours are few.
std::vector<CornerNormals> corner_normals(const TetMesh&, const std::vector<Tri>& faces,
                                          const std::vector<int>& patch);

/// From the middle of the chord between two points to the curve that stands for the surface there: a circular
/// arc where the normals are its own, level in the middle of an S.
Vec3 arc_over(const Vec3& a, const Vec3& b, const Vec3& normal_a, const Vec3& normal_b);
/// The surface's normal there: that of a cubic curve with these at its ends.
Vec3 normal_between(const Vec3& a, const Vec3& b, const Vec3& normal_a, const Vec3& normal_b);

}  // namespace umov::mesh
