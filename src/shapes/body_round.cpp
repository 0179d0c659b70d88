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
    const double r = std::hypot(q[0], q[1]);
    const Vec3 radial = r > 0 ? (1 / r) * (q[0] * frame_.axes[0] + q[1] * frame_.axes[1]) : Vec3{0, 0, 0};
    Probe side{r - outer_, radial};
    const double tie = tie_of(q, p);
    if (inner_ > 0 && inner_ - r > side.distance + tie) side = {inner_ - r, -1.0 * radial};
    const double end = std::fabs(q[2]) - half_;
    if (end > side.distance + tie) return {end, (q[2] < 0 ? -1.0 : 1.0) * frame_.axes[2]};
    return side;
  }
  Bounds bounds() const override {
    return frame_.bounds({-outer_, -outer_, -half_}, {outer_, outer_, half_});
  }

 private:
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
