// The union of the parts of a mesh as a body: distance to its surface, sign by that surface or by the winding
// number.
#include <fmt/format.h>

#include <algorithm>

#include "core/error.hpp"
#include "shapes/mesh_nearest.hpp"
#include "shapes/mesh_parts.hpp"

namespace umov::shapes {
namespace {

/// Above and below a face of the surface its normal tells outside and inside; where an edge or a corner is
/// nearest, and any number of faces may meet, a ray through the parts does.
class MeshBody final : public Body {
 public:
  MeshBody(Mesh solid, Mesh surface, const Frame& frame)
      : solid_(std::move(solid)),
        surface_(std::move(surface)),
        frame_(frame),
        filled_(solid_),
        tree_(surface_) {
    for (const auto& v : surface_.vertices) size_ = std::max(size_, norm(v));
  }

  Probe probe(const Vec3& p) const override {
    const Vec3 q = frame_.local(p);
    const auto hit = tree_.nearest(surface_, q);
    const Vec3 away = q - hit.at.point, n = normal(hit.triangle);
    const double d = std::sqrt(hit.distance2);
    const bool inside = hit.at.on_rim ? filled_.winding(solid_, off_gaps(q, d)) > 0 : dot(away, n) < 0;
    const double sign = inside ? -1 : 1;
    const bool on_surface = d < 1e-12 * size_;
    return {sign * d, frame_.world(on_surface ? (1 / norm(n)) * n : (sign / d) * away)};
  }
  Bounds bounds() const override {
    const Bounds b = tree_.bounds();
    return frame_.bounds(b.low, b.high);
  }
  /// The planes of the triangles, or the whole where there are too many of them to be told apart.
  std::vector<int> faces(const Vec3& p, double within) const override {
    const Vec3 q = frame_.local(p), reach = within * Vec3{1, 1, 1};
    std::vector<int> found;
    tree_.in_box(q - reach, q + reach, [&](int t) {
      const bool known =
          found.size() > most_planes || std::ranges::any_of(found, [&](int f) { return coplanar(f, t); });
      if (!known && std::fabs(face(t, p).distance) <= within) found.push_back(t);
    });
    if (found.size() > most_planes) return {whole};
    std::ranges::sort(found);
    return found;
  }
  Probe face(int f, const Vec3& p) const override {
    if (f == whole) return probe(p);
    const Vec3 n = (1 / norm(normal(f))) * normal(f);
    return {dot(frame_.local(p) - corner(f), n), frame_.world(n)};
  }
  bool flat(int f) const override { return f != whole; }

 private:
  static constexpr std::size_t most_planes = 8;
  const Vec3& corner(int triangle) const { return surface_.vertices[surface_.triangles[triangle][0]]; }
  bool coplanar(int one, int other) const {
    const Vec3 m = normal(one), n = normal(other);
    return dot(m, n) > (1 - 1e-12) * norm(m) * norm(n) &&
           std::fabs(dot(corner(other) - corner(one), m)) <= 1e-12 * size_ * norm(m);
  }

  /// A point on the same side of the surface, `d` from it, and not between faces that touch: a point there
  /// has nothing filled around it, but is inside (union_surface).
  Vec3 off_gaps(const Vec3& q, double d) const {
    const Vec3 aslant{0.48, 0.36, 0.8};
    const double way = 10 * touching * size_;
    return d > way ? q + way * aslant : q;
  }
  Vec3 normal(int triangle) const {
    const auto& t = surface_.triangles[triangle];
    const auto& v = surface_.vertices;
    return cross(v[t[1]] - v[t[0]], v[t[2]] - v[t[0]]);
  }

  Mesh solid_, surface_;
  Frame frame_;
  TriangleTree filled_, tree_;
  double size_ = 0;
};

}  // namespace

namespace {

std::vector<MeshPart> turned_parts(Mesh& mesh, double scale) {
  if (!(scale > 0))
    throw BadInput(fmt::format("its scale is {:g} (units per file unit); give a positive number", scale));
  auto parts = parts_of(mesh);
  turn_parts(mesh, parts);
  return parts;
}

std::unique_ptr<Body> scaled_body(Mesh solid, Mesh surface, const Frame& frame, double scale) {
  for (Mesh* m : {&solid, &surface})
    for (auto& v : m->vertices) v = scale * v;
  return std::make_unique<MeshBody>(std::move(solid), std::move(surface), frame);
}

[[noreturn]] void refuse_empty() {
  throw BadInput("its parts leave no surface (cavities fill them); check the mesh");
}

}  // namespace

std::unique_ptr<Body> mesh_body(Mesh mesh, const Frame& frame, double scale) {
  const auto parts = turned_parts(mesh, scale);
  Mesh surface = union_surface(mesh, parts);
  if (surface.triangles.empty()) refuse_empty();
  return scaled_body(std::move(mesh), std::move(surface), frame, scale);
}

std::vector<std::unique_ptr<Body>> mesh_bodies(Mesh mesh, const Frame& frame, double scale) {
  const auto parts = turned_parts(mesh, scale);
  std::vector<std::unique_ptr<Body>> out;
  for (MeshPiece& piece : union_pieces(mesh, parts))
    if (!piece.surface.triangles.empty())
      out.push_back(scaled_body(std::move(piece.solid), std::move(piece.surface), frame, scale));
  if (out.empty()) refuse_empty();
  return out;
}

}  // namespace umov::shapes
