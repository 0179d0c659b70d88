// Prisms over the area of any polygon whose lines do not cross.
#include <fmt/format.h>

#include <algorithm>

#include "core/error.hpp"
#include "shapes/body.hpp"
#include "shapes/edge_tree.hpp"

namespace umov::shapes {
namespace {

class Prism final : public Body {
 public:
  Prism(const Frame& frame, const Outline& outline, double height)
      : frame_(frame), edges_(outline), half_(height / 2) {}

  Probe probe(const Vec3& p) const override {
    const Vec3 q = frame_.local(p);
    const double end = std::fabs(q[2]) - half_;
    const double tie = tie_of(q, p);
    const Point2 foot{q[0], q[1]};
    const Probe cap = face(q[2] < 0 ? 0 : 1, p);
    // only where an end is not nearer anyway the side's distance counts
    auto hit = edges_.nearest(foot, tie, std::fabs(end) + 2 * tie);
    if (!hit && edges_.inside(foot)) return cap;
    if (!hit) hit = edges_.nearest(foot, tie);
    const Probe side{hit->distance, frame_.world(normal(*hit))};
    if (end > tie && side.distance > tie) return beyond_edge(side, cap);
    return end > side.distance + tie ? cap : side;
  }
  Bounds bounds() const override {
    const Point2 low = edges_.low(), high = edges_.high();
    return frame_.bounds({low[0], low[1], -half_}, {high[0], high[1], half_});
  }
  /// The ends, then the sides in the outline's order.
  std::vector<int> faces(const Vec3& p, double within) const override {
    const Vec3 q = frame_.local(p);
    std::vector<int> found;
    for (int f = 0; f < 2; ++f)
      if (std::fabs(face(f, p).distance) <= within) found.push_back(f);
    for (const int edge : edges_.near({q[0], q[1]}, within)) found.push_back(2 + edge);
    return found;
  }
  /// Sides of one curve of the outline, where they are many, come as that: `whole` less its number and 1.
  std::vector<int> smooth_faces(const Vec3& p, double within) const override {
    const auto all = faces(p, within);
    std::vector<int> found;
    for (auto from = all.begin(), to = from; from != all.end(); from = to) {
      const int curve = curve_of(*from);
      to = std::find_if(from, all.end(), [&](int f) { return curve_of(f) != curve; });
      if (to - from > most_sides)
        found.push_back(curve);
      else
        found.insert(found.end(), from, to);
    }
    return found;
  }
  Probe face(int f, const Vec3& p) const override {
    const Vec3 q = frame_.local(p);
    const double sign = f == 1 ? 1 : -1;
    if (f == 0 || f == 1) return {sign * q[2] - half_, sign * frame_.axes[2]};
    const Point2 at{q[0], q[1]};
    const auto [distance, outward] =
        f < whole ? edges_.line_of_curve(whole - 1 - f, at) : edges_.line(f - 2, at);
    return {distance, frame_.world({outward[0], outward[1], 0})};
  }
  bool flat(int f) const override { return f > whole; }

 private:
  static constexpr int most_sides = 4;
  int curve_of(int f) const { return f < 2 ? f : whole - 1 - edges_.curve_of(f - 2); }

  /// On the outline the difference has no direction; the edge still does.
  static Vec3 normal(const EdgeTree::Hit& at) {
    const double length = std::hypot(at.edge[0], at.edge[1]);
    if (std::fabs(at.distance) > 1e-9 * length)
      return {at.away[0] / at.distance, at.away[1] / at.distance, 0};
    return {at.edge[1] / length, -at.edge[0] / length, 0};
  }

  Frame frame_;
  EdgeTree edges_;
  double half_;
};

}  // namespace

std::unique_ptr<Body> prism(const Frame& frame, const std::vector<Vec3>& vertices, double height) {
  if (vertices.size() < 3)
    throw BadInput(fmt::format("it has {} vertices (a polygon needs three); list the corners of its base",
                               vertices.size()));
  if (!(height > 0))
    throw BadInput("its height is not positive (nothing is between the ends); set a positive height");
  std::vector<Point2> corners;
  for (const auto& p : vertices) {
    if (!std::isfinite(p[0]) || !std::isfinite(p[1]))
      throw BadInput(
          fmt::format("its vertex {} is not finite (it came as nan or inf); correct it", corners.size() + 1));
    corners.push_back({p[0], p[1]});
  }
  return std::make_unique<Prism>(frame, outline_of(corners), height);
}

}  // namespace umov::shapes
