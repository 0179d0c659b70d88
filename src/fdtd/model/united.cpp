#include "fdtd/model/united.hpp"

#include <algorithm>

namespace umov::fdtd {
namespace {

/// Two bodies whose surfaces are this near, in cells, touch; larger than the step by which scenes keep off
/// surfaces.
constexpr double touching = 1e-5;
/// Places around a point from which a surface is looked for, in cells: near ones for bodies that are thin.
constexpr std::array radii{0.25, 0.75, 1.5, farthest_facing};

/// The axes, and the diagonals between all of them: of any direction one is within 36 degrees.
std::vector<Vec3> directions(int dim) {
  std::vector<Vec3> all;
  for (int a = 0; a < dim; ++a)
    for (const double sign : {1.0, -1.0})
      all.push_back({a == 0 ? sign : 0, a == 1 ? sign : 0, a == 2 ? sign : 0});
  for (int corner = 0; dim > 1 && corner < 1 << dim; ++corner) {
    Vec3 d{0, 0, 0};
    for (int a = 0; a < dim; ++a) d[a] = ((corner >> a) & 1 ? 1 : -1) / std::sqrt(double(dim));
    all.push_back(d);
  }
  return all;
}

const std::vector<Vec3>& directions(Mode mode) {
  static const std::array all{directions(1), directions(2), directions(3)};
  return all[std::size_t(dimensions(mode) - 1)];
}

/// From a point of a smooth piece of surface to the one next to p: tangent planes, then down to the body.
std::optional<Foot> below_on(const shapes::Body& body, const Vec3& p, const Foot& from, Mode mode) {
  std::optional<Foot> foot = from;
  for (int step = 0; step < 3 && foot; ++step) {
    const Vec3 next = p - dot(p - foot->at, foot->normal) * foot->normal;
    if (norm(next - foot->at) <= shapes::tie_of(next, p)) break;
    foot = foot_of(body, next, mode);
  }
  return foot;
}

/// The nearest so far; the first of those that are equally near.
void take(std::optional<Facing>& best, double distance, const Vec3& normal) {
  if (!best || distance < best->distance) best = Facing{distance, normal};
}

}  // namespace

shapes::Probe flat_probe(const shapes::Body& body, const Vec3& p, Mode mode) {
  auto at = body.probe(p);
  for (int a = dimensions(mode); a < 3; ++a) at.gradient[a] = 0;
  return at;
}

std::optional<Foot> foot_of(const shapes::Body& body, const Vec3& p, Mode mode) {
  Foot foot{p, {0, 0, 0}};
  auto at = flat_probe(body, p, mode);
  for (int step = 0; step < 4 && std::fabs(at.distance) > shapes::tie_of(foot.at, p); ++step) {
    if (dot(at.gradient, at.gradient) == 0) return {};
    foot.at = foot.at - (at.distance / dot(at.gradient, at.gradient)) * at.gradient;
    at = flat_probe(body, foot.at, mode);
  }
  const double length = norm(at.gradient);
  if (length == 0) return {};
  foot.normal = (1 / length) * at.gradient;
  return foot;
}

std::optional<Facing> nearest_exposed(const BodyList& bodies, const Vec3& p, const Extent& extent,
                                      const std::function<bool(const Vec3&)>& idle,
                                      const std::function<bool(const Vec3&, const Vec3&)>& exposed) {
  std::optional<Facing> best;
  const double far = farthest_facing * extent.dx, little = 1e-6 * extent.dx;
  // next to p: of a point on a seam the bodies say nothing but that it is on their surface
  const Vec3 beside = p + little * Vec3{1, 0.62, 0.38};
  const auto look = [&](const Vec3& q) {
    if (idle(q)) return;
    for (const auto* body : bodies) {
      auto foot = foot_of(*body, q, extent.mode);
      if (!foot || norm(foot->at - q) > far) continue;
      // the same piece of surface below p, if it reaches there
      if (const auto below = below_on(*body, beside, *foot, extent.mode);
          below && exposed(below->at, below->normal))
        foot = below;
      const double off = std::fabs(dot(p - foot->at, foot->normal)), all = norm(p - foot->at);
      const double way = all - off < 4 * little ? off : all;
      if (way <= far && exposed(foot->at, foot->normal)) take(best, way, foot->normal);
    }
  };
  look(beside);
  for (const Vec3& d : directions(extent.mode))
    for (const double r : radii) look(beside + r * extent.dx * d);
  return best;
}

bool United::filled(const Vec3& p) const {
  return std::ranges::any_of(bodies_, [&](const auto* b) { return b->inside(p); });
}

shapes::Probe United::probe(const Vec3& p) const {
  shapes::Probe least;
  for (const auto* b : bodies_)
    if (const auto at = flat_probe(*b, p, extent_.mode); at.distance < least.distance) least = at;
  const double near = touching * extent_.dx, length = norm(least.gradient);
  if (least.distance > near || length == 0) return least;
  const Vec3 n = (1 / length) * least.gradient;
  const Vec3 foot = p - (least.distance / length) * n;
  if (!filled(foot + near * n)) return least;
  const auto facing = nearest_exposed(
      bodies_, p, extent_, [&](const Vec3& q) { return filled(q); },
      [&](const Vec3& at, const Vec3& out) { return filled(at - near * out) && !filled(at + near * out); });
  if (!facing) return {-farthest_facing * extent_.dx, {0, 0, 0}};
  return {-facing->distance, facing->normal};
}

}  // namespace umov::fdtd
