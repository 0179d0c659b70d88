// Meshes of tetrahedra with quantities over time, as `umov eqs` leaves them in VTKHDF: the mesh at once,
// values when they are asked for.
#pragma once

#include <string>
#include <vector>

#include "core/types.hpp"

namespace umov::results {

/// A quantity of a mesh: at its points, or one value per tetrahedron; of vectors their size counts.
struct MeshQuantity {
  std::string name, unit, description;
  bool at_points = true;
  int components = 1;
};

/// Straight tetrahedra of first or second order.
struct StoredMesh {
  std::vector<Vec3> points;
  int corners = 4;  ///< points of a tetrahedron: 4, or 10 with one on each edge: 01, 12, 02, 03, 13, 23
  std::vector<int> nodes;   ///< [tetrahedron][corner]
  std::vector<int> region;  ///< per tetrahedron, index into `regions`
  std::vector<std::string> regions;
  std::vector<int> conductor;  ///< per point, index into `conductors`, -1: on none; empty: none are known
  std::vector<std::string> conductors;
  std::vector<MeshQuantity> quantities;
  std::vector<double> times;  ///< at which there are values, ascending
  double period = 0;          ///< s; of which the times are phases, 0: they are no phases

  std::size_t count() const { return region.size(); }
  const int* tet(std::size_t t) const { return nodes.data() + t * std::size_t(corners); }
};

/// Whether the file holds an unstructured grid. Throws BadInput for what is no HDF5.
bool is_mesh_file(const std::string& path);
/// Throws BadInput naming the file.
StoredMesh read_mesh_file(const std::string& path);
/// Values of a quantity at times[instant], one per point or tetrahedron. Throws BadInput.
std::vector<float> read_mesh_values(const std::string& path, const StoredMesh&, std::size_t quantity,
                                    std::size_t instant);

}  // namespace umov::results
