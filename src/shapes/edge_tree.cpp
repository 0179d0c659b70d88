#include "shapes/edge_tree.hpp"

#include <algorithm>
#include <cmath>

namespace umov::shapes {
namespace {

constexpr int edges_in_leaf = 4;
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
  find_curves();
  make_places();
}

void EdgeTree::find_curves() {
  constexpr double small_angle = 0.9;  // cosine
  for (int i = 0; i < int(edges_.size()); ++i) {
    const Edge &e = edges_[i], &before = edges_[std::max(i - 1, 0)];
    const double along = e.along[0] * before.along[0] + e.along[1] * before.along[1];
    const bool same =
        i > 0 && loop_[i] == loop_[i - 1] && along >= small_angle * std::sqrt(e.length2 * before.length2);
    if (!same) curves_.push_back({i, i});
    curves_.back().last = i + 1;
    curve_.push_back(int(curves_.size()) - 1);
  }
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
  if (!one_loop || count > edges_in_leaf) n.child = int(nodes_.size());
  nodes_[node] = n;
  if (n.child == 0) return;
  nodes_.resize(nodes_.size() + 2);
  const int middle = halved(first, count);
  build(n.child, first, middle - first);
  build(n.child + 1, middle, first + count - middle);
}

/// The nearest so far.
struct EdgeTree::Nearest {
  double distance, limit2;  ///< limit2: what is farther does not count
  int edge = -1;
  Point2 away{0, 0};
  bool on_corner = false;
};

void EdgeTree::look(int i, const Point2& q, double tie, Nearest& best) const {
  const Edge& e = edges_[i];
  const Point2 r{q[0] - e.from[0], q[1] - e.from[1]};
  const double t = std::clamp((r[0] * e.along[0] + r[1] * e.along[1]) / e.length2, 0.0, 1.0);
  const Point2 d{r[0] - t * e.along[0], r[1] - t * e.along[1]};
  const double off2 = d[0] * d[0] + d[1] * d[1];
  if (off2 > best.limit2) return;
  const double off = std::sqrt(off2);
  if (off < best.distance - tie || i < best.edge)
    best = {off, (off + tie) * (off + tie), i, d, t == 0 || t == 1};
}

void EdgeTree::search(const Row& row, const Point2& q, double tie, Nearest& best) const {
  std::array<std::pair<double, int>, deepest> stack;
  int top = 0;
  stack[top++] = {0, 0};
  while (top > 0) {
    const auto [distance2, number] = stack[--top];
    if (distance2 > best.limit2) continue;
    const Node& node = nodes_[number];
    const int first = std::max(node.first, row.first), last = std::min(node.first + node.count, row.last);
    if (node.child == 0 || first >= last) {
      for (int i = first; i < last; ++i) look(i, q, tie, best);
      continue;
    }
    std::array<double, 2> to;
    for (int c = 0; c < 2; ++c)
      to[c] = distance2_to_box(q, nodes_[node.child + c].low, nodes_[node.child + c].high);
    const int far = to[0] <= to[1] ? 1 : 0;
    stack[top++] = {to[far], node.child + far};
    stack[top++] = {to[1 - far], node.child + 1 - far};
  }
}

std::optional<EdgeTree::Hit> EdgeTree::nearest(const Point2& q, double tie, double within) const {
  Nearest best{within + 2 * tie, (within + tie) * (within + tie)};
  const int place = places_.at(q);
  if (place >= 0 && std::fabs(places_.away[place]) > within + tie + places_.edge) return {};
  const int first = place < 0 ? 0 : places_.first[place], last = place < 0 ? 0 : places_.first[place + 1];
  for (int i = first; i < last; ++i) look(places_.edges[i], q, tie, best);
  if (first == last) search(q, tie, best);
  if (best.edge < 0) return {};
  const Edge& e = edges_[best.edge];
  // beside an edge its own sides tell; beyond a corner two edges meet
  const bool in = best.on_corner ? inside(q) : e.along[0] * best.away[1] - e.along[1] * best.away[0] > 0;
  return Hit{in ? -best.distance : best.distance, best.away, e.along};
}

int EdgeTree::Places::at(const Point2& q) const {
  std::array<int, 2> n;
  for (int a = 0; a < 2; ++a) {
    const double x = (q[a] - low[a]) / edge;
    if (!(x >= 0 && x < count[a])) return -1;
    n[a] = int(x);
  }
  return n[1] * count[0] + n[0];
}

/// Squares are about as large as most edges are long, and not many more than there are edges.
void EdgeTree::make_places() {
  constexpr double squares_of_edge = 64;
  constexpr int margin = 2;
  std::vector<double> lengths;
  for (const Edge& e : edges_) lengths.push_back(std::sqrt(e.length2));
  std::ranges::nth_element(lengths, lengths.begin() + long(lengths.size() / 2));
  const double x = nodes_[0].high[0] - nodes_[0].low[0], y = nodes_[0].high[1] - nodes_[0].low[1];
  places_.edge =
      std::max(lengths[lengths.size() / 2], std::sqrt(x * y / (squares_of_edge * double(lengths.size()))));
  for (int a = 0; a < 2; ++a) {
    places_.low[a] = nodes_[0].low[a] - margin * places_.edge;
    places_.count[a] = int((nodes_[0].high[a] - nodes_[0].low[a]) / places_.edge) + 2 * margin + 1;
  }
  const std::vector<bool> wanted = squares_beside_edges();
  constexpr std::size_t most = 12;  // more are found faster through the tree
  for (std::size_t s = 0; s < wanted.size(); ++s) {
    places_.first.push_back(int(places_.edges.size()));
    places_.away.push_back(0);
    const Point2 center{places_.low[0] + places_.edge * (double(s % places_.count[0]) + 0.5),
                        places_.low[1] + places_.edge * (double(s / places_.count[0]) + 0.5)};
    if (!wanted[s]) {
      Nearest best{1e300, 1e300};
      search(center, 0, best);
      places_.away.back() = float(crossings_odd(center) ? -best.distance : best.distance);
      continue;
    }
    const auto list = candidates(center, places_.edge * 0.7072);
    if (list.size() <= most) places_.edges.insert(places_.edges.end(), list.begin(), list.end());
  }
  places_.first.push_back(int(places_.edges.size()));
}

std::vector<bool> EdgeTree::squares_beside_edges() const {
  std::vector<bool> wanted(std::size_t(places_.count[0]) * places_.count[1], false);
  for (const Edge& e : edges_) {
    const int steps = int(std::sqrt(e.length2) / places_.edge) + 1;
    for (int n = 0; n <= steps; ++n) {
      const Point2 p{e.from[0] + n * e.along[0] / steps, e.from[1] + n * e.along[1] / steps};
      for (int j = -1; j <= 1; ++j)
        for (int i = -1; i <= 1; ++i)
          if (const int at = places_.at({p[0] + i * places_.edge, p[1] + j * places_.edge}); at >= 0)
            wanted[at] = true;
    }
  }
  return wanted;
}

/// What may be nearest within a circle: nothing is that is farther from its centre than the nearest by more
/// than the diameter.
std::vector<int> EdgeTree::candidates(const Point2& center, double radius) const {
  Nearest best{1e300, 1e300};
  search(center, 0, best);
  return near(center, (best.distance + 2 * radius) * (1 + 1e-9));
}

std::vector<int> EdgeTree::near(const Point2& center, double reach) const {
  const double reach2 = reach * reach;
  std::vector<int> found, open{0};
  while (!open.empty()) {
    const Node& node = nodes_[open.back()];
    open.pop_back();
    if (distance2_to_box(center, node.low, node.high) > reach2) continue;
    if (node.child > 0) {
      open.push_back(node.child);
      open.push_back(node.child + 1);
      continue;
    }
    for (int i = node.first; i < node.first + node.count; ++i) {
      Nearest one{reach, reach2};
      look(i, center, 0, one);
      if (one.edge == i) found.push_back(i);
    }
  }
  std::ranges::sort(found);
  return found;
}

// The inside is to the left of edges, as `nearest` has it.
std::pair<double, Point2> EdgeTree::line(int edge, const Point2& q) const {
  const Edge& e = edges_[edge];
  const double length = std::sqrt(e.length2);
  const Point2 out{e.along[1] / length, -e.along[0] / length};
  return {out[0] * (q[0] - e.from[0]) + out[1] * (q[1] - e.from[1]), out};
}

std::pair<double, Point2> EdgeTree::line_of_curve(int curve, const Point2& q) const {
  Nearest best{1e300, 1e300};
  search(curves_[curve], q, 0, best);
  return line(best.edge, q);
}

/// Whether a ray from q to the right crosses an edge; its lower end belongs to it.
bool EdgeTree::crosses(const Edge& e, const Point2& q) const {
  const Point2 r{q[0] - e.from[0], q[1] - e.from[1]};
  return (e.from[1] > q[1]) != (e.to[1] > q[1]) && r[0] < r[1] * e.along[0] / e.along[1];
}

bool EdgeTree::inside(const Point2& q) const {
  const int place = places_.at(q);
  if (place >= 0 && std::fabs(places_.away[place]) > places_.edge) return places_.away[place] < 0;
  return crossings_odd(q);
}

bool EdgeTree::crossings_odd(const Point2& q) const {
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
