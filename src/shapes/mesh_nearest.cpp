#include "shapes/mesh_nearest.hpp"

#include <algorithm>

namespace umov::shapes {
namespace {

constexpr int leaf_size = 4;

double length2(const Vec3& v) { return dot(v, v); }

double distance2_to_box(const Vec3& p, const Vec3& low, const Vec3& high) {
  double d2 = 0;
  for (int a = 0; a < 3; ++a) {
    const double d = std::max({low[a] - p[a], 0.0, p[a] - high[a]});
    d2 += d * d;
  }
  return d2;
}

}  // namespace

// The foot of the perpendicular if it is inside; else the best point of the three edges.
OnTriangle nearest_on_triangle(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c) {
  const std::array<Vec3, 3> v{a, b, c};
  const Vec3 n = cross(b - a, c - a);
  bool inside = true;
  for (int e = 0; e < 3; ++e) inside = inside && dot(cross(v[(e + 1) % 3] - v[e], p - v[e]), n) >= 0;
  if (inside) return {p - (dot(p - a, n) / dot(n, n)) * n, 6};
  OnTriangle best;
  double least = unbounded;
  for (int e = 0; e < 3; ++e) {
    const Vec3 edge = v[(e + 1) % 3] - v[e];
    const double t = std::clamp(dot(p - v[e], edge) / dot(edge, edge), 0.0, 1.0);
    const Vec3 q = v[e] + t * edge;
    if (const double d2 = length2(p - q); d2 < least) {
      least = d2;
      best = {q, t == 0 ? e : t == 1 ? (e + 1) % 3 : 3 + e};
    }
  }
  return best;
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
  if (count <= leaf_size) return;
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
  std::array<int, 128> stack;
  int top = 0;
  stack[top++] = 0;
  while (top > 0) {
    const Node& node = nodes_[stack[--top]];
    if (distance2_to_box(p, node.low, node.high) >= best.distance2) continue;
    if (node.count == 0) {
      const auto to = [&](int n) { return distance2_to_box(p, nodes_[n].low, nodes_[n].high); };
      // The nearer child last, so that it is taken first.
      const int far = to(node.first) < to(node.first + 1) ? 1 : 0;
      stack[top++] = node.first + far;
      stack[top++] = node.first + 1 - far;
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
