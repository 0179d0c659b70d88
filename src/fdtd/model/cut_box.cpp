#include "fdtd/model/cut_box.hpp"

#include <algorithm>

namespace umov::fdtd {
namespace {

/// Deviation from a plane, in edges of the box, that the correction by the corners takes care of.
constexpr double planar = 0.1;
/// Mirror images that lie on a limit fall on the same side of it, whatever the rounding.
constexpr double tie = 1e-7;

Vec3 flattened(Vec3 g, const Vec3& edges) {
  for (int a = 0; a < 3; ++a)
    if (edges[a] == 0) g[a] = 0;
  return g;
}

/// Largest and mean deviation at the corners from the linear function through the centre.
struct Deviation {
  double largest = 0, mean = 0, turned = 1;
};
template <class Surface>
Deviation deviation(const Surface& surface, const Vec3& center, const Vec3& edges, const shapes::Probe& at) {
  Deviation d;
  int corners = 0;
  for (int c = 0; c < 8; ++c) {
    Vec3 r{0, 0, 0};
    bool counted = true;
    for (int a = 0; a < 3; ++a) {
      const bool upper = (c >> a) & 1;
      if (upper && edges[a] == 0) counted = false;
      r[a] = (upper ? 0.5 : -0.5) * edges[a];
    }
    if (!counted) continue;
    const shapes::Probe corner = surface(center + r);
    const double off = corner.distance - at.distance - dot(at.gradient, r);
    const double lengths2 = dot(corner.gradient, corner.gradient) * dot(at.gradient, at.gradient);
    d.turned = std::min(d.turned, dot(corner.gradient, at.gradient) / std::sqrt(lengths2));
    d.largest = std::max(d.largest, std::fabs(off));
    d.mean += off;
    ++corners;
  }
  d.mean /= corners;
  return d;
}

template <class Surface>
BoxCut plane_of(const Surface& surface, const Vec3& center, const Vec3& edges, const shapes::Probe& at) {
  const auto off = deviation(surface, center, edges, at);
  const Vec3 g = flattened(at.gradient, edges);
  const double edge = std::max({edges[0], edges[1], edges[2]});
  const double far = edge > 0 ? off.largest / edge : 0;
  if (off.largest > (planar + tie) * edge) return {BoxCut::Kind::rough, g, -at.distance, far, off.turned};
  // Over the box the mean of x^2 is a third of its value at the corners.
  return {BoxCut::Kind::plane, g, -at.distance - off.mean / 3, far, off.turned};
}

}  // namespace

// The unit cube below w . y = t is a sum over its corners of one-sided powers (Scardovelli and Zaleski 2000,
// J. Comput. Phys. 164, 228, eq. 2). Directions the plane hardly depends on are averaged out first: they
// would divide by nearly nothing.
double fraction_below(const Vec3& edges, const Vec3& g, double t) {
  std::array<double, 3> w;
  for (int a = 0; a < 3; ++a) w[a] = std::fabs(g[a]) * edges[a];
  const double largest = std::max({w[0], w[1], w[2]});
  int n = 0;
  for (double v : w)
    if (v > 1e-5 * largest) w[n++] = v;
  if (n == 0) return t > 0 ? 1 : 0;
  double total = 0, product = 1;
  for (int a = 0; a < n; ++a) total += w[a], product *= (a + 1) * w[a];
  const double above = t + total / 2;
  if (above <= 0) return 0;
  if (above >= total) return 1;
  double sum = 0;
  for (int corner = 0; corner < (1 << n); ++corner) {
    double s = above, sign = 1;
    for (int a = 0; a < n; ++a)
      if ((corner >> a) & 1) s -= w[a], sign = -sign;
    if (s > 0) sum += sign * (n == 1 ? s : n == 2 ? s * s : s * s * s);
  }
  return std::clamp(sum / product, 0.0, 1.0);
}

BoxCut cut_box(const shapes::Body& body, const Vec3& lo, const Vec3& hi) {
  const Vec3 center = 0.5 * (lo + hi), edges = hi - lo;
  const auto at = body.probe(center);
  const double reach = norm(edges) / 2, slack = tie * reach;
  if (at.distance > reach + slack) return {};
  if (at.distance < -reach - slack) return {BoxCut::Kind::inside, {}, 0};
  return plane_of([&](const Vec3& p) { return body.probe(p); }, center, edges, at);
}

BoxCut cut_face(const shapes::Body& body, int face, const Vec3& lo, const Vec3& hi) {
  const Vec3 center = 0.5 * (lo + hi), edges = hi - lo;
  const auto at = body.face(face, center);
  if (body.flat(face)) return {BoxCut::Kind::plane, flattened(at.gradient, edges), -at.distance};
  return plane_of([&](const Vec3& p) { return body.face(face, p); }, center, edges, at);
}

}  // namespace umov::fdtd
