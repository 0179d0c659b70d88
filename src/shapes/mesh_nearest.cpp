#include "shapes/mesh_nearest.hpp"

#include <algorithm>

namespace umov::shapes {
namespace {

constexpr int triangles_in_leaf = 4;

double length2(const Vec3& v) { return dot(v, v); }

double distance2_to_box(const Vec3& p, const Vec3& low, const Vec3& high) {
  double d2 = 0;
  for (int a = 0; a < 3; ++a) {
    const double d = std::max(std::max(low[a] - p[a], p[a] - high[a]), 0.0);
    d2 += d * d;
  }
  return d2;
}

}  // namespace

// By the regions of the plane that belong to corners, edges and the face (Ericson 2005, Real-Time Collision
// Detection, section 5.1.5).
OnTriangle nearest_on_triangle(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c) {
  const Vec3 ab = b - a, ac = c - a, ap = p - a;
  const double d1 = dot(ab, ap), d2 = dot(ac, ap);
  if (d1 <= 0 && d2 <= 0) return {a, true};
  const Vec3 bp = p - b;
  const double d3 = dot(ab, bp), d4 = dot(ac, bp);
  if (d3 >= 0 && d4 <= d3) return {b, true};
  const double of_c = d1 * d4 - d3 * d2;
  if (of_c <= 0 && d1 >= 0 && d3 <= 0) return {a + (d1 / (d1 - d3)) * ab, true};
  const Vec3 cp = p - c;
  const double d5 = dot(ab, cp), d6 = dot(ac, cp);
  if (d6 >= 0 && d5 <= d6) return {c, true};
  const double of_b = d5 * d2 - d1 * d6;
  if (of_b <= 0 && d2 >= 0 && d6 <= 0) return {a + (d2 / (d2 - d6)) * ac, true};
  const double of_a = d3 * d6 - d5 * d4;
  if (of_a <= 0 && d4 >= d3 && d5 >= d6) return {b + ((d4 - d3) / ((d4 - d3) + (d5 - d6))) * (c - b), true};
  const double sum = of_a + of_b + of_c;
  return {a + (of_b / sum) * ab + (of_c / sum) * ac, false};
}

namespace {

/// 1 where the line runs past an edge on its left going up, -1 going down, 0 elsewhere; in y and z. The edge
/// is always taken from the same end, so that both of its triangles say the same.
int side(const Vec3& p, const Vec3& a, const Vec3& b) {
  const bool up = a[2] <= p[2];
  if (up == (b[2] <= p[2])) return 0;
  const bool ordered = std::array{a[2], a[1]} < std::array{b[2], b[1]};
  const Vec3 &low = ordered ? a : b, &high = ordered ? b : a;
  const double y = low[1] + (p[2] - low[2]) * (high[1] - low[1]) / (high[2] - low[2]);
  return y > p[1] ? (up ? 1 : -1) : 0;
}

}  // namespace

Passage passage(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c) {
  const int sense = side(p, a, b) + side(p, b, c) + side(p, c, a);
  if (sense == 0) return {};
  const Vec3 n = cross(b - a, c - a);
  if (n[0] == 0) return {(a[0] + b[0] + c[0]) / 3, sense};
  const auto [least, most] = std::minmax({a[0], b[0], c[0]});
  return {std::clamp(a[0] - (n[1] * (p[1] - a[1]) + n[2] * (p[2] - a[2])) / n[0], least, most), sense};
}

TriangleTree::TriangleTree(const Mesh& mesh) {
  order_.resize(mesh.triangles.size());
  for (std::size_t i = 0; i < order_.size(); ++i) order_[i] = int(i);
  nodes_.emplace_back();
  build(mesh, 0, 0, int(order_.size()));
}

void TriangleTree::build(const Mesh& mesh, int node, int first, int count) {
  Vec3 low{unbounded, unbounded, unbounded}, high{-unbounded, -unbounded, -unbounded};
  for (int i = first; i < first + count; ++i)
    for (int corner : mesh.triangles[order_[i]])
      for (int a = 0; a < 3; ++a) {
        low[a] = std::min(low[a], mesh.vertices[corner][a]);
        high[a] = std::max(high[a], mesh.vertices[corner][a]);
      }
  nodes_[node] = {low, high, first, count};
  if (count <= triangles_in_leaf) return;
  const Vec3 extent = high - low;
  const int axis = int(std::max_element(extent.begin(), extent.end()) - extent.begin());
  const auto middle = [&](int t) {
    double sum = 0;
    for (int corner : mesh.triangles[t]) sum += mesh.vertices[corner][axis];
    return sum;
  };
  const auto begin = order_.begin() + first;
  std::nth_element(begin, begin + count / 2, begin + count,
                   [&](int a, int b) { return middle(a) < middle(b); });
  const int children = int(nodes_.size());
  nodes_.resize(nodes_.size() + 2);
  nodes_[node].first = children;
  nodes_[node].count = 0;
  build(mesh, children, first, count / 2);
  build(mesh, children + 1, first + count / 2, count - count / 2);
}

TriangleTree::Hit TriangleTree::nearest(const Mesh& mesh, const Vec3& p) const {
  Hit best;
  std::array<std::pair<double, int>, deepest> stack;
  int top = 0;
  stack[top++] = {0, 0};
  while (top > 0) {
    const auto [off, number] = stack[--top];
    if (off >= best.distance2) continue;
    const Node& node = nodes_[number];
    if (node.count == 0) {
      std::array<double, 2> to;
      for (int c = 0; c < 2; ++c) {
        const Node& child = nodes_[node.first + c];
        to[c] = distance2_to_box(p, child.low, child.high);
      }
      // The nearer child last, so that it is taken first.
      const int far = to[0] < to[1] ? 1 : 0;
      stack[top++] = {to[far], node.first + far};
      stack[top++] = {to[1 - far], node.first + 1 - far};
      continue;
    }
    for (int i = node.first; i < node.first + node.count; ++i) {
      const auto& t = mesh.triangles[order_[i]];
      const auto at = nearest_on_triangle(p, mesh.vertices[t[0]], mesh.vertices[t[1]], mesh.vertices[t[2]]);
      if (const double d2 = length2(p - at.point); d2 < best.distance2) best = {order_[i], at, d2};
    }
  }
  return best;
}

}  // namespace umov::shapes
