// The surfaces of a mesh of tetrahedra: what of it can be seen, and values on it.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "results/mesh_reader.hpp"
#include "view/data.hpp"

namespace umov::view {

/// A triangle, the element it belongs to, and what it bounds.
struct Face {
  std::array<int, 3> corner{};
  int tet = 0;
  int region = 0;  ///< that is drawn: the element's region, or behind all regions a conductor
};

/// Faces that belong to one tetrahedron, and those between regions (once for each of the two). An outer face
/// all of whose corners lie on one conductor is the conductor's: region `regions + conductor`.
std::vector<Face> surfaces(const results::StoredMesh&);

/// Surfaces ready to be drawn. Vertices are not shared between regions: fields jump there.
class Surface {
 public:
  explicit Surface(const results::StoredMesh&);

  std::size_t vertices() const { return point_.size(); }
  std::size_t triangles() const { return region_.size(); }
  /// Places, corners and regions of the triangles.
  const std::vector<Part>& shape() const { return shape_; }
  /// Values at the vertices: those at points as they are, those of elements as means over the elements of the
  /// same region around.
  Part values(std::span<const float> values, bool at_points) const;

 private:
  std::vector<int> point_;
  std::vector<std::uint32_t> region_;
  std::vector<Part> shape_;
  std::vector<std::size_t> first_;  ///< of vertex v: elements around_[first_[v]] to around_[first_[v + 1]]
  std::vector<int> around_;
};

}  // namespace umov::view
