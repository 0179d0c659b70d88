// Outlines of parts, their frames and their extents.
#include "mesh/part_shape.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.hpp"

namespace umov::mesh {

namespace {

Point2 minus(const Point2& a, const Point2& b) { return {a[0] - b[0], a[1] - b[1]}; }
double length(const Point2& a) { return std::hypot(a[0], a[1]); }

double signed_area(const std::vector<Point2>& p) {
  double sum = 0;
  for (std::size_t i = 0; i < p.size(); ++i) {
    const auto& a = p[i];
    const auto& b = p[(i + 1) % p.size()];
    sum += a[0] * b[1] - a[1] * b[0];
  }
  return sum / 2;
}

/// Corners of a housing, from the bottom outside to the top.
std::vector<Point2> shed_corners(const Part& p) {
  const double h = p.height / 2, pitch = (p.height - 2 * p.shed_margin) / p.shed_count;
  const double tip = p.shed_tip > 0 ? p.shed_tip : p.shed_thickness / 2;
  std::vector<Point2> corners{{p.inner_radius, -h}, {p.radius, -h}};
  for (int i = 0; i < p.shed_count; ++i) {
    const double outer = i % 2 && p.shed_radius_small > 0 ? p.shed_radius_small : p.shed_radius;
    const double root = -h + p.shed_margin + (i + 0.5) * pitch;
    const double rim = root - std::tan(p.shed_slope * degree) * (outer - p.radius);
    corners.push_back({p.radius, root - p.shed_thickness / 2});
    corners.push_back({outer, rim - tip / 2});
    corners.push_back({outer, rim + tip / 2});
    corners.push_back({p.radius, root + p.shed_thickness / 2});
  }
  corners.push_back({p.radius, h});
  corners.push_back({p.inner_radius, h});
  return corners;
}

std::vector<Point2> corners_of(const Part& p) {
  const double h = p.height / 2;
  if (p.shape == "cylinder")
    return {{p.inner_radius, -h}, {p.radius, -h}, {p.radius, h}, {p.inner_radius, h}};
  if (p.shape == "cone") {
    if (p.radius == 0) return {{0, -h}, {p.top_radius, h}, {0, h}};
    if (p.top_radius == 0) return {{0, -h}, {p.radius, -h}, {0, h}};
    return {{0, -h}, {p.radius, -h}, {p.top_radius, h}, {0, h}};
  }
  if (p.shape == "sheds") return shed_corners(p);
  auto corners = without_repeats(p.profile);
  if (signed_area(corners) < 0) std::reverse(corners.begin(), corners.end());
  return corners;
}

/// Lines between the corners, with arcs of radius `fillet` in those off the axis.
std::vector<OutlineEdge> rounded(const std::vector<Point2>& corners, double fillet, bool axis_is_sharp) {
  const std::size_t n = corners.size();
  struct Corner {
    Point2 in, out, center;
    bool arc = false;
  };
  std::vector<Corner> turned(n);
  for (std::size_t i = 0; i < n; ++i) {
    const Point2& c = corners[i];
    turned[i] = {c, c, c, false};
    if (fillet <= 0 || (axis_is_sharp && c[0] == 0)) continue;
    const Point2 back = minus(corners[(i + n - 1) % n], c), on = minus(corners[(i + 1) % n], c);
    const double lb = length(back), lo = length(on);
    const double angle = std::acos(std::clamp((back[0] * on[0] + back[1] * on[1]) / (lb * lo), -1.0, 1.0));
    if (angle > pi - 1e-6) continue;
    const double reach = fillet / std::tan(angle / 2);
    const Point2 u{back[0] / lb, back[1] / lb}, v{on[0] / lo, on[1] / lo};
    const Point2 middle{u[0] + v[0], u[1] + v[1]};
    const double away = fillet / std::sin(angle / 2) / length(middle);
    turned[i] = {{c[0] + reach * u[0], c[1] + reach * u[1]},
                 {c[0] + reach * v[0], c[1] + reach * v[1]},
                 {c[0] + away * middle[0], c[1] + away * middle[1]},
                 true};
  }
  std::vector<OutlineEdge> edges;
  for (std::size_t i = 0; i < n; ++i) {
    const Corner &a = turned[i], &b = turned[(i + 1) % n];
    if (a.arc) edges.push_back({a.in, a.out, true, a.center});
    const Point2 whole = minus(corners[(i + 1) % n], corners[i]), left = minus(b.in, a.out);
    const double size = length(whole), rest = (whole[0] * left[0] + whole[1] * left[1]) / size;
    if (rest < -1e-9 * size)
      throw BadInput(fmt::format(
          "a fillet of {} m does not fit between the corners ({}, {}) and ({}, {}) (their edge is "
          "{} m long); make it smaller",
          fillet, corners[i][0], corners[i][1], corners[(i + 1) % n][0], corners[(i + 1) % n][1], size));
    // Two arcs that meet leave no line between them.
    if (rest > 1e-9 * size) edges.push_back({a.out, b.in, false, {0, 0}});
  }
  // Arcs that meet share their end to the last bit.
  for (std::size_t i = 0; i < edges.size(); ++i) edges[(i + 1) % edges.size()].from = edges[i].to;
  return edges;
}

std::vector<OutlineEdge> sphere_outline(double radius, double inner) {
  const Point2 o{0, 0};
  std::vector<OutlineEdge> edges{{{0, -radius}, {radius, 0}, true, o}, {{radius, 0}, {0, radius}, true, o}};
  if (inner <= 0) {
    edges.push_back({{0, radius}, {0, -radius}, false, o});
    return edges;
  }
  edges.push_back({{0, radius}, {0, inner}, false, o});
  edges.push_back({{0, inner}, {inner, 0}, true, o});
  edges.push_back({{inner, 0}, {0, -inner}, true, o});
  edges.push_back({{0, -inner}, {0, -radius}, false, o});
  return edges;
}

std::vector<OutlineEdge> ring_outline(double ring, double tube) {
  const Point2 c{ring, 0}, e{ring + tube, 0}, n{ring, tube}, w{ring - tube, 0}, s{ring, -tube};
  return {{e, n, true, c}, {n, w, true, c}, {w, s, true, c}, {s, e, true, c}};
}

Vec3 turned(const Vec3& v, const Vec3& axis, double angle) {
  const double c = std::cos(angle), s = std::sin(angle);
  return c * v + s * cross(axis, v) + ((1 - c) * dot(axis, v)) * axis;
}

/// Thickness of the thinnest straight piece of a polygon and its extents along both axes.
Extent extent_of(const std::vector<Point2>& corners, double across_factor) {
  Point2 low = corners[0], high = corners[0];
  for (const auto& c : corners)
    for (int k = 0; k < 2; ++k) {
      low[k] = std::min(low[k], c[k]);
      high[k] = std::max(high[k], c[k]);
    }
  const double wide =
      (low[0] == 0 || across_factor == 1) ? across_factor * (high[0] - low[0]) : high[0] - low[0];
  return {std::min(wide, high[1] - low[1]),
          std::max(across_factor == 1 ? wide : across_factor * high[0], high[1] - low[1])};
}

}  // namespace

std::vector<Point2> without_repeats(std::vector<Point2> corners) {
  corners.erase(std::unique(corners.begin(), corners.end()), corners.end());
  while (corners.size() > 1 && corners.back() == corners.front()) corners.pop_back();
  return corners;
}

bool is_revolved(const Part& p) { return p.shape != "box" && p.shape != "extrusion"; }

std::vector<OutlineEdge> outline(const Part& p) {
  if (p.shape == "box") return {};
  if (p.shape == "sphere") return sphere_outline(p.radius, p.inner_radius);
  if (p.shape == "torus") return ring_outline(p.radius, p.top_radius);
  return rounded(corners_of(p), p.fillet, is_revolved(p));
}

Vec3 Frame::place(const Vec3& v) const {
  return origin + v[0] * column[0] + v[1] * column[1] + v[2] * column[2];
}

Vec3 Frame::local(const Vec3& v) const {
  const Vec3 d = v - origin;
  return {dot(d, column[0]), dot(d, column[1]), dot(d, column[2])};
}

std::pair<Vec3, double> tilt(const Part& p) {
  if (p.shape == "box" || p.shape == "sphere") return {{1, 0, 0}, 0};
  const Vec3 a = (1 / norm(p.axis)) * p.axis;
  const Vec3 about = cross({0, 0, 1}, a);
  const double s = norm(about);
  if (s < 1e-12) return {{1, 0, 0}, a[2] > 0 ? 0 : pi};
  return {(1 / s) * about, std::atan2(s, a[2])};
}

Frame frame_of(const Part& p, int copy) {
  Frame frame;
  const auto [about, angle] = tilt(p);
  if (angle != 0)
    for (auto& c : frame.column) c = turned(c, about, angle);
  frame.origin = p.center;
  if (copy == 0) return frame;
  if (p.turn != 0) {
    const double turn = copy * p.turn * degree;
    for (auto& c : frame.column) c = turned(c, {0, 0, 1}, turn);
    frame.origin = turned(frame.origin, {0, 0, 1}, turn);
  }
  frame.origin = frame.origin + double(copy) * p.shift;
  return frame;
}

std::string describe(const Geometry& g, std::size_t part) {
  return fmt::format("part {} ('{}', {})", part + 1, g.parts[part].region, g.parts[part].shape);
}

Extent extent(const Part& p) {
  if (p.shape == "box")
    return {*std::min_element(p.size.begin(), p.size.end()), *std::max_element(p.size.begin(), p.size.end())};
  if (p.shape == "sphere")
    return {p.inner_radius > 0 ? p.radius - p.inner_radius : 2 * p.radius, 2 * p.radius};
  if (p.shape == "torus") return {2 * p.top_radius, 2 * (p.radius + p.top_radius)};
  if (p.shape == "sheds") {
    const double tip = p.shed_tip > 0 ? p.shed_tip : p.shed_thickness / 2;
    return {std::min({tip, p.shed_thickness, p.radius - p.inner_radius}),
            std::max(p.height, 2 * std::max(p.shed_radius, p.shed_radius_small))};
  }
  if (p.shape == "extrusion") {
    const Extent flat = extent_of(p.profile, 1);
    return {std::min(flat.smallest, p.height), std::max(flat.largest, p.height)};
  }
  return extent_of(corners_of(p), 2);
}

std::optional<double> curved_radius(const Part& p) {
  if (p.shape == "torus") return p.top_radius;
  if (p.shape == "sphere" || p.shape == "cylinder" || p.shape == "sheds") return p.radius;
  if (p.shape == "cone") return std::max(p.radius, p.top_radius);
  if (p.shape != "revolution") return std::nullopt;
  double widest = 0;
  for (const auto& c : p.profile) widest = std::max(widest, c[0]);
  return widest;
}

}  // namespace umov::mesh
