// Bodies of revolution given by a formula: the Chebyshev particle and the red blood cell.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "shapes/recipe.hpp"

namespace umov::shapes {
namespace {

/// Largest value of f on [0, end]: the best of a fine scan, then golden section about it. A maximum is flat,
/// so its value is good to rounding long before its place is.
template <class F>
double maximum(F f, double end) {
  constexpr int steps = 256;
  int best = 0;
  for (int i = 1; i <= steps; ++i)
    if (f(end * i / steps) > f(end * best / steps)) best = i;
  double low = end * std::max(best - 1, 0) / steps, high = end * std::min(best + 1, steps) / steps;
  const double golden = (std::sqrt(5.0) - 1) / 2;
  while (high - low > 1e-9 * end) {
    const double left = high - golden * (high - low), right = low + golden * (high - low);
    (f(left) > f(right) ? high : low) = f(left) > f(right) ? right : left;
  }
  return std::max({f((low + high) / 2), f(0.0), f(end)});
}

/// Highest point of r = 1 + eps cos(n theta): max of [1 + eps cos(n theta)] cos(theta).
/// For n = 1, 2 in closed form, after A. Mugnai and W.J. Wiscombe, J. Atmos. Sci. 37, 1291 (1980).
double top(double eps, int n) {
  if (eps * (double(n) * n + 1) >= -1) return 1 + eps;  // the pole itself
  if (n == 1) return -1 / (4 * eps);
  if (n == 2) return 2 * (1 - eps) * std::sqrt((eps - 1) / (6 * eps)) / 3;
  return maximum([=](double t) { return (1 + eps * std::cos(n * t)) * std::cos(t); }, pi / n);
}

/// Largest distance from the axis; t is measured from the equator.
double widest(double eps, int n) {
  if (n % 4 == 2) return top(-eps, n);
  if (n % 4 == 0) return top(eps, n);
  const double e = std::fabs(eps);
  if (n == 1) {
    const double s = 2 * e / (1 + std::sqrt(1 + 8 * e * e));
    return (1 + e * s) * std::sqrt(1 - s * s);
  }
  return maximum([=](double t) { return (1 + e * std::sin(n * t)) * std::cos(t); }, pi / (2 * n));
}

/// Volume over that of the sphere of radius r0 (Mugnai and Wiscombe, as above).
double chebyshev_volume(double eps, int n) {
  const double n2 = double(n) * n, quarter = eps * eps / 4;
  double v = 1 + 6 * quarter * (4 * n2 - 2) / (4 * n2 - 1);
  if (n % 2 == 0) v -= eps * (3 * (1 + quarter) / (n2 - 1) + quarter / (9 * n2 - 1));
  return v;
}

}  // namespace

Recipe chebyshev(const Arguments& a) {
  const double eps = a.within(0, "amplitude eps", -1, 1);
  const int n = a.integer(1, "order n", 1);
  // In units of r0.
  const double high = top(eps, n), low = n % 2 == 0 ? -high : -top(-eps, n);
  const double dx = 2 * widest(eps, n), dz = high - low, centre = (high + low) / 2;
  Recipe r;
  r.before = "axisymmetric chebyshev particle; size along x-axis (Dx):";
  r.after = fmt::format(", amplitude eps={:.10g}, order n={}, initial radius r0/Dx={:.10g}", eps, n, 1 / dx);
  r.y_ratio = 1;
  r.z_ratio = dz / dx;
  r.volume_ratio = (4 * pi / 3) * chebyshev_volume(eps, n) / (dx * dx * dx);
  r.symmetry.z = centre == 0;
  const double r02 = 1 / (dx * dx), e = std::fabs(eps);
  r.material = [=, shift = centre / dx, outer2 = (1 + e) * (1 + e) * r02,
                inner2 = (1 - e) * (1 - e) * r02](const Point& p) {
    const double rho2 = p.x * p.x + p.y * p.y, z = p.z + shift, r2 = rho2 + z * z;
    if (r2 <= inner2) return true;
    if (r2 > outer2) return false;
    const double radius = 1 + eps * std::cos(n * std::atan2(std::sqrt(rho2), z));
    return r2 <= r02 * radius * radius;
  };
  return r;
}

Recipe rbc(const Arguments& a) {
  const double h = a.positive(0, "ratio of maximum width to diameter h/d");
  const double b = a.non_negative(1, "ratio of minimum width to diameter b/d");
  if (h <= b)
    a.refuse(fmt::format("the cell of shape 'rbc' is not biconcave: b/d={:g}, h/d={:g}", b, h),
             "the width in the middle, b, must be smaller than the largest width, h");
  const double c = a.within(2, "relative diameter of maximum width c/d", 0, 1);
  // rho^4 + 2 S rho^2 z^2 + z^4 + P rho^2 + Q z^2 + R = 0, lengths in units of d; after P.W. Kuchel and
  // E.D. Fackerell, Bull. Math. Biol. 61, 209 (1999). Written so that Q exists for b = 0.
  const double h2 = h * h, b2 = b * b, c2 = c * c;
  const double common = ((c2 * c2 / (h2 - b2)) - h2) / 4;
  const double P = b2 * common - 0.25, Q = common - (b2 / 4), R = -b2 * common / 4, S = -(2 * P + c2) / h2;
  Recipe r;
  r.before = "red blood cell; diameter(d):";
  r.after = fmt::format(
      ", maximum and minimum width h/d={:.10g}, b/d={:.10g}, diameter of maximum width c/d={:.10g}", h, b, c);
  r.y_ratio = 1;
  r.z_ratio = h;
  r.material = [=](const Point& p) {
    const double rho2 = p.x * p.x + p.y * p.y, z2 = p.z * p.z;
    return rho2 * rho2 + 2 * S * rho2 * z2 + z2 * z2 + P * rho2 + Q * z2 + R <= 0;
  };
  return r;
}

}  // namespace umov::shapes
