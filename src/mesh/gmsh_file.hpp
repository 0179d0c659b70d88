// Gmsh's own files: MSH 2.2 and 4.1, text and binary.
#pragma once

#include <string>

#include "mesh/tet_mesh.hpp"

namespace umov::mesh {

/// Reads nodes, tetrahedra (4 and 10 nodes), triangles (3 and 6 nodes) and physical groups (versions 2.0
/// to 2.2 and 4.1). Points, lines and surfaces in no group are left out, and so are nodes that then belong to
/// nothing. Of second-order elements the corners are kept; a warning says when their edges were curved.
/// Coordinates are multiplied by `scale` (1e-3 for a file in millimetres). Throws BadInput with file and line
/// (text) or byte (binary), the entity, and what to do: no tetrahedra, elements of other kinds or orders
/// besides them, volumes in no physical group or in two, unknown version, cut-off file, NaN.
TetMesh read_gmsh(const std::string& path, double scale = 1);

/// Writes MSH 4.1 or 2.2 text (for tests and to look at a generated mesh in Gmsh); complete or absent.
void write_gmsh(const TetMesh&, const std::string& path, const std::string& version = "4.1");

}  // namespace umov::mesh
