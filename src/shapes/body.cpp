// Frames of bodies: where they are and how they are turned.
#include "shapes/body.hpp"

#include <algorithm>

#include "core/error.hpp"

namespace umov::shapes {
namespace {

Vec3 direction_of(const Vec3& v) {
  const double length = norm(v);
  if (!(length > 0) || !std::isfinite(length))
    throw BadInput(
        "the axis has no direction (its length is zero or not finite); give axis = [0, 0, 1] or the like");
  return (1 / length) * v;
}

/// Rodrigues' formula.
Vec3 rotate(const Vec3& v, const Vec3& u, double cosine, double sine) {
  return cosine * v + sine * cross(u, v) + ((1 - cosine) * dot(u, v)) * u;
}

/// Cosine and sine of an angle in degrees, exact at multiples of 90 so that turned boxes stay aligned.
std::array<double, 2> cosine_sine(double degrees) {
  const double quarter = degrees / 90;
  if (quarter == std::floor(quarter)) {
    constexpr std::array<double, 4> cosines{1, 0, -1, 0};
    const int q = int(quarter - 4 * std::floor(quarter / 4));
    return {cosines[q], cosines[(q + 3) % 4]};
  }
  return {std::cos(degrees * pi / 180), std::sin(degrees * pi / 180)};
}

}  // namespace

Bounds Frame::bounds(const Vec3& low, const Vec3& high) const {
  Bounds b{center, center};
  for (int a = 0; a < 3; ++a)
    for (int i = 0; i < 3; ++i) {
      const double one = low[a] * axes[a][i], other = high[a] * axes[a][i];
      b.low[i] = std::max(b.low[i] + std::min(one, other), -unbounded);
      b.high[i] = std::min(b.high[i] + std::max(one, other), unbounded);
    }
  return b;
}

Frame turned(const Vec3& center, const Vec3& axis, double degrees) {
  Frame f;
  f.center = center;
  const auto [cosine, sine] = cosine_sine(degrees);
  const Vec3 u = direction_of(axis);
  for (auto& a : f.axes) a = rotate(a, u, cosine, sine);
  return f;
}

Frame along(const Vec3& center, const Vec3& axis, double degrees) {
  Frame f;
  f.center = center;
  const Vec3 u = direction_of(axis), z{0, 0, 1}, turn = cross(z, u);
  const double sine = norm(turn), cosine = dot(z, u);
  if (sine > 0)
    for (auto& a : f.axes) a = rotate(a, (1 / sine) * turn, cosine, sine);
  else if (cosine < 0)
    f.axes = {Vec3{1, 0, 0}, Vec3{0, -1, 0}, Vec3{0, 0, -1}};
  const auto [c, s] = cosine_sine(degrees);
  for (auto& a : f.axes) a = rotate(a, u, c, s);
  f.axes[2] = u;
  return f;
}

}  // namespace umov::shapes
