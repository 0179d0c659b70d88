// Shapes made of spheres: sphere, coated spheres, onions, two spheres, a sphere in a cube.
#include <fmt/format.h>

#include <cmath>

#include "shapes/recipe.hpp"

namespace umov::shapes {
namespace {

constexpr double sphere_volume = pi / 6;  // of unit diameter

double radius2(const Point& p) { return p.x * p.x + p.y * p.y + p.z * p.z; }

Recipe unit_sphere(std::string before, int materials) {
  Recipe r;
  r.before = std::move(before);
  r.y_ratio = r.z_ratio = 1;
  r.volume_ratio = sphere_volume;
  r.materials = materials;
  return r;
}

/// Two spheres of unit diameter whose centres are `distance` apart along z. Their union is counted once
/// where they overlap: two spherical caps are taken off the volume of two spheres.
Recipe pair(std::string before, double distance, int materials) {
  Recipe r = unit_sphere(std::move(before), materials);
  r.z_ratio = distance + 1;
  r.volume_ratio = distance >= 1 ? 2 * sphere_volume
                                 : sphere_volume * (2 - distance) * (1 + distance) * (1 + distance) / 2;
  return r;
}

/// Outermost shell whose inner boundary (squared radii, descending) lies below r2.
int layer(double r2, const std::vector<double>& inner) {
  int material = 1;
  for (double boundary : inner) {
    if (r2 > boundary) break;
    ++material;
  }
  return material;
}

std::string listed(const Arguments& a, std::size_t first) {
  std::string text = fmt::format("{:.10g}", a.any(first));
  for (std::size_t i = first + 1; i < a.count(); ++i) text += fmt::format(", {:.10g}", a.any(i));
  return text;
}

/// Squared radii of the inner boundaries, each of which must lie within the one before.
std::vector<double> shells(const Arguments& a, std::size_t first, const char* outer, const char* inner) {
  std::vector<double> squared;
  for (std::size_t i = first; i < a.count(); ++i) {
    const double ratio = a.within(i, i == first ? outer : inner, 0, i == first ? 1 : a.any(i - 1));
    squared.push_back(0.25 * ratio * ratio);
  }
  return squared;
}

}  // namespace

Recipe sphere(const Arguments&) {
  Recipe r = unit_sphere("sphere; diameter:", 1);
  r.material = [](const Point& p) { return radius2(p) <= 0.25; };
  return r;
}

Recipe coated(const Arguments& a) {
  const double ratio = a.within(0, "inner/outer diameter ratio d_in/d", 0, 1);
  Vec3 c{0, 0, 0};
  Recipe r = unit_sphere("coated sphere; diameter(d):", 2);
  r.after = fmt::format(", inner diameter d_in/d={:.10g}", ratio);
  if (a.count() == 4) {
    c = {a.any(1), a.any(2), a.any(3)};
    if (dot(c, c) > 0.25 * (1 - ratio) * (1 - ratio))
      a.refuse("the inner sphere of shape 'coated' sticks out",
               fmt::format("its centre is {:g} d from the middle, at most {:g} d fits", norm(c),
                           0.5 * (1 - ratio)));
    r.after += fmt::format("\n       position of inner sphere center r/d=({:.10g},{:.10g},{:.10g})", c[0],
                           c[1], c[2]);
  }
  r.symmetry = {c[0] == 0, c[1] == 0, c[2] == 0, c[0] == 0 && c[1] == 0};
  r.material = [c, inner = 0.25 * ratio * ratio](const Point& p) {
    if (radius2(p) > 0.25) return 0;
    const double x = p.x - c[0], y = p.y - c[1], z = p.z - c[2];
    return x * x + y * y + z * z <= inner ? 2 : 1;
  };
  return r;
}

Recipe coated2(const Arguments& a) {
  const double shell = a.within(0, "intermediate/outer diameter ratio ds/d", 0, 1);
  const double core = a.within(1, "inner/outer diameter ratio dc/d", 0, shell);
  Recipe r = unit_sphere("coated2; diameter(d):", 3);
  r.after = fmt::format(
      ", intermediate sphere (shell) diameter dcs/d={:.10g}, inner core diameter dc/d={:.10g}", shell, core);
  r.warnings.push_back("shape 'coated2' is kept for old scripts; 'onion' describes the same particle");
  r.material = [boundaries = std::vector<double>{0.25 * shell * shell, 0.25 * core * core}](const Point& p) {
    const double r2 = radius2(p);
    return r2 <= 0.25 ? layer(r2, boundaries) : 0;
  };
  return r;
}

Recipe onion(const Arguments& a) {
  const int layers = int(a.count()) + 1;
  Recipe r = unit_sphere(fmt::format("onion ({} layers); diameter(d):", layers), layers);
  auto inner = shells(a, 0, "diameter ratio d2/d", "one of the internal diameter ratios");
  r.after = fmt::format(", internal diameter ratios d_i/d: ({})", listed(a, 0));
  r.material = [inner](const Point& p) {
    const double r2 = radius2(p);
    return r2 <= 0.25 ? layer(r2, inner) : 0;
  };
  return r;
}

Recipe onion_ell(const Arguments& a) {
  const double y = a.positive(0, "aspect ratio y/x"), z = a.positive(1, "aspect ratio z/x");
  const int layers = int(a.count()) - 1;
  Recipe r = unit_sphere(fmt::format("{}-layered ellipsoid; size along x-axis:", layers), layers);
  auto inner = shells(a, 2, "semi-axis ratio x2/x", "one of the internal semi-axis ratios");
  r.after = fmt::format(", aspect ratios y/x={:.10g}, z/x={:.10g}, internal semi-axis ratios x_i/x: ({})", y,
                        z, listed(a, 2));
  r.y_ratio = y;
  r.z_ratio = z;
  r.volume_ratio = sphere_volume * y * z;
  r.symmetry.rotation_z = y == 1;
  r.material = [inner, y2 = 1 / (y * y), z2 = 1 / (z * z)](const Point& p) {
    const double r2 = p.x * p.x + p.y * p.y * y2 + p.z * p.z * z2;
    return r2 <= 0.25 ? layer(r2, inner) : 0;
  };
  return r;
}

Recipe bisphere(const Arguments& a) {
  const double distance = a.non_negative(0, "center-to-center distance to diameter ratio R_cc/d");
  Recipe r = pair("bisphere; diameter(d):", distance, 1);
  r.after = fmt::format(", center-center distance R_cc/d={:.10g}", distance);
  r.material = [half = distance / 2](const Point& p) {
    const double rho2 = p.x * p.x + p.y * p.y, z = std::fabs(p.z) - half;
    return z * z + rho2 <= 0.25;
  };
  return r;
}

Recipe bicoated(const Arguments& a) {
  const double distance = a.non_negative(0, "center-to-center distance to diameter ratio R_cc/d");
  const double ratio = a.within(1, "inner/outer diameter ratio d_in/d", 0, 1);
  Recipe r = pair("bicoated; diameter(d):", distance, 2);
  r.after =
      fmt::format(", center-center distance R_cc/d={:.10g}, inner diameter d_in/d={:.10g}", distance, ratio);
  r.material = [half = distance / 2, inner = 0.25 * ratio * ratio](const Point& p) {
    const double rho2 = p.x * p.x + p.y * p.y, z = std::fabs(p.z) - half, r2 = z * z + rho2;
    return r2 > 0.25 ? 0 : r2 <= inner ? 2 : 1;
  };
  return r;
}

Recipe spherebox(const Arguments& a) {
  const double ratio = a.within(0, "sphere diameter/cube edge ratio d_sph/Dx", 0, 1);
  Recipe r = unit_sphere("sphere in cube; size of cube edge(a):", 2);
  r.after = fmt::format(", diameter of sphere d/a={:.10g}", ratio);
  r.volume_ratio = 1;
  r.material = [inner = 0.25 * ratio * ratio](const Point& p) {
    if (radius2(p) <= inner) return 2;
    return std::fabs(p.y) <= 0.5 && std::fabs(p.z) <= 0.5 ? 1 : 0;
  };
  return r;
}

}  // namespace umov::shapes
