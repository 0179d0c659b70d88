// Ellipsoids and their relatives: ellipsoid, two touching ellipsoids, superellipsoid, egg.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "shapes/recipe.hpp"

namespace umov::shapes {
namespace {

/// n B(n/2+1, n) -> 1 as n -> 0. One factor of the volume of a superellipsoid; B is Euler's beta function.
double polar_factor(double n) {
  if (n == 0) return 1;
  return std::exp(std::log(n) + std::lgamma(n / 2 + 1) + std::lgamma(n) - std::lgamma(3 * n / 2 + 1));
}

/// e B(e/2, e/2) -> 4 as e -> 0. The other factor.
double azimuthal_factor(double e) {
  if (e == 0) return 4;
  return std::exp(std::log(e) + 2 * std::lgamma(e / 2) - std::lgamma(e));
}

/// [a^(2/e) + b^(2/e)]^(e/2) with the larger base taken out, so that no power under- or overflows.
double superellipse_radius(double a, double b, double e) {
  const double large = std::max(a, b);
  if (e == 0) return large;
  if (a == b) return b * std::pow(2, e / 2);
  return large * std::pow(1 + std::pow(std::min(a, b) / large, 2 / e), e / 2);
}

/// x, y, z are relative to the semi-axes and not negative.
bool in_superellipsoid(double x, double y, double z, double e, double n) {
  if (y > 1 || z > 1) return false;
  if (e == 0 && n == 0) return true;
  if (e <= std::min(n, 1.0)) return std::pow(superellipse_radius(x, y, e), 2 / n) + std::pow(z, 2 / n) <= 1;
  const double section = std::pow(x, 2 / e) + std::pow(y, 2 / e);
  return section <= 1 && (n == 0 || std::pow(section, e / n) + std::pow(z, 2 / n) <= 1);
}

}  // namespace

Recipe ellipsoid(const Arguments& a) {
  const double y = a.positive(0, "aspect ratio y/x"), z = a.positive(1, "aspect ratio z/x");
  Recipe r;
  r.before = "ellipsoid; size along x-axis:";
  r.after = fmt::format(", aspect ratios y/x={:.10g}, z/x={:.10g}", y, z);
  r.y_ratio = y;
  r.z_ratio = z;
  r.volume_ratio = pi / 6 * y * z;
  r.symmetry.rotation_z = y == 1;
  r.material = [y2 = 1 / (y * y), z2 = 1 / (z * z)](const Point& p) {
    return p.x * p.x + p.y * p.y * y2 + p.z * p.z * z2 <= 0.25;
  };
  return r;
}

Recipe biellipsoid(const Arguments& a) {
  const double y1 = a.positive(0, "aspect ratio y1/x1"), z1 = a.positive(1, "aspect ratio z1/x1");
  const double x2 = a.positive(2, "aspect ratio x2/x1");
  const double y2 = a.positive(3, "aspect ratio y2/x2"), z2 = a.positive(4, "aspect ratio z2/x2");
  Recipe r;
  r.before = "biellipsoid; size along x-axis:";
  r.after = fmt::format(
      "; aspect ratios: y1/x1={:.10g}, z1/x1={:.10g}, x2/x1={:.10g}, y2/x2={:.10g}, z2/x2={:.10g}", y1, z1,
      x2, y2, z2);
  r.materials = 2;
  r.symmetry = {true, true, false, y1 == 1 && y2 == 1};
  // The wider of the two spans the box along x, so that lengths below are relative to its diameter.
  const double scale = 1 / std::max(x2, 1.0);
  const double wide_y2 = y2 * x2, wide_z2 = z2 * x2;
  r.y_ratio = std::max(y1, wide_y2) * scale;
  r.z_ratio = (z1 + wide_z2) * scale;
  r.volume_ratio = pi / 6 * (y1 * z1 + wide_y2 * wide_z2 * x2) * scale * scale * scale;
  struct Half {
    double centre, radius, y2, z2;
    bool holds(const Point& p) const {
      const double z = p.z - centre;
      return p.x * p.x + p.y * p.y * y2 + z * z * z2 <= radius * radius;
    }
  };
  const double radius1 = 0.5 * scale;
  const Half lower{-wide_z2 * scale / 2, radius1, 1 / (y1 * y1), 1 / (z1 * z1)};
  const Half upper{z1 * scale / 2, radius1 * x2, 1 / (y2 * y2), 1 / (z2 * z2)};
  r.material = [lower, upper, contact = lower.centre + upper.centre](const Point& p) {
    if (p.z <= contact) return lower.holds(p) ? 1 : 0;
    return upper.holds(p) ? 2 : 0;
  };
  return r;
}

Recipe superellipsoid(const Arguments& a) {
  const double b = a.positive(0, "aspect ratio b/a"), c = a.positive(1, "aspect ratio c/a");
  const double e = a.non_negative(2, "superellipsoid exponent e");
  const double n = a.non_negative(3, "superellipsoid exponent n");
  Recipe r;
  r.before = "superellipsoid; size along x-axis:";
  r.after =
      fmt::format(", aspect ratios b/a={:.10g}, c/a={:.10g}, exponents e={:.10g}, n={:.10g}", b, c, e, n);
  r.y_ratio = b;
  r.z_ratio = c;
  // T. Wriedt, Part. Part. Syst. Charact. 19, 256 (2002), eq. (4).
  r.volume_ratio = 0.25 * b * c * polar_factor(n) * azimuthal_factor(e);
  r.symmetry.rotation_z = b == 1;
  r.material = [b, c, e, n](const Point& p) {
    return in_superellipsoid(std::fabs(2 * p.x), std::fabs(2 * p.y / b), std::fabs(2 * p.z / c), e, n);
  };
  return r;
}

Recipe egg(const Arguments& arguments) {
  const double eps = arguments.within(0, "egg parameter epsilon", 0, 1, Arguments::Ends::open_below);
  const double nu = arguments.within(1, "egg parameter nu", 0, eps, Arguments::Ends::open_above);
  // D.V. Hahn et al., SPIE Defense + Security, paper 6954-31 (2008): (a/r)^2 = 1 + nu cos(theta) -
  // (1-eps) cos^2(theta). The largest width across z, which is the diameter, lies at this cos(theta).
  const double cosine = -nu / (eps + std::sqrt(eps * eps - nu * nu)), cosine2 = cosine * cosine;
  const double a2 = (1 + nu * cosine - (1 - eps) * cosine2) / (4 * (1 - cosine2)), a = std::sqrt(a2);
  const double top = 1 / std::sqrt(eps + nu), bottom = 1 / std::sqrt(eps - nu);  // over a
  const double twice = 2 * (1 - eps);
  Recipe r;
  r.before = "egg; diameter(d):";
  r.after = fmt::format(", epsilon={:.10g}, nu={:.10g}, a/d={:.10g}", eps, nu, a);
  r.y_ratio = 1;
  r.z_ratio = a * (top + bottom);
  r.volume_ratio =
      (4 * pi / 3) * a2 * a * ((twice - nu) * top + (twice + nu) * bottom) / (nu * nu + 2 * twice);
  r.symmetry.z = nu == 0;
  // Half of bottom - top, written without the cancellation at nu -> 0.
  const double centre = a * nu * (top * top * bottom * bottom) / (top + bottom);
  // eps = 1 with nu = 0 is the sphere; its volume formula is 0/0.
  if (nu == 0 && eps == 1) r.volume_ratio = pi / 6;
  r.material = [=](const Point& p) {
    const double rho2 = p.x * p.x + p.y * p.y, z = p.z - centre, z2 = z * z;
    return rho2 + eps * z2 + nu * z * std::sqrt(rho2 + z2) <= a2;
  };
  return r;
}

}  // namespace umov::shapes
