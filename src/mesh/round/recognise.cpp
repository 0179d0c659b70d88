// Surfaces grown from seeds over the faces that lie on them.
#include "mesh/round/recognise.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

#include "mesh/round/fit.hpp"
#include "mesh/round/normals.hpp"

namespace umov::mesh {

namespace {

constexpr double on_surface = 1e-5;  // of an edge
constexpr std::size_t least_faces = 12, seed_faces = 30;

Vec3 unit_normal(const TetMesh& m, const Tri& f) { return unit(facet_normal(m, f)); }

bool parallel(const Vec3& a, const Vec3& b) { return norm(cross(a, b)) < on_surface; }

class Recogniser {
 public:
  Recogniser(const TetMesh& mesh, std::vector<Tri>& faces, std::vector<int>& surface,
             std::vector<RoundSurface>& surfaces)
      : mesh_(mesh), faces_(faces), surface_(surface), surfaces_(surfaces) {
    join();
  }

  void planes() {
    const auto flat = flat_corners();
    for (std::size_t i = 0; i < faces_.size(); ++i) {
      if (surface_[i] >= 0 || !flat[i]) continue;
      const RoundSurface s = plane(mesh_.nodes[faces_[i][0]], unit_normal(mesh_, faces_[i]));
      take(s, grown(int(i), [&](int f) { return misfit(mesh_, faces_[f], s) < on_surface; }));
    }
  }

  void rounds() {
    std::vector<int> open(faces_.size());
    for (std::size_t i = 0; i < faces_.size(); ++i) open[i] = surface_[i] < 0 ? patch_[i] : -1;
    const auto normals = corner_normals(mesh_, faces_, open);
    std::vector<char> tried(faces_.size(), 0);
    for (std::size_t i = 0; i < faces_.size(); ++i) {
      if (surface_[i] >= 0 || tried[i]) continue;
      const auto seed = around(int(i));
      const auto found = seed.size() < least_faces ? std::nullopt : fit(seed, normals);
      if (found) {
        const auto region =
            grown(int(i), [&](int f) { return misfit(mesh_, faces_[f], *found) < on_surface; });
        if (region.size() >= least_faces) {
          take(*found, region);
          continue;
        }
      }
      // what begins beside it meets the same nodes
      for (std::size_t k = 0; k < std::min<std::size_t>(4, seed.size()); ++k) tried[seed[k]] = 1;
    }
  }

 private:
  void join() {
    patch_ = surface_;
    for (int& p : patch_) p = p < 0 ? 0 : -1;
    join_patches(mesh_, faces_, patch_);
    const auto edges = edges_of_faces(faces_);
    beside_.resize(faces_.size());
    for (std::size_t i = 0; i < edges.size(); ++i)
      for (std::size_t j = i + 1; j < edges.size() && edges[j].same(edges[i]); ++j) {
        const int f = edges[i].face, g = edges[j].face;
        if (patch_[f] < 0 || patch_[g] != patch_[f] || turn_between(mesh_, edges[i], edges[j]) >= meant_edge)
          continue;
        beside_[f].push_back(g);
        beside_[g].push_back(f);
      }
  }

  /// Per face: whether all faces of its patch around one of its corners lie in one plane, and close around
  /// it, or all of its patch does.
  std::vector<char> flat_corners() const {
    struct Corner {
      int patch, node, face;
    };
    std::vector<Corner> corners;
    for (std::size_t i = 0; i < faces_.size(); ++i)
      for (const int n : faces_[i])
        if (patch_[i] >= 0) corners.push_back({patch_[i], n, int(i)});
    std::sort(corners.begin(), corners.end(), [](const Corner& a, const Corner& b) {
      return std::tie(a.patch, a.node, a.face) < std::tie(b.patch, b.node, b.face);
    });
    std::vector<char> out = flat_patches();
    for (std::size_t i = 0, end = 0; i < corners.size(); i = end) {
      const Vec3 n = unit_normal(mesh_, faces_[corners[i].face]);
      bool flat = true;
      std::set<int> around;
      for (; end < corners.size() && corners[end].patch == corners[i].patch &&
             corners[end].node == corners[i].node;
           ++end) {
        const Tri& f = faces_[corners[end].face];
        flat = flat && parallel(n, unit_normal(mesh_, f));
        around.insert(f.begin(), f.end());
      }
      const bool closed = around.size() == end - i + 1;
      for (std::size_t k = i; flat && closed && k < end; ++k) out[corners[k].face] = 1;
    }
    return out;
  }
  std::vector<char> flat_patches() const {
    std::vector<int> first;
    std::vector<char> flat;
    for (std::size_t i = 0; i < faces_.size(); ++i) {
      if (patch_[i] < 0) continue;
      const auto p = std::size_t(patch_[i]);
      if (p >= first.size()) first.resize(p + 1, -1), flat.resize(p + 1, 1);
      if (first[p] < 0) first[p] = int(i);
      const Vec3 n = unit_normal(mesh_, faces_[first[p]]);
      if (!parallel(n, unit_normal(mesh_, faces_[i]))) flat[p] = 0;
    }
    std::vector<char> out(faces_.size(), 0);
    for (std::size_t i = 0; i < faces_.size(); ++i) out[i] = patch_[i] >= 0 && flat[std::size_t(patch_[i])];
    return out;
  }

  template <class Fits>
  std::vector<int> grown(int seed, const Fits& fits) const {
    std::vector<int> out{seed};
    met_.resize(faces_.size(), 0);
    met_[seed] = 1;
    for (std::size_t i = 0; i < out.size(); ++i)
      for (const int g : beside_[out[i]])
        if (!met_[g] && surface_[g] < 0 && fits(g)) met_[g] = 1, out.push_back(g);
    for (const int f : out) met_[f] = 0;
    return out;
  }
  /// A face and those around it, nearest first.
  std::vector<int> around(int seed) const {
    std::vector<int> out{seed};
    for (std::size_t i = 0; i < out.size() && out.size() < seed_faces; ++i)
      for (const int g : beside_[out[i]])
        if (surface_[g] < 0 && std::find(out.begin(), out.end(), g) == out.end()) out.push_back(g);
    return out;
  }
  std::optional<RoundSurface> fit(const std::vector<int>& seed,
                                  const std::vector<CornerNormals>& normals) const {
    std::vector<int> nodes;
    std::vector<Vec3> points, at;
    double length = 0;
    for (const int f : seed)
      for (int k = 0; k < 3; ++k) {
        const int n = faces_[f][k];
        length += norm(mesh_.nodes[faces_[f][(k + 1) % 3]] - mesh_.nodes[n]) / double(3 * seed.size());
        if (std::find(nodes.begin(), nodes.end(), n) != nodes.end()) continue;
        nodes.push_back(n), points.push_back(mesh_.nodes[n]), at.push_back(normals[f][k]);
      }
    return fit_round(points, at, on_surface * length);
  }
  void take(const RoundSurface& s, const std::vector<int>& region) {
    for (const int f : region) surface_[f] = int(surfaces_.size());
    surfaces_.push_back(s);
  }

  const TetMesh& mesh_;
  std::vector<Tri>& faces_;
  std::vector<int>& surface_;
  std::vector<RoundSurface>& surfaces_;
  std::vector<int> patch_;
  std::vector<std::vector<int>> beside_;
  mutable std::vector<char> met_;
};

}  // namespace

double misfit(const TetMesh& m, const Tri& face, const RoundSurface& s) {
  const Vec3 &a = m.nodes[face[0]], &b = m.nodes[face[1]], &c = m.nodes[face[2]];
  const double length = std::max({norm(b - a), norm(c - b), norm(a - c)});
  double most = 0;
  for (const Vec3& x : {a, b, c}) {
    most = std::max(most, norm(s.closest(x) - x) / length);
    if (most > 0.1) return INFINITY;
  }
  const Vec3 n = cross(b - a, c - a);
  const double leans = std::abs(dot(n, s.normal((1. / 3) * (a + b + c)))) / norm(n);
  return leans < 0.7 ? INFINITY : most;
}

void recognise(const TetMesh& mesh, std::vector<Tri>& faces, std::vector<int>& surface,
               std::vector<RoundSurface>& surfaces) {
  Recogniser r(mesh, faces, surface, surfaces);
  r.planes();
  r.rounds();
}

}  // namespace umov::mesh
