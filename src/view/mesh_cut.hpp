// Values of a mesh of tetrahedra on rasters: which element each value lies in, and the value there.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "results/mesh_reader.hpp"
#include "view/data.hpp"

namespace umov::view {

/// A raster laid over a mesh, fine enough for any zoom; nothing is stored of its cells.
struct MeshRaster {
  Int3 cells{1, 1, 1};
  Vec3 origin{0, 0, 0}, spacing{1, 1, 1};
};
MeshRaster raster_over(const results::StoredMesh&);

/// For each value of a request, in their order: the element that its place lies in and the place's
/// barycentric coordinates there. A place is the middle of the box of cells that the value stands for.
struct MeshPlaces {
  std::vector<int> tet;  ///< -1: outside of the mesh
  std::vector<std::array<float, 4>> weights;
};
MeshPlaces places_of(const results::StoredMesh&, const MeshRaster&, const Request&);

/// Values there: those at points are interpolated (linearly, or as elements of second order are). Outside
/// NaN.
std::vector<float> values_at(const results::StoredMesh&, const MeshPlaces&, std::span<const float> values,
                             bool at_points);

}  // namespace umov::view
