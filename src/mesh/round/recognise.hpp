// Surfaces in closed form, recognised by the nodes of a triangulation.
#pragma once

#include <vector>

#include "mesh/round/surface.hpp"

namespace umov::mesh {

/// How far the corners of a face lie off a surface, in lengths of its longest edge; infinite where the face
/// leans away from it.
double misfit(const TetMesh&, const Tri& face, const RoundSurface&);

/// Gives faces without a surface (-1) one of `surfaces`, to which those that are found are added: planes grow
/// from nodes around which all is flat, then spheres, cylinders, cones and tori from a face and those around
/// it, over neighbours whose nodes lie on them to 1e-5 of an edge. Turns faces about so that patches have one
/// side.
void recognise(const TetMesh&, std::vector<Tri>& faces, std::vector<int>& surface,
               std::vector<RoundSurface>& surfaces);

}  // namespace umov::mesh
