#include "fdtd/model/box_parts.hpp"

#include <algorithm>

#include "fdtd/model/pieces.hpp"

namespace umov::fdtd {
namespace {

/// Cosine of the largest angle between planes that count as parallel, from 1.
constexpr double parallel = 1e-9;

/// What is left of a box after cuts by parallel planes: the slice low < n . x < high.
struct Slice {
  Vec3 edges, n{0, 0, 0};
  double low = -shapes::unbounded, high = shapes::unbounded;
  bool cut = false;

  /// Whether a plane of this normal can be told from those before by one number.
  bool takes(const Vec3& g) const {
    const double c = dot(g, n), product = dot(g, g) * dot(n, n);
    return !cut || c * c >= (1 - parallel) * product;
  }
  double below(double s) const {
    return s <= -shapes::unbounded ? 0 : s >= shapes::unbounded ? 1 : fraction_below(edges, n, s);
  }
  double volume() const { return cut ? std::max(0.0, below(high) - below(low)) : 1; }
  /// Takes the half space g . x < t away and says how much of the box that was.
  double remove(const Vec3& g, double t) {
    const double length2 = dot(g, g);
    if (length2 == 0) {
      const double all = volume();
      if (t > 0) cut = true, high = low;
      return t > 0 ? all : 0;
    }
    if (!cut) n = g;
    const double before = volume();
    cut = true;
    const double along = dot(g, n) / length2, s = t * along;  // g = n / along
    if (along > 0)
      low = std::max(low, s);
    else
      high = std::min(high, s);
    return std::max(0.0, before - volume());
  }
};

/// Deviation from a plane, in edges, that is rounding.
constexpr double exact = 1e-9;
/// Faces of one body and of all in a box; more are taken for curved.
constexpr std::size_t most_faces = 6, most_planes = 10;

Plane plane_of(const BoxCut& cut) { return {cut.g, cut.t}; }

/// Faces of a body that run through the box.
std::vector<int> faces_through(const shapes::Body& body, const Vec3& center, const Vec3& edges) {
  auto faces = body.faces(center, norm(edges) / 2);
  std::erase_if(faces, [&](int f) {
    auto at = body.face(f, center);
    for (int a = 0; a < 3; ++a)
      if (edges[a] == 0) at.gradient[a] = 0;
    return !crosses({at.gradient, -at.distance}, edges);
  });
  return faces;
}

/// Whether the surface of a body is a plane in the box, one curved face, or many faces at small angles, as of
/// a polygon that stands for a circle.
bool smooth(const BoxPart& part, const Vec3& center, const Vec3& edges) {
  constexpr double nearly = 1e-3, small_angle = 0.9;
  if (part.cut.off <= exact) return true;
  if (part.cut.off <= nearly && part.cut.turned >= small_angle) return true;
  const auto faces = faces_through(*part.body, center, edges);
  return faces.size() > most_faces || (faces.size() == 1 && !part.body->flat(faces[0]));
}

/// By parallel planes, one after another.
bool slice(std::vector<BoxPart>& parts, const Vec3& center, const Vec3& edges) {
  Slice rest;
  rest.edges = edges;
  for (auto& part : parts) {
    if (part.cut.kind != BoxCut::Kind::plane || !rest.takes(part.cut.g)) return false;
    if (parts.size() > 1 ? part.cut.off > exact : !smooth(part, center, edges)) return false;
    part.fraction = rest.remove(part.cut.g, part.cut.t);
  }
  return true;
}

/// A body by its faces in a box. With curved ones it is what is below the planes of all of them.
struct Member {
  const shapes::Body* body = nullptr;
  std::vector<BoxCut> sides;
  bool curved = false, rough = false;
  bool holds(const Vec3& center, const Vec3& r) const {
    if (!curved) return body->inside(center + r);
    return std::ranges::all_of(sides, [&](const BoxCut& c) { return dot(c.g, r) < c.t; });
  }
};

Member member_of(const BoxPart& part, const Vec3& lo, const Vec3& hi) {
  const Member whole{part.body, {part.cut}, true, part.cut.kind == BoxCut::Kind::rough};
  const auto faces = part.body->faces(0.5 * (lo + hi), norm(hi - lo) / 2);
  if (faces == std::vector{shapes::Body::whole}) return whole;
  Member m{part.body, {}};
  std::size_t through = 0;
  for (const int f : faces) {
    const BoxCut cut = cut_face(*part.body, f, lo, hi);
    m.sides.push_back(cut);
    m.rough |= cut.kind == BoxCut::Kind::rough;
    // also where it does not run through: of edges that it is along its bend decides
    m.curved |= !part.body->flat(f);
    through += crosses(plane_of(cut), hi - lo);
  }
  return through <= most_faces ? m : whole;
}

/// Unless there is one like it.
void add_plane(std::vector<Plane>& planes, const Plane& p, const Vec3& edges) {
  if (!crosses(p, edges)) return;
  const double length = norm(p.g), slack = exact * norm(edges);
  const bool known = std::ranges::any_of(planes, [&](const Plane& q) {
    const double along = dot(p.g, q.g) / (length * norm(q.g));
    return std::fabs(along) > 1 - 1e-14 &&
           std::fabs(p.t / length - (along > 0 ? 1 : -1) * q.t / norm(q.g)) < slack;
  });
  if (!known) planes.push_back(p);
}

}  // namespace

bool find_fractions(std::vector<BoxPart>& parts, const Vec3& lo, const Vec3& hi, bool anyway) {
  const Vec3 center = 0.5 * (lo + hi), edges = hi - lo;
  if (slice(parts, center, edges)) return true;
  std::vector<Member> members;
  std::vector<Plane> planes;
  for (auto& part : parts) {
    part.fraction = 0;
    members.push_back(member_of(part, lo, hi));
    for (const BoxCut& side : members.back().sides) add_plane(planes, plane_of(side), edges);
  }
  if (planes.size() > most_planes && !anyway) return false;
  bool told = true;
  divide(edges, planes, [&](const Vec3& r, double fraction) {
    // what is rough does not matter within others of its material
    std::size_t sure = 0, top = members.size();
    const auto holds = [&](std::size_t i) {
      return members[i].holds(center, r) || (members[i].rough && members[i].body->inside(center + r));
    };
    for (; sure < members.size(); ++sure)
      if (holds(sure)) {
        top = std::min(top, sure);
        if (!members[sure].rough) break;
      }
    if (top == members.size()) return;
    parts[top].fraction += fraction;
    told = told && sure < members.size() && parts[sure].material == parts[top].material;
  });
  return told || anyway;
}

}  // namespace umov::fdtd
