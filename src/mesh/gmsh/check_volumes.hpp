// Whether what was built, cut and meshed still has the volumes and surfaces of the geometry.
#pragma once

#include "mesh/gmsh/part_solids.hpp"
#include "mesh/gmsh/solids.hpp"
#include "mesh/tet_mesh.hpp"

namespace umov::mesh {

/// Volumes of the solids that are cut at one another next, of the domain and of each input.
std::vector<double> volumes_before(int domain, const std::vector<Input>&);
/// Throws BadInput naming a part whose pieces (`map`, the domain's first) have not its volume.
void check_pieces(const Geometry&, const std::vector<Input>&, const std::vector<double>& before,
                  const std::vector<Tags>& map);

/// Holds the elements of every region to the volume of its pieces, and every surface group to its faces.
/// Throws BadInput naming the region or group: one whose faces are plane has its volume, or is not there; a
/// warning where facets take a quarter of a round one, and for a conductor that left no surface.
void check_volumes(const Geometry&, const Pieces&, double unit, TetMesh&);

}  // namespace umov::mesh
