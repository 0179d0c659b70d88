// Nodes that nothing uses.
#pragma once

#include "mesh/tet_mesh.hpp"

namespace umov::mesh {

/// Leaves out nodes that neither elements nor triangles use; the others keep their order.
void drop_unused_nodes(TetMesh&);

}  // namespace umov::mesh
