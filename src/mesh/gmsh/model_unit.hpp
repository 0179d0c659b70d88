// Lengths in units of the model, as Gmsh and OpenCASCADE get them.
#pragma once

#include "mesh/geometry.hpp"

namespace umov::mesh {

/// Metres per unit: OpenCASCADE takes points within 1e-7 for one and Gmsh knows 1e-8, whatever the model's
/// size. A power of two, so that no length is rounded, which makes the domain's diagonal 32 to 64 units.
double model_unit(const Geometry&);

/// The same geometry with all its lengths in such units.
Geometry in_units(Geometry, double unit);

}  // namespace umov::mesh
