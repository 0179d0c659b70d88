// Parts as solids of Gmsh's OpenCASCADE kernel, cut by one another into pieces.
#pragma once

#include <string>
#include <vector>

#include "mesh/geometry.hpp"

namespace umov::mesh {

/// What the pieces of the fragmented model are, by the tags of Gmsh.
struct Pieces {
  struct Volume {
    int tag;
    int owner;      ///< part, or -1: the domain
    double volume;  ///< cubic units of the model
  };
  std::vector<Volume> volumes;  ///< kept, ascending tags
  struct Face {
    int tag;
    std::vector<std::string> groups;  ///< surface groups it belongs to
    std::vector<int> sides;           ///< kept volumes it bounds, one or two
  };
  std::vector<Face> faces;  ///< of kept volumes, ascending tags
  /// Sectors of tubes to be meshed in a grid.
  struct Grid {
    int part, copy, volume;
    double start, angle;  ///< degrees
  };
  std::vector<Grid> grids;
};

/// Builds all in the current model and synchronises it; lengths in `unit` metres, which messages are in.
/// Throws BadInput naming the part.
Pieces make_pieces(const Geometry&, double unit);

/// "part 3 ('housing', sheds)" or "the domain"
std::string owner_name(const Geometry&, int owner);

}  // namespace umov::mesh
