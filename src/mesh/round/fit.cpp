// Spheres by linear least squares; axes, profiles, and their improvement.
#include "mesh/round/fit.hpp"

#include <algorithm>
#include <cmath>

#include "mesh/round/cholesky.hpp"

namespace umov::mesh {

namespace {

using Matrix3 = std::array<std::array<double, 3>, 3>;
using Points = std::vector<Vec3>;

double farthest(const Points& points, const RoundSurface& s) {
  double most = 0;
  for (const Vec3& x : points) most = std::max(most, norm(s.closest(x) - x));
  return most;
}

/// Eigenvectors of a symmetric matrix by Jacobi's rotations, that of the least eigenvalue first.
std::array<Vec3, 3> directions(Matrix3 a) {
  Matrix3 v{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  for (int sweep = 0; sweep < 30; ++sweep)
    for (const auto& [p, q] : {std::pair{0, 1}, {0, 2}, {1, 2}}) {
      if (std::abs(a[p][q]) < 1e-300) continue;
      const double t = 0.5 * std::atan2(2 * a[p][q], a[q][q] - a[p][p]), c = std::cos(t), s = std::sin(t);
      for (int k = 0; k < 3; ++k) {
        const double x = a[k][p], y = a[k][q];
        a[k][p] = c * x - s * y, a[k][q] = s * x + c * y;
      }
      for (int k = 0; k < 3; ++k) {
        const double x = a[p][k], y = a[q][k];
        a[p][k] = c * x - s * y, a[q][k] = s * x + c * y;
        const double z = v[k][p], w = v[k][q];
        v[k][p] = c * z - s * w, v[k][q] = s * z + c * w;
      }
    }
  std::array<int, 3> order{0, 1, 2};
  std::sort(order.begin(), order.end(), [&](int i, int j) { return a[i][i] < a[j][j]; });
  std::array<Vec3, 3> out;
  for (int k = 0; k < 3; ++k) out[k] = {v[0][order[k]], v[1][order[k]], v[2][order[k]]};
  return out;
}

/// |x|^2 = 2 c . x + k, points in units of their size about their middle.
std::optional<RoundSurface> fit_sphere(const Points& points) {
  SmallSystem<4> s;
  for (const Vec3& x : points) s.add({2 * x[0], 2 * x[1], 2 * x[2], 1}, dot(x, x));
  if (!s.solve()) return std::nullopt;
  const Vec3 c{s.b[0], s.b[1], s.b[2]};
  const double square = s.b[3] + dot(c, c);
  if (!(square > 0)) return std::nullopt;
  return sphere(c, std::sqrt(square));
}

/// Direction and moment, which are orthogonal where it is a line.
struct Screw {
  Vec3 a, m;
};
RoundSurface line_of(const Screw& s) {
  const double square = dot(s.a, s.a);
  RoundSurface out;
  out.axis = unit(s.a);
  out.origin = (1 / square) * cross(s.a, s.m);
  return out;
}

/// Lines that all normals meet: a . (x cross n) + m . n = 0. A small piece of a torus has two, its axis and
/// the middle of its tube; then any mixture of them fulfils that nearly as well, and lines are those mixtures
/// of the best two with a . m = 0.
std::vector<RoundSurface> fit_axes(const Points& points, const Points& normals) {
  Matrix3 aa{}, am{};
  SmallSystem<3> mm;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Vec3 w = cross(points[i], normals[i]), &n = normals[i];
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < 3; ++c) aa[r][c] += w[r] * w[c], am[r][c] += w[r] * n[c];
    mm.add({n[0], n[1], n[2]}, 0);
  }
  // m = -mm^-1 am^T a; the normals of a cylinder leave m along a open
  for (int k = 0; k < 3; ++k) mm.a[k][k] += 1e-9 * double(points.size());
  if (!mm.factor()) return {};
  Matrix3 moment{};  // [row of a]
  for (int r = 0; r < 3; ++r) {
    moment[r] = am[r];
    mm.substitute(moment[r]);
  }
  Matrix3 s = aa;
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c)
      for (int k = 0; k < 3; ++k) s[r][c] -= am[r][k] * moment[c][k];
  std::vector<Screw> best;
  for (const Vec3& a : directions(s)) {
    Screw& screw = best.emplace_back(Screw{a, {0, 0, 0}});
    for (int r = 0; r < 3; ++r)
      for (int k = 0; k < 3; ++k) screw.m[k] -= a[r] * moment[r][k];
  }
  std::vector<RoundSurface> out{line_of(best[0]), line_of(best[1]), line_of(best[2])};
  const double p = dot(best[1].a, best[1].m), q = dot(best[0].a, best[1].m) + dot(best[1].a, best[0].m),
               under = q * q - 4 * p * dot(best[0].a, best[0].m);
  for (const double side : {-1.0, 1.0})
    if (p != 0 && under > 0) {
      const double t = (-q + side * std::sqrt(under)) / (2 * p);
      out.push_back(line_of({best[0].a + t * best[1].a, best[0].m + t * best[1].m}));
    }
  return out;
}

std::vector<Point2> half_plane(const RoundSurface& s, const Points& points) {
  std::vector<Point2> out;
  for (const Vec3& x : points) {
    const Vec3 d = x - s.origin;
    const double z = dot(d, s.axis);
    out.push_back({norm(d - z * s.axis), z});
  }
  return out;
}

RoundSurface with_line(RoundSurface s, const std::vector<Point2>& p) {
  double r = 0, z = 0, rr = 0, rz = 0, zz = 0;
  for (const auto& q : p) r += q[0] / double(p.size()), z += q[1] / double(p.size());
  for (const auto& q : p)
    rr += (q[0] - r) * (q[0] - r), rz += (q[0] - r) * (q[1] - z), zz += (q[1] - z) * (q[1] - z);
  const double t = 0.5 * std::atan2(2 * rz, rr - zz);
  s.arc = false, s.at = {r, z}, s.along = {std::cos(t), std::sin(t)};
  return s;
}

std::optional<RoundSurface> with_circle(RoundSurface s, const std::vector<Point2>& p) {
  SmallSystem<3> fit;
  for (const auto& [r, z] : p) fit.add({2 * r, 2 * z, 1}, r * r + z * z);
  if (!fit.solve()) return std::nullopt;
  const double square = fit.b[2] + fit.b[0] * fit.b[0] + fit.b[1] * fit.b[1];
  if (!(square > 0)) return std::nullopt;
  s.arc = true, s.at = {fit.b[0], fit.b[1]}, s.radius = std::sqrt(square);
  return s;
}

/// The surface with its parameters changed: axis tilted and moved, profile turned or grown and moved.
RoundSurface changed(RoundSurface s, const std::array<double, 7>& by) {
  const Vec3 any = std::abs(s.axis[0]) < 0.7 ? Vec3{1, 0, 0} : Vec3{0, 1, 0};
  const Vec3 e = unit(any - dot(any, s.axis) * s.axis), f = cross(s.axis, e);
  s.origin = s.origin + by[0] * e + by[1] * f;
  s.axis = unit(s.axis + by[2] * e + by[3] * f);
  if (s.arc) {
    s.at[0] += by[4], s.at[1] += by[5], s.radius += by[6];
  } else {
    const double t = std::atan2(s.along[1], s.along[0]) + by[5];
    s.at[0] -= s.along[1] * by[4], s.at[1] += s.along[0] * by[4];
    s.along = {std::cos(t), std::sin(t)};
  }
  return s;
}

double off(const RoundSurface& s, const Vec3& x) { return dot(x - s.closest(x), s.normal(x)); }
double sum_of_squares(const Points& points, const RoundSurface& s) {
  double sum = 0;
  for (const Vec3& x : points) sum += off(s, x) * off(s, x);
  return sum;
}

/// The distances' derivatives by the parameters, and they themselves on the right.
SmallSystem<7> linearised(const RoundSurface& s, const Points& points, int unknowns) {
  constexpr double h = 1e-6;
  std::array<std::array<RoundSurface, 2>, 7> near;
  for (int k = 0; k < unknowns; ++k)
    for (const int side : {0, 1}) {
      std::array<double, 7> by{};
      by[k] = side ? h : -h;
      near[k][side] = changed(s, by);
    }
  SmallSystem<7> fit;
  for (const Vec3& x : points) {
    std::array<double, 7> row{};
    for (int k = 0; k < unknowns; ++k) row[k] = (off(near[k][1], x) - off(near[k][0], x)) / (2 * h);
    fit.add(row, -off(s, x));
  }
  return fit;
}

/// Gauss and Newton's steps, damped where they do not help (Levenberg and Marquardt).
RoundSurface improved(RoundSurface s, const Points& points) {
  const int unknowns = s.arc ? 7 : 6;
  double best = sum_of_squares(points, s), damping = 1e-6;
  for (int step = 0; step < 80 && damping < 1e4 && best > 1e-28; ++step) {
    SmallSystem<7> fit = linearised(s, points, unknowns);
    for (int k = 0; k < 7; ++k) fit.a[k][k] += k < unknowns ? damping * fit.a[k][k] + 1e-14 : 1;
    if (!fit.solve()) break;
    const RoundSurface next = changed(s, fit.b);
    const double sum = sum_of_squares(points, next);
    const bool helps = sum < best;
    if (helps && sum > 0.9 * best) step += 2;  // nothing round, most likely
    damping *= helps ? 0.1 : 8;
    if (helps) s = next, best = sum;
  }
  return s;
}

/// About an axis that is roughly known: a line, or else a circle.
std::optional<RoundSurface> fit_profile(const Points& points, const RoundSurface& axis) {
  constexpr double far_off = 0.1;  // where the start is that bad, nothing round fits
  const auto profile = half_plane(axis, points);
  const RoundSurface line = with_line(axis, profile);
  const auto circle = with_circle(axis, profile);
  std::optional<RoundSurface> out;
  if (farthest(points, line) < far_off) out = improved(line, points);
  if (circle && circle->radius < 100 && farthest(points, *circle) < far_off) {
    const auto s = improved(*circle, points);
    if (!out || sum_of_squares(points, s) < 1e-6 * sum_of_squares(points, *out)) out = s;
  }
  return out;
}

RoundSurface scaled(RoundSurface s, const Vec3& middle, double size) {
  s.origin = middle + size * s.origin;
  for (double& c : s.at) c *= size;
  s.radius *= size;
  return s;
}

}  // namespace

std::optional<RoundSurface> fit_round(const Points& at, const Points& normals, double within) {
  Vec3 middle{0, 0, 0};
  for (const Vec3& x : at) middle = middle + (1. / double(at.size())) * x;
  double size = 0;
  for (const Vec3& x : at) size = std::max(size, norm(x - middle));
  Points points;
  for (const Vec3& x : at) points.push_back((1 / size) * (x - middle));
  const double limit = within / size;
  if (const auto s = fit_sphere(points); s && farthest(points, *s) < limit) return scaled(*s, middle, size);
  for (const RoundSurface& axis : fit_axes(points, normals))
    if (const auto s = fit_profile(points, axis); s && farthest(points, *s) < limit)
      return scaled(*s, middle, size);
  return std::nullopt;
}

}  // namespace umov::mesh
