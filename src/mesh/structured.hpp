// Layered grids that need no mesh generator: a column of boxes, a sector of a cylinder, a sector of a sphere.
#pragma once

#include "mesh/geometry.hpp"

namespace umov::mesh {

/// build_mesh for the kinds "layers", "coaxial" and "spherical": a grid of hexahedra, each cut into six
/// tetrahedra along its main diagonal (Kuhn), nodes exactly on the planes, cylinders and spheres. Throws
/// BadInput naming the layer.
///
/// layers: 0 <= x, y <= width, layers upwards from z = 0; surfaces bottom, top, x_min, x_max, y_min, y_max.
/// coaxial: 0 <= z <= width, azimuth from 0 to `angle` (360: closed); surfaces inner and outer.
/// spherical: about the z axis, between four planes through the origin, opposite ones `angle` apart: the
/// solid angle is 4 asin(sin(angle/2)^2), 90 degrees are a sixth of the sphere; surfaces inner and outer.
TetMesh build_structured(const Geometry&);

}  // namespace umov::mesh
