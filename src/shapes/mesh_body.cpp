// A closed surface of triangles as a body: signed distance by the nearest triangle.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "core/error.hpp"
#include "shapes/mesh_nearest.hpp"

namespace umov::shapes {
namespace {

using EdgeKey = std::pair<int, int>;

/// Every edge once in each direction; a repeated direction means that two triangles disagree on the outside.
void require_closed(const Mesh& mesh) {
  std::map<EdgeKey, int> uses;
  for (const auto& t : mesh.triangles)
    for (int e = 0; e < 3; ++e) ++uses[{t[e], t[(e + 1) % 3]}];
  std::size_t open = 0, wrong = 0;
  EdgeKey example{};
  for (const auto& [edge, count] : uses) {
    const auto back = uses.find({edge.second, edge.first});
    const int other = back == uses.end() ? 0 : back->second;
    if (count == other) continue;
    example = edge;
    ++(other == 0 && count == 1 ? open : wrong);
  }
  const Vec3 at = mesh.vertices[example.first];
  if (wrong > 0)
    throw BadInput(
        fmt::format("its surface is inconsistent at {} edges, one at ({:.6g}, {:.6g}, {:.6g}) (neighbouring "
                    "triangles must agree on the outside); repair the mesh",
                    wrong, at[0], at[1], at[2]));
  if (open > 0)
    throw BadInput(fmt::format(
        "its surface has {} open edges, one at ({:.6g}, {:.6g}, {:.6g}) (only a closed surface has "
        "an inside); close the holes",
        open, at[0], at[1], at[2]));
}

double volume(const Mesh& mesh) {
  double six = 0;
  for (const auto& t : mesh.triangles)
    six += dot(mesh.vertices[t[0]], cross(mesh.vertices[t[1]], mesh.vertices[t[2]]));
  return six / 6;
}

Vec3 unit(const Vec3& v) { return (1 / norm(v)) * v; }

/// The sign of the distance comes from the normal of the nearest face, edge or corner, where those of edges
/// and corners are means of the faces around, weighted by their angles (Baerentzen and Aanaes 2005, IEEE
/// Trans. Vis. Comput. Graph. 11, 243): then the sign is right for every point.
class MeshBody final : public Body {
 public:
  MeshBody(Mesh mesh, const Frame& frame) : mesh_(std::move(mesh)), frame_(frame), tree_(mesh_) {
    corner_.resize(mesh_.vertices.size(), Vec3{0, 0, 0});
    for (std::size_t i = 0; i < mesh_.triangles.size(); ++i) add_normals(mesh_.triangles[i]);
  }

  Probe probe(const Vec3& p) const override {
    const Vec3 q = frame_.local(p);
    const auto hit = tree_.nearest(mesh_, q);
    const Vec3 away = q - hit.at.point, n = normal(mesh_.triangles[hit.triangle], hit.at.feature);
    const double d = std::sqrt(hit.distance2), sign = dot(away, n) < 0 ? -1 : 1;
    const bool on_surface = d < 1e-12 * size_;
    return {sign * d, frame_.world(on_surface ? unit(n) : (sign / d) * away)};
  }
  Bounds bounds() const override {
    const Bounds b = tree_.bounds();
    return frame_.bounds(b.low, b.high);
  }

 private:
  void add_normals(const std::array<int, 3>& t) {
    const auto& v = mesh_.vertices;
    const Vec3 n = unit(cross(v[t[1]] - v[t[0]], v[t[2]] - v[t[0]]));
    for (int c = 0; c < 3; ++c) {
      const Vec3 one = unit(v[t[(c + 1) % 3]] - v[t[c]]), two = unit(v[t[(c + 2) % 3]] - v[t[c]]);
      corner_[t[c]] = corner_[t[c]] + std::acos(std::clamp(dot(one, two), -1.0, 1.0)) * n;
      auto& edge = edge_[std::minmax(t[c], t[(c + 1) % 3])];
      edge = edge + n;
      size_ = std::max(size_, norm(v[t[c]]));
    }
  }
  Vec3 normal(const std::array<int, 3>& t, int feature) const {
    if (feature < 3) return corner_[t[feature]];
    if (feature < 6) return edge_.at(std::minmax(t[feature - 3], t[(feature - 2) % 3]));
    return cross(mesh_.vertices[t[1]] - mesh_.vertices[t[0]], mesh_.vertices[t[2]] - mesh_.vertices[t[0]]);
  }

  Mesh mesh_;
  Frame frame_;
  TriangleTree tree_;
  std::vector<Vec3> corner_;
  std::map<EdgeKey, Vec3> edge_;
  double size_ = 0;
};

}  // namespace

std::unique_ptr<Body> mesh_body(Mesh mesh, const Frame& frame, double scale) {
  if (!(scale > 0))
    throw BadInput(fmt::format("its scale is {:g} (units per file unit); give a positive number", scale));
  require_closed(mesh);
  for (auto& v : mesh.vertices) v = scale * v;
  const double inside = volume(mesh);
  if (inside == 0) throw BadInput("its surface encloses no volume (all triangles lie flat); check the mesh");
  if (inside < 0)
    for (auto& t : mesh.triangles) std::swap(t[1], t[2]);
  return std::make_unique<MeshBody>(std::move(mesh), frame);
}

}  // namespace umov::shapes
