// Prisms over any simple polygon.
#include <fmt/format.h>

#include <algorithm>

#include "core/error.hpp"
#include "shapes/body.hpp"

namespace umov::shapes {
namespace {

using Point2 = std::array<double, 2>;
double cross2(const Point2& o, const Point2& a, const Point2& b) {
  return (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0]);
}
double signed_area(const std::vector<Point2>& v) {
  double twice = 0;
  for (std::size_t i = 0; i < v.size(); ++i) twice += cross2(v[0], v[i], v[(i + 1) % v.size()]);
  return twice / 2;
}

/// Whether c, known to be on the line through a and b, lies between them.
bool between(const Point2& a, const Point2& b, const Point2& c) {
  return std::min(a[0], b[0]) <= c[0] && c[0] <= std::max(a[0], b[0]) && std::min(a[1], b[1]) <= c[1] &&
         c[1] <= std::max(a[1], b[1]);
}
bool intersect(const Point2& a, const Point2& b, const Point2& c, const Point2& d) {
  const double abc = cross2(a, b, c), abd = cross2(a, b, d), cda = cross2(c, d, a), cdb = cross2(c, d, b);
  if (((abc > 0 && abd < 0) || (abc < 0 && abd > 0)) && ((cda > 0 && cdb < 0) || (cda < 0 && cdb > 0)))
    return true;
  return (abc == 0 && between(a, b, c)) || (abd == 0 && between(a, b, d)) || (cda == 0 && between(c, d, a)) ||
         (cdb == 0 && between(c, d, b));
}

void require_simple(const std::vector<Point2>& v) {
  const std::size_t n = v.size();
  for (std::size_t i = 0; i < n; ++i) {
    if (v[i] == v[(i + 1) % n])
      throw BadInput(fmt::format("its vertices {} and {} are the same (an edge needs a length); remove one",
                                 i + 1, (i + 1) % n + 1));
    for (std::size_t j = i + 2; j < n; ++j)
      if ((j + 1) % n != i && intersect(v[i], v[i + 1], v[j], v[(j + 1) % n]))
        throw BadInput(
            fmt::format("its edges {} and {} cross (the inside of such a polygon is not defined); order "
                        "the vertices around the outline",
                        i + 1, j + 1));
  }
}

class Prism final : public Body {
 public:
  Prism(const Frame& frame, std::vector<Point2> v, double height)
      : frame_(frame), vertices_(std::move(v)), half_(height / 2) {}

  Probe probe(const Vec3& p) const override {
    const Vec3 q = frame_.local(p);
    const double end = std::fabs(q[2]) - half_;
    Vec3 normal;
    const double tie = tie_of(q, p), side = outline({q[0], q[1]}, tie, normal);
    if (end > side + tie) return {end, (q[2] < 0 ? -1.0 : 1.0) * frame_.axes[2]};
    return {side, frame_.world(normal)};
  }
  Bounds bounds() const override {
    Vec3 low{unbounded, unbounded, -half_}, high{-unbounded, -unbounded, half_};
    for (const auto& v : vertices_)
      for (int a = 0; a < 2; ++a) {
        low[a] = std::min(low[a], v[a]);
        high[a] = std::max(high[a], v[a]);
      }
    return frame_.bounds(low, high);
  }

 private:
  /// Signed distance to the outline (counter-clockwise) and the direction away from it.
  double outline(const Point2& q, double tie, Vec3& normal) const {
    double nearest = unbounded;
    bool inside = false;
    Point2 away{0, 0}, edge{1, 0};
    for (std::size_t i = 0, n = vertices_.size(); i < n; ++i) {
      const Point2 &a = vertices_[i], &b = vertices_[(i + 1) % n];
      const Point2 e{b[0] - a[0], b[1] - a[1]}, r{q[0] - a[0], q[1] - a[1]};
      if ((a[1] > q[1]) != (b[1] > q[1]) && r[0] < r[1] * e[0] / e[1]) inside = !inside;
      const double t = std::clamp((r[0] * e[0] + r[1] * e[1]) / (e[0] * e[0] + e[1] * e[1]), 0.0, 1.0);
      const Point2 d{r[0] - t * e[0], r[1] - t * e[1]};
      if (const double off = std::hypot(d[0], d[1]); off < nearest - tie) nearest = off, away = d, edge = e;
    }
    const double d = nearest, sign = inside ? -1 : 1, length = std::hypot(edge[0], edge[1]);
    // On the outline the difference has no direction; the edge still does.
    if (d > 1e-9 * length)
      normal = {sign * away[0] / d, sign * away[1] / d, 0};
    else
      normal = {edge[1] / length, -edge[0] / length, 0};
    return sign * d;
  }

  Frame frame_;
  std::vector<Point2> vertices_;
  double half_;
};

}  // namespace

std::unique_ptr<Body> prism(const Frame& frame, const std::vector<Vec3>& vertices, double height) {
  if (vertices.size() < 3)
    throw BadInput(fmt::format("it has {} vertices (a polygon needs three); list the corners of its base",
                               vertices.size()));
  if (!(height > 0))
    throw BadInput("its height is not positive (nothing is between the ends); set a positive height");
  std::vector<Point2> v;
  for (const auto& p : vertices) v.push_back({p[0], p[1]});
  require_simple(v);
  const double area = signed_area(v);
  if (area == 0) throw BadInput("its vertices lie on a line (the polygon has no area); move one of them");
  if (area < 0) std::reverse(v.begin(), v.end());
  return std::make_unique<Prism>(frame, std::move(v), height);
}

}  // namespace umov::shapes
