// The door of libumov_gmsh.so, which holds all that needs the Gmsh library.
#pragma once

#include <string>

#include "mesh/geometry.hpp"
#include "mesh/tet_mesh.hpp"

namespace umov::mesh {

/// What the module's one exported function `umov_gmsh_module` answers. No exception crosses it.
struct GmshModule {
  int version;  ///< of this struct; must equal gmsh_module_version
  /// Returns 0, or an exit code (core/error.hpp) with its message. `interrupted` is asked now and then.
  int (*build)(const Geometry&, bool (*interrupted)(), TetMesh& mesh, std::string& message);
};
inline constexpr int gmsh_module_version = 1;
using GmshModuleEntry = const GmshModule* (*)();

}  // namespace umov::mesh
