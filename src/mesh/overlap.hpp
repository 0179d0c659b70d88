// Elements that share space.
#pragma once

#include <optional>
#include <utility>

#include "mesh/tet_mesh.hpp"

namespace umov::mesh {

/// Two elements of which one lies in the other, wholly or in part, or on the same side of a face of both.
/// Elements have positive volumes. A surface that reaches into another volume by less than a twentieth of an
/// element is not found.
std::optional<std::pair<int, int>> find_overlap(const TetMesh&);

}  // namespace umov::mesh
