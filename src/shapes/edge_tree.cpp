#include "shapes/edge_tree.hpp"

#include <algorithm>
#include <cmath>

namespace umov::shapes {
namespace {

constexpr int leaf_size = 4;
/// Twice the depth that any number of edges leads to.
constexpr int deepest = 128;

double distance2_to_box(const Point2& p, const Point2& low, const Point2& high) {
  const double x = std::max(std::max(low[0] - p[0], p[0] - high[0]), 0.0),
               y = std::max(std::max(low[1] - p[1], p[1] - high[1]), 0.0);
  return x * x + y * y;
}

}  // namespace

EdgeTree::EdgeTree(const Outline& outline) {
  for (std::size_t l = 0; l < outline.size(); ++l)
    for (std::size_t i = 0, n = outline[l].size(); i < n; ++i) {
      const Point2 &a = outline[l][i], &b = outline[l][(i + 1) % n];
      const Point2 e{b[0] - a[0], b[1] - a[1]};
      edges_.push_back({a, b, e, e[0] * e[0] + e[1] * e[1]});
      loop_.push_back(int(l));
    }
  nodes_.emplace_back();
  build(0, 0, int(edges_.size()));
}

/// Where a row of edges is parted: between loops as long as there are several.
int EdgeTree::halved(int first, int count) const {
  const int middle = first + count / 2;
  if (loop_[first] == loop_[first + count - 1]) return middle;
  const auto begin = loop_.begin();
  const int low = int(std::lower_bound(begin + first, begin + middle, loop_[middle]) - begin);
  if (low > first) return low;
  return int(std::upper_bound(begin + middle, begin + first + count, loop_[middle]) - begin);
}

void EdgeTree::build(int node, int first, int count) {
  Node n;
  n.first = first, n.count = count;
  n.low = n.high = edges_[first].from;
  for (int i = first; i < first + count; ++i)
    for (int a = 0; a < 2; ++a) {
      n.low[a] = std::min({n.low[a], edges_[i].from[a], edges_[i].to[a]});
      n.high[a] = std::max({n.high[a], edges_[i].from[a], edges_[i].to[a]});
    }
  const bool one_loop = loop_[first] == loop_[first + count - 1];
  if (one_loop) n.start = edges_[first].from[1], n.end = edges_[first + count - 1].to[1];
  if (!one_loop || count > leaf_size) n.child = int(nodes_.size());
  nodes_[node] = n;
  if (n.child == 0) return;
  nodes_.resize(nodes_.size() + 2);
  const int middle = halved(first, count);
  build(n.child, first, middle - first);
  build(n.child + 1, middle, first + count - middle);
}

/// The nearest so far.
struct EdgeTree::Nearest {
  double distance = 1e300, limit2 = 1e300;  ///< limit2: what is farther does not count
  int edge = -1;
  Point2 away{0, 0};
  bool on_corner = false;
};

void EdgeTree::look(const Node& leaf, const Point2& q, double tie, Nearest& best) const {
  for (int i = leaf.first; i < leaf.first + leaf.count; ++i) {
    const Edge& e = edges_[i];
    const Point2 r{q[0] - e.from[0], q[1] - e.from[1]};
    const double t = std::clamp((r[0] * e.along[0] + r[1] * e.along[1]) / e.length2, 0.0, 1.0);
    const Point2 d{r[0] - t * e.along[0], r[1] - t * e.along[1]};
    const double off2 = d[0] * d[0] + d[1] * d[1];
    if (off2 > best.limit2) continue;
    const double off = std::sqrt(off2);
    if (off < best.distance - tie || i < best.edge)
      best = {off, (off + tie) * (off + tie), i, d, t == 0 || t == 1};
  }
}

EdgeTree::Hit EdgeTree::nearest(const Point2& q, double tie) const {
  Nearest best;
  std::array<std::pair<double, int>, deepest> stack;
  int top = 0;
  stack[top++] = {0, 0};
  while (top > 0) {
    const auto [distance2, number] = stack[--top];
    if (distance2 > best.limit2) continue;
    const Node& node = nodes_[number];
    if (node.child == 0) {
      look(node, q, tie, best);
      continue;
    }
    std::array<double, 2> to;
    for (int c = 0; c < 2; ++c)
      to[c] = distance2_to_box(q, nodes_[node.child + c].low, nodes_[node.child + c].high);
    const int far = to[0] <= to[1] ? 1 : 0;
    stack[top++] = {to[far], node.child + far};
    stack[top++] = {to[1 - far], node.child + 1 - far};
  }
  const Edge& e = edges_[best.edge];
  // beside an edge its own sides tell; beyond a corner two edges meet
  const bool in = best.on_corner ? inside(q) : e.along[0] * best.away[1] - e.along[1] * best.away[0] > 0;
  return {in ? -best.distance : best.distance, best.away, e.along};
}

/// Whether a ray from q to the right crosses an edge; its lower end belongs to it.
bool EdgeTree::crosses(const Edge& e, const Point2& q) const {
  const Point2 r{q[0] - e.from[0], q[1] - e.from[1]};
  return (e.from[1] > q[1]) != (e.to[1] > q[1]) && r[0] < r[1] * e.along[0] / e.along[1];
}

bool EdgeTree::inside(const Point2& q) const {
  bool in = false;
  std::array<int, deepest> stack;
  int top = 0;
  stack[top++] = 0;
  while (top > 0) {
    const Node& node = nodes_[stack[--top]];
    if (node.low[1] > q[1] || node.high[1] <= q[1] || node.high[0] <= q[0]) continue;
    if (node.low[0] > q[0]) {  // whole to the right: only where the line begins and ends counts
      in ^= (node.start > q[1]) != (node.end > q[1]);
      continue;
    }
    if (node.child > 0) {
      stack[top++] = node.child;
      stack[top++] = node.child + 1;
      continue;
    }
    for (int i = node.first; i < node.first + node.count; ++i) in ^= crosses(edges_[i], q);
  }
  return in;
}

}  // namespace umov::shapes
