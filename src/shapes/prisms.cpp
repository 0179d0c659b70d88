// Shapes with flat ends: box, line, cylinder, capsule, plate, prism.
#include <fmt/format.h>

#include <cmath>

#include "shapes/recipe.hpp"

namespace umov::shapes {
namespace {

Recipe round_body(std::string before, std::string after, double height, double volume) {
  Recipe r;
  r.before = std::move(before);
  r.after = std::move(after);
  r.y_ratio = 1;
  r.z_ratio = height;
  r.volume_ratio = volume;
  return r;
}

double rho2(const Point& p) { return p.x * p.x + p.y * p.y; }

}  // namespace

Recipe box(const Arguments& a) {
  Recipe r;
  double y = 1, z = 1;
  r.before = "cube; size of edge along x-axis:";
  if (a.count() == 2) {
    y = a.positive(0, "aspect ratio y/x");
    z = a.positive(1, "aspect ratio z/x");
    r.before = "rectangular parallelepiped; size along x-axis:";
    r.after = fmt::format(", aspect ratio y/x={:.10g}, z/x={:.10g}", y, z);
  }
  r.y_ratio = y;
  r.z_ratio = z;
  r.volume_ratio = y * z;
  r.symmetry.rotation_z = y == 1;
  r.material = [y = y / 2, z = z / 2](const Point& p) { return std::fabs(p.y) <= y && std::fabs(p.z) <= z; };
  return r;
}

Recipe line(const Arguments&) {
  Recipe r;
  r.before = "line; length:";
  r.box = {0, 1, 1};
  r.symmetry.rotation_z = false;
  // A box of even width has no middle row; the one below the middle is taken.
  r.material = [](const Point& p) {
    const auto middle = [](int half) { return half == 0 || half == -1; };
    return middle(p.half[1]) && middle(p.half[2]);
  };
  return r;
}

Recipe cylinder(const Arguments& a) {
  const double h = a.positive(0, "height to diameter ratio h/d");
  Recipe r = round_body("cylinder; diameter(d):", fmt::format(", height h/d={:.10g}", h), h, pi / 4 * h);
  r.material = [half = h / 2](const Point& p) { return rho2(p) <= 0.25 && std::fabs(p.z) <= half; };
  return r;
}

Recipe capsule(const Arguments& a) {
  const double h = a.non_negative(0, "height to diameter ratio h/d");
  Recipe r = round_body("capsule; diameter(d):", fmt::format(", cylinder height h/d={:.10g}", h), h + 1,
                        pi / 4 * h + pi / 6);
  r.material = [half = h / 2](const Point& p) {
    const double above = std::fabs(p.z) - half;
    return rho2(p) <= 0.25 && (above <= 0 || above * above + rho2(p) <= 0.25);
  };
  return r;
}

Recipe plate(const Arguments& a) {
  const double h = a.within(0, "height to diameter ratio h/d", 0, 1, Arguments::Ends::open_below);
  // A flat disk of diameter d - h and the outer half of a torus about it.
  const double volume = pi * h * (6 + 3 * (pi - 4) * h + (10 - 3 * pi) * h * h) / 24;
  Recipe r = round_body("plate; full diameter(d):", fmt::format(", height h/d={:.10g}", h), h, volume);
  r.material = [half = h / 2, flat2 = (0.5 - h / 2) * (0.5 - h / 2)](const Point& p) {
    if (rho2(p) > 0.25 || std::fabs(p.z) > half) return false;
    if (rho2(p) <= flat2) return true;
    const double out = std::sqrt(rho2(p)) - 0.5 + half;
    return out * out + p.z * p.z <= half * half;
  };
  return r;
}

Recipe prism(const Arguments& a) {
  const int sides = a.integer(0, "number of sides n", 3);
  const double h = a.positive(1, "height to x-size ratio h/Dx");
  // Lengths of the polygon in units of its side; a side's middle looks along +x.
  const double angle = pi / sides;
  const double outer = 0.5 / std::sin(angle), inner = outer * std::cos(angle);
  const bool odd = sides % 2 == 1, square_like = sides % 4 == 0;
  const double dx = odd ? outer + inner : 2 * inner;
  const double dy = odd ? 2 * outer * std::sin((sides - 1) * angle / 2) : square_like ? dx : 2 * outer;
  const double shift = odd ? (outer - inner) / 2 / dx : 0;
  Recipe r;
  r.before = fmt::format("{}-sided regular prism; size along x-axis (Dx):", sides);
  r.after = fmt::format(", height h/Dx={:.10g}, base side a/Dx={:.10g}", h, 1 / dx);
  r.y_ratio = dy / dx;
  r.z_ratio = h;
  r.volume_ratio = h / 2 * sides * inner / (dx * dx);
  r.symmetry = {!odd, true, true, square_like};
  r.material = [=, half = h / 2, outer2 = outer * outer / (dx * dx),
                inner2 = inner * inner / (dx * dx)](const Point& p) {
    const double x = p.x - shift, r2 = x * x + p.y * p.y;
    if (r2 > outer2 || std::fabs(p.z) > half) return false;
    if (r2 <= inner2) return true;
    // The angle to the normal of the nearest side.
    const double c = std::cos(std::fmod(std::fabs(std::atan2(p.y, x)) + angle, 2 * angle) - angle);
    return c * c * r2 <= inner2;
  };
  return r;
}

}  // namespace umov::shapes
