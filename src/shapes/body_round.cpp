// Cylinders and rings: what turns about an axis and has flat ends.
#include "core/error.hpp"
#include "core/text.hpp"
#include "shapes/body.hpp"

namespace umov::shapes {
namespace {

/// Between two coaxial cylinders (the inner one may have no radius) and two planes.
class Annulus final : public Body {
 public:
  Annulus(const Frame& frame, double inner, double outer, double height)
      : frame_(frame), inner_(inner), outer_(outer), half_(height / 2) {}

  Probe probe(const Vec3& p) const override {
    const Vec3 q = frame_.local(p);
    const double tie = tie_of(q, p);
    Probe side = around(q, outer_);
    if (inner_ > 0 && inner_ - std::hypot(q[0], q[1]) > side.distance + tie) side = hole(q);
    const Probe end = face(q[2] < 0 ? 0 : 1, p);
    if (end.distance > tie && side.distance > tie) return beyond_edge(side, end);
    return end.distance > side.distance + tie ? end : side;
  }
  Bounds bounds() const override {
    return frame_.bounds({-outer_, -outer_, -half_}, {outer_, outer_, half_});
  }
  /// The ends, the outer side and the inner.
  std::vector<int> faces(const Vec3& p, double within) const override {
    std::vector<int> found;
    for (int f = 0; f < (inner_ > 0 ? 4 : 3); ++f)
      if (std::fabs(face(f, p).distance) <= within) found.push_back(f);
    return found;
  }
  Probe face(int f, const Vec3& p) const override {
    const Vec3 q = frame_.local(p);
    if (f >= 2) return f == 2 ? around(q, outer_) : hole(q);
    const double sign = f == 1 ? 1 : -1;
    return {sign * q[2] - half_, sign * frame_.axes[2]};
  }
  bool flat(int f) const override { return f < 2; }

 private:
  Probe around(const Vec3& q, double radius) const {
    const double r = std::hypot(q[0], q[1]);
    return {r - radius, r > 0 ? frame_.world({q[0] / r, q[1] / r, 0}) : Vec3{0, 0, 0}};
  }
  Probe hole(const Vec3& q) const {
    const Probe at = around(q, inner_);
    return {-at.distance, -1.0 * at.gradient};
  }

  Frame frame_;
  double inner_, outer_, half_;
};

void require(double value, const std::string& what) {
  if (!(value > 0))
    throw BadInput("its " + what + " is " + shortest(value) +
                   " (it must be positive); set a positive length");
}

}  // namespace

std::unique_ptr<Body> cylinder(const Frame& frame, double radius, double height) {
  require(radius, "radius");
  require(height, "height");
  return std::make_unique<Annulus>(frame, 0, radius, height);
}

std::unique_ptr<Body> ring(const Frame& frame, double inner_radius, double outer_radius, double height) {
  require(inner_radius, "inner_radius");
  require(outer_radius, "radius");
  require(height, "height");
  if (inner_radius >= outer_radius)
    throw BadInput("its inner_radius " + shortest(inner_radius) + " is not below its radius " +
                   shortest(outer_radius) + " (nothing lies between); exchange them");
  return std::make_unique<Annulus>(frame, inner_radius, outer_radius, height);
}

}  // namespace umov::shapes
