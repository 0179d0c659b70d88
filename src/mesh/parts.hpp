// Geometries of kind "parts": meshed by the Gmsh library, which lies in a module of its own.
#pragma once

#include <string>

#include "mesh/geometry.hpp"
#include "mesh/tet_mesh.hpp"

namespace umov::mesh {

/// The mesh of a geometry of kind "parts". The same bits every time for the same version of Gmsh. Throws
/// BadInput naming the part, MachineFailure when the module or the Gmsh library is missing, and Stopped on
/// Ctrl-C.
TetMesh build_parts(const Geometry&);

/// Whether the module can be used on this machine; else why not and what to do.
bool parts_available(std::string& why_not);

}  // namespace umov::mesh
