// Distances to parts, and the sizes that follow from them.
#include "mesh/size_field.hpp"

#include <algorithm>
#include <limits>

namespace umov::mesh {

namespace {

constexpr std::size_t pieces_per_box = 8;
constexpr double default_growth = 0.35, default_curvature = 12;

double distance_to(const Point2& a, const Point2& b, const Point2& p) {
  const double ux = b[0] - a[0], uy = b[1] - a[1], vx = p[0] - a[0], vy = p[1] - a[1];
  const double t = std::clamp((ux * vx + uy * vy) / (ux * ux + uy * uy), 0.0, 1.0);
  return std::hypot(vx - t * ux, vy - t * uy);
}

/// Points along an arc, every 11 degrees or closer, from `from` (left out) to `to`.
std::vector<Point2> arc_points(const OutlineEdge& e) {
  const double radius = std::hypot(e.from[0] - e.center[0], e.from[1] - e.center[1]);
  const double start = std::atan2(e.from[1] - e.center[1], e.from[0] - e.center[0]);
  double sweep = std::atan2(e.to[1] - e.center[1], e.to[0] - e.center[0]) - start;
  if (sweep > pi) sweep -= 2 * pi;
  if (sweep < -pi) sweep += 2 * pi;
  const int n = std::max(1, int(std::ceil(std::abs(sweep) / (11 * degree))));
  std::vector<Point2> points;
  for (int i = 1; i < n; ++i) {
    const double angle = start + sweep * i / n;
    points.push_back({e.center[0] + radius * std::cos(angle), e.center[1] + radius * std::sin(angle)});
  }
  points.push_back(e.to);
  return points;
}

/// How far outside of [low, high] a point is, in the given directions.
template <std::size_t N>
double outside(const std::array<double, N>& low, const std::array<double, N>& high,
               const std::array<double, N>& p) {
  double sum = 0;
  for (std::size_t k = 0; k < N; ++k) {
    const double d = std::max({low[k] - p[k], p[k] - high[k], 0.0});
    sum += d * d;
  }
  return std::sqrt(sum);
}

}  // namespace

OutlineDistance::OutlineDistance(const std::vector<OutlineEdge>& edges, bool arcs_only) {
  for (const auto& e : edges) {
    if (!e.arc) {
      if (!arcs_only) pieces_.push_back({e.from, e.to});
      continue;
    }
    const double radius = std::hypot(e.from[0] - e.center[0], e.from[1] - e.center[1]);
    if (smallest_arc_ == 0 || radius < smallest_arc_) smallest_arc_ = radius;
    Point2 last = e.from;
    for (const auto& p : arc_points(e)) {
      pieces_.push_back({last, p});
      last = p;
    }
  }
  for (std::size_t first = 0; first < pieces_.size(); first += pieces_per_box) {
    Box box{pieces_[first].a, pieces_[first].a, first, std::min(first + pieces_per_box, pieces_.size())};
    for (std::size_t i = first; i < box.last; ++i)
      for (const auto& p : {pieces_[i].a, pieces_[i].b})
        for (int k = 0; k < 2; ++k) {
          box.low[k] = std::min(box.low[k], p[k]);
          box.high[k] = std::max(box.high[k], p[k]);
        }
    boxes_.push_back(box);
  }
}

double OutlineDistance::operator()(const Point2& p, double limit, bool solid) const {
  if (solid) {
    bool inside = false;
    for (const auto& box : boxes_) {
      if (p[1] < box.low[1] || p[1] > box.high[1] || p[0] > box.high[0]) continue;
      for (std::size_t i = box.first; i < box.last; ++i) {
        const auto& [a, b] = pieces_[i];
        if ((a[1] > p[1]) != (b[1] > p[1]) && p[0] < a[0] + (p[1] - a[1]) / (b[1] - a[1]) * (b[0] - a[0]))
          inside = !inside;
      }
    }
    if (inside) return 0;
  }
  double best = limit * 2;
  for (const auto& box : boxes_) {
    if (outside(box.low, box.high, p) >= best) continue;
    for (std::size_t i = box.first; i < box.last; ++i)
      best = std::min(best, distance_to(pieces_[i].a, pieces_[i].b, p));
  }
  return best;
}

SizeField::SizeField(const Geometry& g) : geometry_(g) {
  growth_ = g.growth > 0 ? g.growth : default_growth;
  const double curvature = g.curvature > 0 ? g.curvature : default_curvature;
  for (std::size_t i = 0; i < geometry_.parts.size(); ++i) {
    const Part& p = geometry_.parts[i];
    double size = std::min(g.mesh_size, p.mesh_size > 0 ? p.mesh_size : 2 * extent(p).smallest);
    if (const auto radius = curved_radius(p)) size = std::min(size, 2 * pi * *radius / curvature);
    // Beside elements that are long along the axis, those of the mean length fit best.
    size *= std::sqrt(std::max(1.0, p.stretch));
    sizes_.push_back(size);
    const auto edges = outline(p);
    Shape shape{&p,
                OutlineDistance(edges),
                OutlineDistance(p.fillet > 0 ? edges : std::vector<OutlineEdge>{}, true),
                size,
                size,
                {},
                {}};
    if (!shape.arcs.empty()) shape.arc_size = std::min(size, 2 * pi * shape.arcs.smallest_arc() / curvature);
    if (edges.empty()) {
      for (int k = 0; k < 3; ++k) shape.high[k] = p.size[k] / 2;
      shape.low = -1.0 * shape.high;
    } else {
      Point2 low = edges[0].from, high = edges[0].from;
      for (const auto& e : edges)
        for (int k = 0; k < 2; ++k) {
          low[k] = std::min(low[k], e.from[k]);
          high[k] = std::max(high[k], e.from[k]);
        }
      if (is_revolved(p)) {
        shape.low = {-high[0], -high[0], low[1]};
        shape.high = {high[0], high[0], high[1]};
      } else {
        shape.low = {low[0], low[1], -p.height / 2};
        shape.high = {high[0], high[1], p.height / 2};
      }
    }
    shapes_.push_back(std::move(shape));
    for (int copy = 0; copy < p.copies; ++copy) solids_.push_back({frame_of(p, copy), i});
  }
}

double SizeField::distance(const Shape& s, const Vec3& x, double limit) const {
  if (s.part->shape == "box") return outside(s.low, s.high, x);
  if (s.part->shape == "extrusion") {
    const double above = std::max(std::abs(x[2]) - s.part->height / 2, 0.0);
    return std::hypot(s.outline({x[0], x[1]}, limit, true), above);
  }
  const double r = std::hypot(x[0], x[1]);
  if (s.part->angle < 360) {
    // Past the sector's end: the way into its end plane, and along that to the outline.
    double past = std::fmod(std::atan2(x[1], x[0]) / degree - s.part->start, 360);
    if (past < 0) past += 360;
    if (past > s.part->angle) {
      const double turn = std::min(past - s.part->angle, 360 - past) * degree;
      return std::hypot(s.outline({r * std::cos(turn), x[2]}, limit, true), r * std::sin(turn));
    }
  }
  return s.outline({r, x[2]}, limit, true);
}

double SizeField::arc_distance(const Shape& s, const Vec3& x, double limit) const {
  const bool flat = s.part->shape == "extrusion";
  const Point2 p = flat ? Point2{x[0], x[1]} : Point2{std::hypot(x[0], x[1]), x[2]};
  const double above = flat ? std::max(std::abs(x[2]) - s.part->height / 2, 0.0) : 0;
  return std::hypot(s.arcs(p, limit, false), above);
}

double SizeField::operator()(const Vec3& x) const {
  double best = geometry_.mesh_size;
  for (const auto& solid : solids_) {
    const Shape& s = shapes_[solid.shape];
    if (s.arc_size >= best) continue;
    const Vec3 local = solid.frame.local(x);
    const double near = outside(s.low, s.high, local);
    if (s.arc_size + growth_ * near >= best) continue;
    const double limit = (best - s.arc_size) / growth_;
    if (s.size + growth_ * near < best) best = std::min(best, s.size + growth_ * distance(s, local, limit));
    if (s.arc_size < s.size) best = std::min(best, s.arc_size + growth_ * arc_distance(s, local, limit));
  }
  return best;
}

}  // namespace umov::mesh
