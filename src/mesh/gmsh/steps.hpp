// Steps of Gmsh's meshing of one geometry, in a model whose pieces are made.
#pragma once

#include <set>

#include "mesh/geometry.hpp"
#include "mesh/gmsh/solids.hpp"
#include "mesh/tet_mesh.hpp"

namespace umov::mesh {

/// Sets the grid of a tube's sector; `done`: faces that have theirs. Throws BadInput where the sector is not
/// whole.
/// Corners are given in one order for all faces, so that the diagonals of the surface triangles are those of
/// Gmsh's cut of a hexahedron into six tetrahedra; its own order leaves gaps.
void set_grid(const Geometry&, const Pieces::Grid&, std::set<int>& done);

/// The mesh that Gmsh has made in units of `unit` metres, lengths in m, nodes numbered as they are first met.
/// Throws BadInput naming a part without elements.
TetMesh take_mesh(const Geometry&, const Pieces&, double unit);

/// Every face inside belongs to two elements, and those that belong to one are the outer faces' triangles.
/// Throws MachineFailure otherwise.
void check_conforming(const TetMesh&, const Pieces&);

}  // namespace umov::mesh
