// Lengths in units of the model, as Gmsh and OpenCASCADE get them.
#pragma once

#include "mesh/geometry.hpp"

namespace umov::mesh {

/// Metres per unit: OpenCASCADE takes points within 1e-7 for one and Gmsh knows 1e-8, whatever the model's
/// size. The domain's diagonal is that of a cube of 32 units.
double model_unit(const Geometry&);

/// The same geometry with all its lengths in such units, rounded to 42 bits (1e-13 of themselves): a model of
/// another scale, whose lengths differ by more than that from a multiple of these only by chance, has the
/// same bits, and so the same mesh.
Geometry in_units(Geometry, double unit);

}  // namespace umov::mesh
