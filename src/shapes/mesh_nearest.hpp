// The nearest point of a triangle, and of many triangles by a tree of boxes.
#pragma once

#include "shapes/mesh.hpp"

namespace umov::shapes {

/// Where on a triangle a point is: a corner (0 to 2), the edge from corner e to e + 1 (3 + e), or the face
/// (6).
struct OnTriangle {
  Vec3 point{0, 0, 0};
  int feature = 6;
};
OnTriangle nearest_on_triangle(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c);

/// A binary tree of boxes over the triangles of a mesh.
class TriangleTree {
 public:
  struct Hit {
    int triangle = -1;
    OnTriangle at;
    double distance2 = unbounded;
  };

  explicit TriangleTree(const Mesh&);
  Hit nearest(const Mesh&, const Vec3&) const;
  Bounds bounds() const { return {nodes_[0].low, nodes_[0].high}; }

 private:
  /// A leaf holds order_[first] .. order_[first + count - 1]; an inner node has count 0 and children at
  /// first, first+1.
  struct Node {
    Vec3 low, high;
    int first = 0, count = 0;
  };
  void build(const Mesh&, int node, int first, int count);

  std::vector<Node> nodes_;
  std::vector<int> order_;
};

}  // namespace umov::shapes
