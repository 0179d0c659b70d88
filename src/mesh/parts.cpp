#include "mesh/parts.hpp"

#include "core/error.hpp"

namespace umov::mesh {

TetMesh build_parts(const Geometry& geometry) {
  throw MachineFailure(
      "geometry '" + geometry.name +
      "': cannot be meshed (the Gmsh library is not there) give a .msh file, or install Gmsh");
}

bool parts_available(std::string& why_not) {
  why_not = "the Gmsh library is not there";
  return false;
}

}  // namespace umov::mesh
