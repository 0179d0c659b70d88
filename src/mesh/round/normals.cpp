// Height functions through neighbours, fitted by least squares.
#include "mesh/round/normals.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "mesh/round/cholesky.hpp"

namespace umov::mesh {

namespace {

constexpr std::size_t enough = 18;  // neighbours for nine terms

Vec3 unit_or_up(const Vec3& v) {
  const double length = norm(v);
  return length > 0 ? (1 / length) * v : Vec3{0, 0, 1};
}

/// Slopes at the origin of a polynomial of so many terms (5 or 9: degree 2 or 3) through points (u, v,
/// height) in units of their mean distance; nearer ones weigh more.
template <int Terms>
bool fit_slopes(const std::vector<Vec3>& points, double* slope) {
  SmallSystem<Terms> fit;
  for (const auto& [u, v, h] : points) {
    const double all[9] = {u, v, u * u, u * v, v * v, u * u * u, u * u * v, u * v * v, v * v * v};
    std::array<double, Terms> term;
    std::copy_n(all, Terms, term.begin());
    fit.add(term, h, 1 / (0.1 + u * u + v * v));
  }
  double trace = 0;
  for (int i = 0; i < Terms; ++i) trace += fit.a[i][i];
  for (int i = 0; i < Terms; ++i) fit.a[i][i] += 1e-12 * trace;
  if (!fit.solve()) return false;
  slope[0] = fit.b[0], slope[1] = fit.b[1];
  return std::hypot(slope[0], slope[1]) < 0.5;
}

/// A corner of a face that a patch has in a node.
struct Corner {
  int patch, node, face, place;
  bool same(const Corner& o) const { return patch == o.patch && node == o.node; }
  bool operator<(const Corner& o) const {
    return std::tie(patch, node, face) < std::tie(o.patch, o.node, o.face);
  }
};

class NormalFinder {
 public:
  NormalFinder(const TetMesh& mesh, const std::vector<Tri>& faces, const std::vector<int>& patch)
      : mesh_(mesh), faces_(faces) {
    for (std::size_t i = 0; i < faces.size(); ++i)
      for (int k = 0; patch[i] >= 0 && k < 3; ++k) corners_.push_back({patch[i], faces[i][k], int(i), k});
    std::sort(corners_.begin(), corners_.end());
    for (std::size_t i = 0; i < corners_.size(); ++i)
      if (i == 0 || !corners_[i].same(corners_[i - 1])) first_.push_back(i);
    first_.push_back(corners_.size());
  }

  std::vector<CornerNormals> all() const {
    std::vector<CornerNormals> out(faces_.size());
    const std::size_t nodes = first_.size() - 1;
#pragma omp parallel for schedule(dynamic, 64)
    for (std::size_t g = 0; g < nodes; ++g) {
      const Vec3 n = at(g);
      for (std::size_t i = first_[g]; i < first_[g + 1]; ++i) out[corners_[i].face][corners_[i].place] = n;
    }
    return out;
  }

 private:
  /// Weights that are exact on spheres (Max 1999, J. Graphics Tools 4, 1).
  Vec3 mean_normal(std::size_t group) const {
    Vec3 sum{0, 0, 0};
    for (std::size_t i = first_[group]; i < first_[group + 1]; ++i) {
      const Tri& f = faces_[corners_[i].face];
      const int k = corners_[i].place;
      const Vec3 a = mesh_.nodes[f[(k + 1) % 3]] - mesh_.nodes[f[k]],
                 b = mesh_.nodes[f[(k + 2) % 3]] - mesh_.nodes[f[k]];
      sum = sum + (1 / (dot(a, a) * dot(b, b))) * cross(a, b);
    }
    return unit_or_up(sum);
  }

  std::size_t group_of(int patch, int node) const {
    const auto at = std::lower_bound(first_.begin(), first_.end() - 1, Corner{patch, node, -1, 0},
                                     [&](std::size_t i, const Corner& c) { return corners_[i] < c; });
    return std::size_t(at - first_.begin());
  }

  /// Nodes around one, ring after ring until there are enough or three, across faces that do not turn away.
  std::vector<int> neighbours(std::size_t group, const Vec3& normal) const {
    const Corner& own = corners_[first_[group]];
    std::vector<int> out{own.node};
    for (std::size_t begin = 0, ring = 0; ring < 3 && out.size() <= enough; ++ring) {
      const std::size_t end = out.size();
      for (; begin < end; ++begin) {
        const std::size_t g = group_of(own.patch, out[begin]);
        for (std::size_t i = first_[g]; i < first_[g + 1]; ++i) {
          const Tri& f = faces_[corners_[i].face];
          if (dot(unit_or_up(facet_normal(mesh_, f)), normal) < 0.4) continue;
          for (const int n : f)
            if (std::find(out.begin(), out.end(), n) == out.end()) out.push_back(n);
        }
      }
    }
    return out;
  }

  Vec3 at(std::size_t group) const {
    const Vec3 up = mean_normal(group);
    const Vec3 any = std::abs(up[0]) < 0.7 ? Vec3{1, 0, 0} : Vec3{0, 1, 0};
    const Vec3 e = unit_or_up(any - dot(any, up) * up), f = cross(up, e);
    const Vec3& o = mesh_.nodes[corners_[first_[group]].node];
    std::vector<Vec3> points;
    double reach = 0;
    for (const int n : neighbours(group, up)) {
      const Vec3 d = mesh_.nodes[n] - o;
      if (n == corners_[first_[group]].node) continue;
      points.push_back({dot(d, e), dot(d, f), dot(d, up)});
      reach += norm(d);
    }
    reach /= double(points.size());
    for (Vec3& p : points) p = (1 / reach) * p;
    double slope[2];
    if ((points.size() + 4 >= enough && fit_slopes<9>(points, slope)) ||
        (points.size() >= 7 && fit_slopes<5>(points, slope)))
      return unit_or_up(up - slope[0] * e - slope[1] * f);
    return up;
  }

  const TetMesh& mesh_;
  const std::vector<Tri>& faces_;
  std::vector<Corner> corners_;
  std::vector<std::size_t> first_;  ///< corner of each (patch, node), and their end
};

}  // namespace

std::vector<CornerNormals> corner_normals(const TetMesh& mesh, const std::vector<Tri>& faces,
                                          const std::vector<int>& patch) {
  return NormalFinder(mesh, faces, patch).all();
}

Vec3 arc_over(const Vec3& a, const Vec3& b, const Vec3& normal_a, const Vec3& normal_b) {
  const double chord = norm(b - a);
  const Vec3 e = (1 / chord) * (b - a), sum = normal_a + normal_b;
  const double half = (std::asin(std::clamp(-dot(e, normal_a), -1.0, 1.0)) +
                       std::asin(std::clamp(dot(e, normal_b), -1.0, 1.0))) /
                      2;
  return (chord / 2 * std::tan(half / 2)) * unit_or_up(sum - dot(sum, e) * e);
}

Vec3 normal_between(const Vec3& a, const Vec3& b, const Vec3& normal_a, const Vec3& normal_b) {
  const Vec3 e = (1 / norm(b - a)) * (b - a), sum = normal_a + normal_b;
  return unit_or_up(sum - 1.5 * dot(sum, e) * e);
}

}  // namespace umov::mesh
