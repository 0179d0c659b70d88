// Which element holds a point, and where in it.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "mesh/tet_mesh.hpp"

namespace umov::mesh {

struct Place {
  int tet = -1;
  std::array<double, 4> weight{};  ///< barycentric coordinates
};

/// A search tree over the elements of one mesh (which must outlive it).
class Locator {
 public:
  explicit Locator(const TetMesh&);
  ~Locator();
  /// The element that holds `p` (the lowest number where several do, within 1e-9 of the element's size);
  /// nothing outside.
  std::optional<Place> find(const Vec3& p) const;

 private:
  struct Tree;
  std::unique_ptr<Tree> tree_;
};

}  // namespace umov::mesh
