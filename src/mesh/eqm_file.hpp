// The benchmark format EQM1: a rod with sheds as plain arrays.
#pragma once

#include <string>

#include "mesh/tet_mesh.hpp"

namespace umov::mesh {

/// Reads an unpacked .eqm file (little endian: "EQM1    "; int64 nodes, tetrahedra, low and high triangles;
/// float64 x y z per node; int32 four nodes per tetrahedron; uint8 material per tetrahedron; int32 three
/// nodes per low, then per high triangle). Volumes air, rod, layer, housing; surfaces low, high. Throws
/// BadInput.
TetMesh read_eqm(const std::string& path);

}  // namespace umov::mesh
