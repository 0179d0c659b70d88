// Closed surfaces of triangles: reading them, checking them, using them as bodies.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "shapes/body.hpp"

namespace umov::shapes {

struct Mesh {
  std::vector<Vec3> vertices;
  std::vector<std::array<int, 3>> triangles;  ///< indices of vertices
};

/// Reads STL (text and binary) and OBJ (faces of any number of corners become fans), by the file's content
/// and its ending; equal vertices are joined and triangles without area dropped. Throws BadInput naming file
/// and line.
Mesh read_mesh(const std::string& path);

/// A body of the mesh scaled by `scale` about the file's origin, which goes to the frame's centre. The
/// surface must be closed: every edge belongs to two triangles that run through it in opposite directions;
/// which of the two sides they call outside does not matter. Throws BadInput for open or inconsistent
/// surfaces.
std::unique_ptr<Body> mesh_body(Mesh, const Frame&, double scale);

}  // namespace umov::shapes
