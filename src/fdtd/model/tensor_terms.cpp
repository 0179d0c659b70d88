// Stars of edges around a node, assembled and bounded by their largest eigenvalue.
#include "fdtd/model/tensor_terms.hpp"

#include <algorithm>

#include "fdtd/wall_kind.hpp"

namespace umov::fdtd {
namespace {

/// Smallest eigenvalue kept, relative to the diagonal.
constexpr double least_eigenvalue = 0.02;

/// Of the symmetric 3 x 3 matrix with zeros on its diagonal and these entries (yz, zx, xy) beside it: the
/// largest root of x^3 - |m|^2 x - 2 m0 m1 m2.
double largest_eigenvalue(const Vec3& m) {
  const double third = dot(m, m) / 3;
  if (third == 0) return 0;
  const double cosine = m[0] * m[1] * m[2] / (third * std::sqrt(third));
  return 2 * std::sqrt(third) * std::cos(std::acos(std::clamp(cosine, -1.0, 1.0)) / 3);
}

/// The edges that meet in a node: cell of the one below and the one above along each axis.
struct Star {
  std::array<std::array<index_t, 2>, 3> cell{};
  std::array<std::array<double, 2>, 3> inverse{};  ///< 1/eps
  std::array<bool, 3> usable{};
};

class Assembly {
 public:
  Assembly(const Simulation& s, const SurveyPlan& plan, const CoefficientTable& table, Problem& problem)
      : simulation_(s), plan_(plan), grid_(plan.grid), layout_(plan.grid), table_(table), problem_(problem) {
    // Eigenvalue of eps^-1 at which the step reaches the leapfrog's limit.
    const double ratio = grid_.limiting_edge() / grid_.dt;
    most_ = 0.999 * ratio * ratio / dimensions(grid_.mode);
  }

  void add(const NodeTensor& node) {
    if (!inside(node.node)) return;
    const Star star = star_of(node.node);
    Vec3 off = node.off;
    // On a mirror plane its normal's couplings are opposite in the two halves.
    for (int a = 0; a < 3; ++a)
      if (on_mirror(node.node, a)) off[(a + 1) % 3] = off[(a + 2) % 3] = 0;
    for (int r = 0; r < 3; ++r)
      if (!star.usable[(r + 1) % 3] || !star.usable[(r + 2) % 3]) off[r] = 0;
    const double scale = allowed(star, off);
    for (int r = 0; r < 3; ++r)
      if (off[r] != 0) put(star, (r + 1) % 3, (r + 2) % 3, scale * off[r]);
  }

  void finish() {
    for (int c = 0; c < 3; ++c) {
      auto& terms = problem_.tensor[c];
      std::sort(parts_[c].begin(), parts_[c].end(),
                [](const Part& a, const Part& b) { return a.cell < b.cell; });
      for (const Part& p : parts_[c]) {
        if (terms.empty() || terms.back().cell != p.cell) terms.push_back({p.cell, {}});
        terms.back().w[p.other][p.end] += p.weight;
      }
    }
  }

 private:
  struct Part {
    index_t cell;
    int other, end;
    double weight;
  };

  bool inside(const Int3& node) const {
    for (int a = 0; a < dimensions(grid_.mode); ++a)
      for (int side = 0; side < 2; ++side) {
        const WallKind wall = simulation_.walls[a][side];
        if (wraps(wall) || is_even_mirror(wall)) continue;
        const int layers = wall == WallKind::pml ? simulation_.pml.layers : 0;
        if (side == 0 ? node[a] <= layers : node[a] >= grid_.cells[a] - layers) return false;
      }
    return true;
  }

  bool on_mirror(const Int3& node, int a) const {
    return (node[a] == 0 && is_even_mirror(simulation_.walls[a][0])) ||
           (node[a] == grid_.cells[a] && is_even_mirror(simulation_.walls[a][1]));
  }

  Star star_of(const Int3& node) const {
    Star star;
    for (int a = 0; a < dimensions(grid_.mode); ++a) {
      star.usable[a] = has_component(grid_.mode, a);
      for (int end = 0; end < 2 && star.usable[a]; ++end) {
        Int3 edge = node;
        if (on_mirror(node, a))
          edge[a] -= node[a] > 0 ? 1 : 0;  // the edge in front of the plane is its own image
        else if (end == 0)
          edge[a] = node[a] > 0 ? node[a] - 1 : grid_.cells[a] - 1;
        star.cell[a][end] = layout_.at(edge);
        const std::uint16_t id =
            problem_.material[a].empty() ? problem_.uniform[a] : problem_.material[a][star.cell[a][end]];
        star.inverse[a][end] = table_.list()[id].drive * grid_.dx / grid_.dt;
        if (!table_.plain(id)) star.usable[a] = false;
      }
    }
    return star;
  }

  /// The largest factor up to 1 that keeps the node's matrix within both bounds. Edges of one axis enter the
  /// couplings by their sum alone, so the matrix is positive exactly when the 3 x 3 one with the harmonic
  /// means of the two diagonals is; the larger of them bounds it above.
  double allowed(const Star& star, const Vec3& off) const {
    std::array<double, 3> low, high;
    for (int a = 0; a < 3; ++a) {
      const double one = star.usable[a] ? star.inverse[a][0] : 1,
                   two = star.usable[a] ? star.inverse[a][1] : 1;
      low[a] = 2 / (1 / one + 1 / two);
      high[a] = std::max(1e-12, most_ - std::max(one, two));
    }
    Vec3 below, above;
    for (int r = 0; r < 3; ++r) {
      const int p = (r + 1) % 3, q = (r + 2) % 3;
      below[r] = -off[r] / std::sqrt(low[p] * low[q]);
      above[r] = off[r] / std::sqrt(high[p] * high[q]);
    }
    return std::min({1.0, (1 - least_eigenvalue) / std::max(1e-12, largest_eigenvalue(below)),
                     1 / std::max(1e-12, largest_eigenvalue(above))});
  }

  /// A node is the high end of the edges below it and the low end of those above.
  void put(const Star& star, int p, int q, double value) {
    const double weight = grid_.dt / grid_.dx * value / 4;
    for (int end = 0; end < 2; ++end) {
      parts_[p].push_back({star.cell[p][end], q == (p + 1) % 3 ? 0 : 1, 1 - end, weight});
      parts_[q].push_back({star.cell[q][end], p == (q + 1) % 3 ? 0 : 1, 1 - end, weight});
    }
  }

  const Simulation& simulation_;
  const SurveyPlan& plan_;
  const Grid& grid_;
  Layout layout_;
  const CoefficientTable& table_;
  Problem& problem_;
  double most_;
  std::array<std::vector<Part>, 3> parts_;
};

}  // namespace

void add_tensor_terms(const Simulation& s, const SurveyPlan& plan, const CoefficientTable& table,
                      const std::vector<NodeTensor>& nodes, Problem& problem) {
  Assembly assembly(s, plan, table, problem);
  for (const auto& n : nodes) assembly.add(n);
  assembly.finish();
}

}  // namespace umov::fdtd
