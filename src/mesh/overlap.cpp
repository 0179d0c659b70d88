// Elements that share space: by the faces of a conforming mesh, and by search behind faces that only one has.
#include "mesh/overlap.hpp"

#include <omp.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "core/large_memory.hpp"
#include "mesh/locate.hpp"
#include "mesh/place_order.hpp"

namespace umov::mesh {
namespace {

/// An element's nodes, ascending, and whether that is an even permutation of them.
struct Sorted {
  Tet node;
  bool even = true;
};

Sorted sorted(Tet t) {
  Sorted s{t};
  const auto order = [&s](int a, int b) {
    if (s.node[a] > s.node[b]) std::swap(s.node[a], s.node[b]), s.even = !s.even;
  };
  order(0, 1), order(2, 3), order(0, 2), order(1, 3), order(1, 2);
  return s;
}

/// A face by its nodes b < c besides the lowest, its element, and on which side of (low, b, c) that lies. The
/// side is the parity of sorting: no coordinates, no rounding.
struct Face {
  std::uint64_t others;
  int tet;
  bool above;
  Face(int b, int c, int t, bool side)
      : others(std::uint64_t(b) << 32 | std::uint32_t(c)), tet(t), above(side) {}
  bool operator<(const Face& o) const { return others != o.others ? others < o.others : tet < o.tet; }
};

/// Elements by the lowest of their faces' nodes: an element has three faces with its lowest node, and one
/// whose lowest node is its second.
class ByLowest {
 public:
  explicit ByLowest(const TetMesh& m) : start_(m.nodes.size() + 1, 0) {
    const std::size_t count = m.tets.size();
    const bool alone = omp_get_max_threads() == 1;
    const auto take = [&](int node) {
      std::size_t& at = start_[std::size_t(node)];
      return alone ? at++ : std::atomic_ref(at).fetch_add(1, std::memory_order_relaxed);
    };
#pragma omp parallel for schedule(static)
    for (std::size_t t = 0; t < count; ++t) {
      const Sorted s = sorted(m.tets[t]);
      take(s.node[0]), take(s.node[1]);
    }
    std::size_t total = 0;
    for (std::size_t& n : start_) total += std::exchange(n, total);
    list_ = large_buffer<int>(total);
    // moves every start to the next one; a node's elements come in any order, its faces are sorted
#pragma omp parallel for schedule(static)
    for (std::size_t t = 0; t < count; ++t) {
      const Sorted s = sorted(m.tets[t]);
      for (int k = 0; k < 2; ++k) list_[take(s.node[k])] = int(t);
    }
  }
  /// The faces whose lowest node this is, sorted.
  void faces(const TetMesh& m, std::size_t node, std::vector<Face>& out) const {
    out.clear();
    for (std::size_t i = node ? start_[node - 1] : 0; i < start_[node]; ++i) {
      const int t = list_[i];
      const auto [n, even] = sorted(m.tets[std::size_t(t)]);
      if (n[0] == int(node)) {
        out.emplace_back(n[1], n[2], t, even);
        out.emplace_back(n[1], n[3], t, !even);
        out.emplace_back(n[2], n[3], t, even);
      } else {
        out.emplace_back(n[2], n[3], t, !even);
      }
    }
    std::sort(out.begin(), out.end());
  }

 private:
  std::vector<std::size_t> start_;  // once filled: where the node's list ends
  std::unique_ptr<int[]> list_;
};

/// A face that no other element has: its element, and the node opposite to it.
struct OuterFace {
  int tet, opposite;
};

/// What the faces of a stretch of nodes show.
struct Findings {
  std::vector<OuterFace> outer;
  std::optional<std::pair<int, int>> clash;  ///< two elements on one side of a face
};

void look(const TetMesh& m, std::size_t node, const std::vector<Face>& faces, Findings& out) {
  for (auto f = faces.begin(); f != faces.end();) {
    auto end = f + 1;
    for (; end != faces.end() && end->others == f->others; ++end)
      if (end->above == f->above || end - f > 1) {
        out.clash.emplace(f->tet, end->tet);
        return;
      }
    if (end - f == 1) {
      const int b = int(f->others >> 32), c = int(std::uint32_t(f->others));
      const Tet& t = m.tets[std::size_t(f->tet)];
      for (int k = 0; k < 4; ++k)
        if (t[k] != int(node) && t[k] != b && t[k] != c) out.outer.push_back({f->tet, k});
    }
    f = end;
  }
}

Findings look_at_faces(const TetMesh& m) {
  constexpr std::size_t stretch = 4096;
  const ByLowest elements(m);
  std::vector<Findings> parts((m.nodes.size() + stretch - 1) / stretch);
#pragma omp parallel
  {
    std::vector<Face> faces;
#pragma omp for schedule(dynamic)
    for (std::size_t p = 0; p < parts.size(); ++p)
      for (std::size_t n = p * stretch; n < std::min(m.nodes.size(), (p + 1) * stretch); ++n) {
        if (parts[p].clash) break;
        elements.faces(m, n, faces);
        look(m, n, faces, parts[p]);
      }
  }
  Findings all;
  for (const Findings& p : parts) {
    if (p.clash) return p;
    all.outer.insert(all.outer.end(), p.outer.begin(), p.outer.end());
  }
  return all;
}

/// Of an outer face: points near its middle, inside of its element by these parts of the way to the opposite
/// node. The last one that another element holds counts.
constexpr double depths[] = {0.05, 0.25};
constexpr std::size_t points_each = std::size(depths);

Vec3 point_behind(const TetMesh& m, const OuterFace& f, double depth) {
  Vec3 x{0, 0, 0};
  for (int i = 0; i < 4; ++i)
    x = x + (i == f.opposite ? depth : (1 - depth) / 3) * m.nodes[m.tets[std::size_t(f.tet)][i]];
  return x;
}

/// A complete binary tree of boxes over points along a Morton curve: node k has the children 2 k and 2 k + 1,
/// the last `leaves_` nodes are stretches of the order. Faces on the outside are far fewer than elements: the
/// tree is over what is asked, and elements are looked through once, side by side.
class PointTree {
 public:
  explicit PointTree(std::vector<Vec3> points) : points_(std::move(points)) {
    const Box all = bounding_box(points_);
    order_ =
        place_order(points_.size(), all.low, all.high, [&](std::size_t begin, std::size_t end, Vec3* out) {
          std::copy(points_.begin() + std::ptrdiff_t(begin), points_.begin() + std::ptrdiff_t(end), out);
        });
    leaves_ = std::bit_ceil(std::max<std::size_t>(1, (order_.size() + per_leaf - 1) / per_leaf));
    box_.assign(2 * leaves_, nothing);
    for (std::size_t l = 0; l < leaves_; ++l)
      for (std::size_t i = l * per_leaf; i < std::min(order_.size(), (l + 1) * per_leaf); ++i)
        box_[leaves_ + l].join({point(i), point(i)});
    for (std::size_t k = leaves_; k-- > 1;) box_[k] = box_[2 * k], box_[k].join(box_[2 * k + 1]);
  }

  /// f(number of the point) for those that lie in a box.
  template <class F>
  void in(const Box& b, const F& f) const {
    std::size_t stack[64], top = 0;
    stack[top++] = 1;
    while (top > 0) {
      const std::size_t k = stack[--top];
      if (!meet(box_[k], b)) continue;
      if (k < leaves_) {
        stack[top++] = 2 * k + 1, stack[top++] = 2 * k;
        continue;
      }
      const std::size_t begin = (k - leaves_) * per_leaf;
      for (std::size_t i = begin; i < std::min(order_.size(), begin + per_leaf); ++i)
        if (meet({point(i), point(i)}, b)) f(std::size_t(order_[i]));
    }
  }
  const Vec3& operator[](std::size_t i) const { return points_[i]; }

 private:
  static constexpr std::size_t per_leaf = 4;
  static constexpr double far = std::numeric_limits<double>::infinity();
  static constexpr Box nothing{{far, far, far}, {-far, -far, -far}};

  const Vec3& point(std::size_t i) const { return points_[std::size_t(order_[i])]; }
  static bool meet(const Box& a, const Box& b) {
    return a.low[0] <= b.high[0] && b.low[0] <= a.high[0] && a.low[1] <= b.high[1] && b.low[1] <= a.high[1] &&
           a.low[2] <= b.high[2] && b.low[2] <= a.high[2];
  }

  std::vector<Vec3> points_;
  std::vector<int> order_;
  std::size_t leaves_ = 1;
  std::vector<Box> box_;
};

/// Per point the lowest element that holds it besides the one it was made in, -1 where there is none.
std::vector<int> other_holders(const TetMesh& m, const std::vector<OuterFace>& faces) {
  constexpr int none = std::numeric_limits<int>::max();
  std::vector<Vec3> points(points_each * faces.size());
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < faces.size(); ++i)
    for (std::size_t d = 0; d < points_each; ++d)
      points[points_each * i + d] = point_behind(m, faces[i], depths[d]);
  const PointTree tree(std::move(points));
  std::vector<int> holder(points_each * faces.size(), none);
#pragma omp parallel for schedule(dynamic, 4096)
  for (std::size_t t = 0; t < m.tets.size(); ++t)
    tree.in(box_of(m, int(t)), [&](std::size_t q) {
      if (faces[q / points_each].tet == int(t) || !holds_inside(m, int(t), tree[q])) return;
      const std::atomic_ref<int> lowest(holder[q]);
      for (int now = lowest.load(std::memory_order_relaxed);
           int(t) < now && !lowest.compare_exchange_weak(now, int(t), std::memory_order_relaxed);) {
      }
    });
  for (int& t : holder)
    if (t == none) t = -1;
  return holder;
}

}  // namespace

std::optional<std::pair<int, int>> find_overlap(const TetMesh& m) {
  const Findings found = look_at_faces(m);
  if (found.clash) return found.clash;
  const std::vector<int> holder = other_holders(m, found.outer);
  for (std::size_t i = 0; i < found.outer.size(); ++i)
    for (std::size_t d = points_each; d-- > 0;)
      if (const int t = holder[points_each * i + d]; t >= 0) return std::pair{found.outer[i].tet, t};
  return std::nullopt;
}

}  // namespace umov::mesh
