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
  std::vector<int> group{};                   ///< by triangle: of `groups`, or -1; empty = none has a name
  std::vector<std::string> groups{};          ///< names of solids, objects and groups, as the file has them
};

/// Reads STL (text and binary) and OBJ (faces of any number of corners become fans), by the file's content
/// and its ending; equal vertices are joined and triangles without area dropped. Throws BadInput naming file
/// and line; Error(Exit::interrupted) soon after a signal has arrived.
Mesh read_mesh(const std::string& path);

/// A body of the mesh scaled by `scale` about the file's origin, which goes to the frame's centre: the union
/// of its parts (mesh_parts.hpp), of which those within others may be cavities. Throws BadInput naming the
/// part for open or inconsistent surfaces.
std::unique_ptr<Body> mesh_body(Mesh, const Frame&, double scale);

/// The same as one body for every group of parts that meet or lie within each other: where two surfaces pass
/// through a cell, each is sampled by itself.
std::vector<std::unique_ptr<Body>> mesh_bodies(Mesh, const Frame&, double scale);

}  // namespace umov::shapes
