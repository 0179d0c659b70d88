// Nearest points and normals in the half plane (r, z), and the surfaces of a described geometry.
#include "mesh/round/surface.hpp"

#include <algorithm>

namespace umov::mesh {

namespace {

/// Where a point lies about an axis.
struct Polar {
  double r, z;
  Vec3 outward;
};
Polar polar(const RoundSurface& s, const Vec3& x) {
  const Vec3 d = x - s.origin;
  const double z = dot(d, s.axis);
  const Vec3 across = d - z * s.axis;
  const double r = norm(across);
  if (r > 0) return {r, z, (1 / r) * across};
  const Vec3 any = std::abs(s.axis[0]) < 0.7 ? Vec3{1, 0, 0} : Vec3{0, 1, 0};
  return {0, z, unit(any - dot(any, s.axis) * s.axis)};
}

RoundSurface turned(const Vec3& origin, const Vec3& axis, const OutlineEdge& e) {
  if (e.arc)
    return {origin,   axis,   true,
            e.center, {1, 0}, std::hypot(e.from[0] - e.center[0], e.from[1] - e.center[1])};
  const Point2 d{e.to[0] - e.from[0], e.to[1] - e.from[1]};
  const double length = std::hypot(d[0], d[1]);
  return {origin, axis, false, e.from, {d[0] / length, d[1] / length}, 0};
}

void add_box(const Vec3& middle, const std::array<Vec3, 3>& axes, const Vec3& size,
             std::vector<RoundSurface>& out) {
  for (int k = 0; k < 3; ++k)
    for (const double side : {-0.5, 0.5}) out.push_back(plane(middle + (side * size[k]) * axes[k], axes[k]));
}

void add_extrusion(const Part& p, const Frame& f, std::vector<RoundSurface>& out) {
  for (const double side : {-0.5, 0.5}) out.push_back(plane(f.place({0, 0, side * p.height}), f.column[2]));
  for (const auto& e : outline(p)) {
    if (e.arc)
      out.push_back(cylinder(f.place({e.center[0], e.center[1], 0}), f.column[2],
                             std::hypot(e.from[0] - e.center[0], e.from[1] - e.center[1])));
    else
      out.push_back(plane(f.place({e.from[0], e.from[1], 0}),
                          (e.from[1] - e.to[1]) * f.column[0] + (e.to[0] - e.from[0]) * f.column[1]));
  }
}

void add_revolution(const Part& p, const Frame& f, std::vector<RoundSurface>& out) {
  for (const auto& e : outline(p))
    if (e.arc || e.from[0] != 0 || e.to[0] != 0) out.push_back(turned(f.origin, f.column[2], e));
  if (p.angle == 360) return;
  for (const double degrees : {p.start, p.start + p.angle}) {
    const double a = degrees * pi / 180;
    out.push_back(plane(f.origin, std::cos(a) * f.column[1] - std::sin(a) * f.column[0]));
  }
}

void add_part(const Part& p, std::vector<RoundSurface>& out) {
  for (int copy = 0; copy < p.copies; ++copy) {
    const Frame f = frame_of(p, copy);
    if (p.shape == "box")
      add_box(f.origin, f.column, p.size, out);
    else if (p.shape == "extrusion")
      add_extrusion(p, f, out);
    else
      add_revolution(p, f, out);
  }
}

void add_domain(const Geometry& g, std::vector<RoundSurface>& out) {
  const Vec3 middle = 0.5 * (g.low + g.high);
  for (int k = 0; k < 3; ++k) {
    Vec3 normal{0, 0, 0};
    normal[k] = 1;
    if (std::find(g.cut.begin(), g.cut.end(), std::string(1, char('x' + k))) != g.cut.end())
      out.push_back(plane({0, 0, 0}, normal));
    if (k < 2 && g.domain_shape != "box") continue;
    for (const Vec3& end : {g.low, g.high}) out.push_back(plane(end, normal));
  }
  if (g.domain_shape != "box") out.push_back(cylinder(middle, {0, 0, 1}, (g.high[0] - g.low[0]) / 2));
}

void add_layers(const Geometry& g, std::vector<RoundSurface>& out) {
  double r = g.inner_radius;
  const auto shell = [&] {
    out.push_back(g.kind == "coaxial" ? cylinder({0, 0, 0}, {0, 0, 1}, r) : sphere({0, 0, 0}, r));
  };
  shell();
  for (const auto& l : g.layers) {
    r += l.thickness;
    shell();
  }
  const double a = g.angle * pi / 180, c = std::cos(a / 2), s = std::sin(a / 2);
  if (g.kind == "coaxial") {
    for (const double z : {0.0, g.width}) out.push_back(plane({0, 0, z}, {0, 0, 1}));
    if (g.angle == 360) return;
    out.push_back(plane({0, 0, 0}, {0, 1, 0}));
    out.push_back(plane({0, 0, 0}, {-std::sin(a), std::cos(a), 0}));
  } else {
    for (const double side : {-s, s}) {
      out.push_back(plane({0, 0, 0}, {c, 0, side}));
      out.push_back(plane({0, 0, 0}, {0, c, side}));
    }
  }
}

}  // namespace

Vec3 RoundSurface::closest(const Vec3& x) const {
  const Polar p = polar(*this, x);
  const Point2 d{p.r - at[0], p.z - at[1]};
  Point2 to;
  if (arc) {
    const double length = std::hypot(d[0], d[1]);
    if (length == 0) return x;
    to = {at[0] + radius / length * d[0], at[1] + radius / length * d[1]};
  } else {
    const double t = d[0] * along[0] + d[1] * along[1];
    to = {at[0] + t * along[0], at[1] + t * along[1]};
  }
  return origin + to[0] * p.outward + to[1] * axis;
}

Vec3 RoundSurface::between(const Vec3& a, const Vec3& b) const {
  const Polar p = polar(*this, a), q = polar(*this, b), middle = polar(*this, 0.5 * (a + b));
  return origin + (0.5 * (p.r + q.r)) * middle.outward + (0.5 * (p.z + q.z)) * axis;
}

Vec3 RoundSurface::normal(const Vec3& x) const {
  const Polar p = polar(*this, x);
  if (!arc) return along[1] * p.outward - along[0] * axis;
  const Point2 d{p.r - at[0], p.z - at[1]};
  const double length = std::hypot(d[0], d[1]);
  return length == 0 ? p.outward : (d[0] / length) * p.outward + (d[1] / length) * axis;
}

RoundSurface plane(const Vec3& through, const Vec3& normal) {
  return {through, unit(normal), false, {0, 0}, {1, 0}, 0};
}
RoundSurface cylinder(const Vec3& origin, const Vec3& axis, double radius) {
  return {origin, unit(axis), false, {radius, 0}, {0, 1}, 0};
}
RoundSurface sphere(const Vec3& center, double radius) {
  return {center, {0, 0, 1}, true, {0, 0}, {1, 0}, radius};
}

std::vector<RoundSurface> surfaces_of(const Geometry& g) {
  std::vector<RoundSurface> out;
  if (g.kind == "coaxial" || g.kind == "spherical") add_layers(g, out);
  if (g.kind != "parts") return out;
  for (const Part& p : g.parts) add_part(p, out);
  add_domain(g, out);
  return out;
}

}  // namespace umov::mesh
