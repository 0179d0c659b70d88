// The solids of one part, and what later parts take of earlier ones.
#pragma once

#include <gmsh.h>

#include <array>
#include <vector>

#include "mesh/geometry.hpp"

namespace umov::mesh {

using Tags = gmsh::vectorpair;
using Box = std::array<double, 6>;  // low, high
constexpr double touching = 1e-6;   // units of the model: bounding boxes are a little loose

/// A solid handed to the fragmentation: whose it is.
struct Input {
  int tag, part, copy;
  double start, angle;  ///< of a revolved sector, degrees
};

/// Of places that are the same.
double rounding(const Geometry&);
std::vector<int> volumes_in(const Tags&);
Box bounding_box(int volume);
double volume_of(int tag);

/// Adds the solids of all copies of a part, without what lies behind planes of symmetry.
void add_part(const Geometry&, int index, std::vector<Input>&);

/// Takes later parts away from earlier ones, whose covered ends would otherwise leave traces in them. Throws
/// BadInput naming a part of which nothing is left.
void cover(const Geometry&, std::vector<Input>&);

}  // namespace umov::mesh
