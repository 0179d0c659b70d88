// Gmsh in a process of its own: what it sets, and where it fails, does not reach this one.
#pragma once

#include <string>

#include "mesh/gmsh_module.hpp"

namespace umov::mesh {

/// As module.build, but in a child process that is ended at once when a signal asks the program to stop: Gmsh
/// and OpenCASCADE work for minutes without looking up. It also keeps Gmsh's settings there, such as the
/// number of OpenMP's threads, which it sets to one, and its crashes. Throws MachineFailure where there is no
/// process or it crashed; returns the module's exit code, or that of the signal.
int build_apart(const GmshModule& module, const Geometry&, TetMesh& mesh, std::string& message);

}  // namespace umov::mesh
