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
  Prism(const Frame& frame, const Outline& outline, double height, const Taper& taper = {})
      : frame_(frame), edges_(outline), half_(height / 2), taper_(taper) {}

  Probe probe(const Vec3& p) const override {
    const Vec3 q = frame_.local(p);
    const double end = std::fabs(q[2]) - half_;
    const double tie = tie_of(q, p);
    const Point2 foot{q[0], q[1]};
    const Probe cap = face(q[2] < 0 ? 0 : 1, p);
    if (leans()) {
      const auto hit = edges_.nearest(foot, tie);
      const Probe side = leaning({hit->distance, normal(*hit)}, q[2]);
      return end > side.distance + tie ? cap : side;
    }
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
    const double wider = leans() ? std::max(-inward(-half_), -inward(half_)) : 0;
    return frame_.bounds({low[0] - wider, low[1] - wider, -half_}, {high[0] + wider, high[1] + wider, half_});
  }
  /// The ends, then the sides in the outline's order.
  std::vector<int> faces(const Vec3& p, double within) const override {
    const Vec3 q = frame_.local(p);
    std::vector<int> found;
    for (int f = 0; f < 2; ++f)
      if (std::fabs(face(f, p).distance) <= within) found.push_back(f);
    if (!leans()) {
      for (const int edge : edges_.near({q[0], q[1]}, within)) found.push_back(2 + edge);
      return found;
    }
    const double reach = within * std::hypot(1, taper_.slope) + std::fabs(inward(q[2]));
    for (const int edge : edges_.near({q[0], q[1]}, reach))
      if (std::fabs(face(2 + edge, p).distance) <= within) found.push_back(2 + edge);
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
    if (leans()) return leaning({distance, {outward[0], outward[1], 0}}, q[2]);
    return {distance, frame_.world({outward[0], outward[1], 0})};
  }
  bool flat(int f) const override { return f > whole; }

 private:
  static constexpr int most_sides = 4;
  int curve_of(int f) const { return f < 2 ? f : whole - 1 - edges_.curve_of(f - 2); }

  bool leans() const { return taper_.slope != 0; }
  /// How far inside of the outline the side is at a height.
  double inward(double z) const { return taper_.slope * (z - taper_.drawn_at); }
  /// A side of the outline, by its distance and its normal in the frame, as it leans. Where the outline is a
  /// corner to walk around, so are the sides: what is at the same distance from the outline.
  Probe leaning(const Probe& side, double z) const {
    const double shorter = 1 / std::hypot(1, taper_.slope);
    const Vec3 n{side.gradient[0], side.gradient[1], taper_.slope};
    return {shorter * (side.distance + inward(z)), frame_.world(shorter * n)};
  }

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
  Taper taper_;
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

std::unique_ptr<Body> prism_over(const Frame& frame, const Outline& outline, double height,
                                 const Taper& taper) {
  if (outline.empty()) throw BadInput("its outline is empty (nothing is bounded); give one with an area");
  if (!(height > 0))
    throw BadInput("its height is not positive (nothing is between the ends); set a positive height");
  return std::make_unique<Prism>(frame, outline, height, taper);
}

}  // namespace umov::shapes
