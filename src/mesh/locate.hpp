// Which element holds a point, and where in it.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "mesh/place_order.hpp"
#include "mesh/tet_mesh.hpp"

namespace umov::mesh {

struct Place {
  int tet = -1;
  std::array<double, 4> weight{};  ///< barycentric coordinates
};

/// The box of an element's vertices.
Box box_of(const TetMesh&, int tet);

/// Whether an element holds `p`, off its faces by a thousandth of its heights.
bool holds_inside(const TetMesh&, int tet, const Vec3& p);

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
  template <class F>
  void at_leaves(const Vec3& p, const F& look) const;
  std::unique_ptr<Tree> tree_;
};

}  // namespace umov::mesh
