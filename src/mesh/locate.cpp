#include "mesh/locate.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "mesh/place_order.hpp"

namespace umov::mesh {
namespace {

constexpr double tolerance = 1e-9;  // of barycentric coordinates: relative to the element's heights

/// A box in single precision that holds its elements with a margin.
struct Bounds {
  float low[3], high[3];

  static Bounds nothing() { return {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}}; }
  void join(const Bounds& b) {
    for (int d = 0; d < 3; ++d) {
      low[d] = std::min(low[d], b.low[d]);
      high[d] = std::max(high[d], b.high[d]);
    }
  }
  bool holds(const Vec3& p) const {
    return low[0] <= p[0] && p[0] <= high[0] && low[1] <= p[1] && p[1] <= high[1] && low[2] <= p[2] &&
           p[2] <= high[2];
  }
};

Bounds bounds_of(const TetMesh& mesh, int tet) {
  const auto [low, high] = box_of(mesh, tet);
  Bounds b;
  for (int d = 0; d < 3; ++d) {
    // Outwards by the tolerance, then past the rounding to single precision.
    const double margin = 4 * tolerance * (high[d] - low[d]);
    b.low[d] = std::nextafter(float(low[d] - margin), -INFINITY);
    b.high[d] = std::nextafter(float(high[d] + margin), INFINITY);
  }
  return b;
}

/// Barycentric coordinates: of vertex k the volume of the element with the point in its place, over the
/// whole. Each is computed from vertices of the opposite face, so that it is small there without
/// cancellation.
std::array<double, 4> weights(const TetMesh& mesh, int tet, const Vec3& p) {
  const Tet& t = mesh.tets[tet];
  std::array<Vec3, 4> d;
  for (int k = 0; k < 4; ++k) d[k] = mesh.nodes[t[k]] - p;
  std::array<double, 4> w{dot(d[1], cross(d[2], d[3])), -dot(d[0], cross(d[2], d[3])),
                          dot(d[0], cross(d[1], d[3])), -dot(d[0], cross(d[1], d[2]))};
  const double sum = w[0] + w[1] + w[2] + w[3];
  for (double& x : w) x /= sum;
  return w;
}

}  // namespace

/// A complete binary tree over leaves of a few elements that are neighbours on a Morton curve: node k has the
/// children 2 k and 2 k + 1, the root is 1, the last `leaves` nodes are the leaves.
struct Locator::Tree {
  static constexpr std::size_t per_leaf = 4;

  const TetMesh& mesh;
  std::vector<int> order;
  std::size_t leaves;
  std::vector<Bounds> bounds;

  explicit Tree(const TetMesh& m) : mesh(m) {
    order = centroid_order(mesh.nodes, mesh.tets, bounding_box(mesh.nodes));
    leaves = std::bit_ceil(std::max<std::size_t>(1, (order.size() + per_leaf - 1) / per_leaf));
    bounds.resize(2 * leaves);
#pragma omp parallel for schedule(static)
    for (std::size_t l = 0; l < leaves; ++l) {
      Bounds b = Bounds::nothing();
      for (std::size_t i = l * per_leaf; i < std::min(order.size(), (l + 1) * per_leaf); ++i)
        b.join(bounds_of(mesh, order[i]));
      bounds[leaves + l] = b;
    }
    for (std::size_t level = leaves / 2; level > 0; level /= 2)
#pragma omp parallel for schedule(static) if (level > 4096)
      for (std::size_t k = level; k < 2 * level; ++k) {
        bounds[k] = bounds[2 * k];
        bounds[k].join(bounds[2 * k + 1]);
      }
  }

  void look(std::size_t leaf, const Vec3& p, Place& best) const {
    for (std::size_t i = leaf * per_leaf; i < std::min(order.size(), (leaf + 1) * per_leaf); ++i) {
      if (best.tet >= 0 && order[i] > best.tet) continue;
      const std::array<double, 4> w = weights(mesh, order[i], p);
      if (*std::min_element(w.begin(), w.end()) >= -tolerance) best = {order[i], w};
    }
  }
};

Locator::Locator(const TetMesh& mesh) : tree_(std::make_unique<Tree>(mesh)) {}
Locator::~Locator() = default;

template <class F>
void Locator::at_leaves(const Vec3& p, const F& look) const {
  std::size_t stack[64];
  int top = 0;
  stack[top++] = 1;
  while (top > 0) {
    const std::size_t k = stack[--top];
    if (!tree_->bounds[k].holds(p)) continue;
    if (k >= tree_->leaves) {
      look(k - tree_->leaves);
    } else {
      stack[top++] = 2 * k + 1;
      stack[top++] = 2 * k;
    }
  }
}

std::optional<Place> Locator::find(const Vec3& p) const {
  Place best;
  at_leaves(p, [&](std::size_t leaf) { tree_->look(leaf, p, best); });
  if (best.tet < 0) return std::nullopt;
  return best;
}

Box box_of(const TetMesh& mesh, int tet) {
  Box b{mesh.nodes[mesh.tets[tet][0]], mesh.nodes[mesh.tets[tet][0]]};
  for (const int n : mesh.tets[tet]) b.join({mesh.nodes[n], mesh.nodes[n]});
  return b;
}

bool holds_inside(const TetMesh& mesh, int tet, const Vec3& p) {
  const std::array<double, 4> w = weights(mesh, tet, p);
  return *std::min_element(w.begin(), w.end()) > 1e-3;
}

}  // namespace umov::mesh
