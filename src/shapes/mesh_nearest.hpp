// The nearest point of a triangle, and a tree of boxes that many triangles are asked through.
#pragma once

#include "shapes/mesh.hpp"

namespace umov::shapes {

/// Where on a triangle a point is: within its face, or on its edges and corners.
struct OnTriangle {
  Vec3 point{0, 0, 0};
  bool on_rim = false;
};
OnTriangle nearest_on_triangle(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c);

/// What a line along x through a point meets of a triangle: where along x, and 1 where it goes to the
/// triangle's outer side, -1 where it comes from there, 0 where it misses.
struct Passage {
  double x = 0;
  int sense = 0;
};
/// Of triangles that share an edge a line passes one, whatever the rounding.
Passage passage(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c);

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

  /// Calls visit(triangle, sense) for what a ray from a point along +x passes.
  template <class Visit>
  void along_ray(const Mesh& mesh, const Vec3& p, const Visit& visit) const {
    const auto met = [&](const Node& n) {
      return p[0] <= n.high[0] && p[1] >= n.low[1] && p[1] <= n.high[1] && p[2] >= n.low[2] &&
             p[2] <= n.high[2];
    };
    walk(met, [&](int i) {
      const auto& t = mesh.triangles[i];
      const Passage at = passage(p, mesh.vertices[t[0]], mesh.vertices[t[1]], mesh.vertices[t[2]]);
      if (at.sense != 0 && at.x > p[0]) visit(i, at.sense);
    });
  }
  /// How often closed surfaces enclose a point.
  int winding(const Mesh& mesh, const Vec3& p) const {
    int sum = 0;
    along_ray(mesh, p, [&](int, int sense) { sum += sense; });
    return sum;
  }
  /// Calls visit(triangle) for those whose leaf meets a box.
  template <class Visit>
  void in_box(const Vec3& low, const Vec3& high, const Visit& visit) const {
    walk(
        [&](const Node& n) {
          for (int a = 0; a < 3; ++a)
            if (n.low[a] > high[a] || n.high[a] < low[a]) return false;
          return true;
        },
        visit);
  }

 private:
  /// A leaf holds order_[first] .. order_[first + count - 1]; an inner node has count 0 and children at
  /// first, first+1.
  struct Node {
    Vec3 low, high;
    int first = 0, count = 0;
  };
  static constexpr int deepest = 128;

  void build(const Mesh&, int node, int first, int count);
  /// Calls visit(triangle) for those in leaves that are met, as all nodes above are.
  template <class Met, class Visit>
  void walk(const Met& met, const Visit& visit) const {
    std::array<int, deepest> stack;
    int top = 0;
    stack[top++] = 0;
    while (top > 0) {
      const Node& node = nodes_[stack[--top]];
      if (!met(node)) continue;
      if (node.count == 0) stack[top++] = node.first, stack[top++] = node.first + 1;
      for (int i = node.first; i < node.first + node.count; ++i) visit(order_[i]);
    }
  }

  std::vector<Node> nodes_;
  std::vector<int> order_;
};

}  // namespace umov::shapes
