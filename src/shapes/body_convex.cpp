// Boxes, spheres and ellipsoids.
#include <algorithm>

#include "core/error.hpp"
#include "core/text.hpp"
#include "shapes/body.hpp"

namespace umov::shapes {
namespace {

void require_extents(const Vec3& size) {
  for (int a = 0; a < 3; ++a)
    if (!(size[a] > 0))
      throw BadInput("its size along " + std::string(1, "xyz"[a]) + " is " + shortest(size[a]) +
                     " (a body needs a positive extent); give a positive length, or leave it out for a body "
                     "that runs through the domain");
}

class Box final : public Body {
 public:
  Box(const Frame& frame, const Vec3& size) : frame_(frame), half_(0.5 * size) {}

  Probe probe(const Vec3& p) const override {
    const Vec3 q = frame_.local(p);
    const double tie = tie_of(q, p);
    int nearest = 0;
    Probe beyond;
    for (int a = 0; a < 3; ++a) {
      if (over(q, a) > over(q, nearest) + tie) nearest = a;
      if (over(q, a) <= tie) continue;
      const Probe side{over(q, a), outward(q, a)};
      beyond = beyond.distance == unbounded ? side : beyond_edge(beyond, side);
    }
    return over(q, nearest) > tie ? beyond : Probe{over(q, nearest), outward(q, nearest)};
  }
  Bounds bounds() const override { return frame_.bounds(-1.0 * half_, half_); }
  std::vector<int> faces(const Vec3& p, double within) const override {
    std::vector<int> found;
    for (int f = 0; f < 6; ++f)
      if (std::fabs(face(f, p).distance) <= within) found.push_back(f);
    return found;
  }
  Probe face(int f, const Vec3& p) const override {
    const double sign = f % 2 ? 1 : -1;
    return {sign * frame_.local(p)[f / 2] - half_[f / 2], sign * frame_.axes[f / 2]};
  }
  bool flat(int) const override { return true; }

 private:
  /// How far a point in the body's frame is outside its two faces across an axis.
  double over(const Vec3& q, int axis) const { return std::fabs(q[axis]) - half_[axis]; }
  Vec3 outward(const Vec3& q, int axis) const { return (q[axis] < 0 ? -1.0 : 1.0) * frame_.axes[axis]; }

  Frame frame_;
  Vec3 half_;
};

/// The distance is (|q| - 1) min(a), q = coordinates over semi-axes: |q| changes by at most 1 / min(a) per
/// length.
class Ellipsoid final : public Body {
 public:
  Ellipsoid(const Frame& frame, const Vec3& size)
      : frame_(frame), half_(0.5 * size), least_(std::min({half_[0], half_[1], half_[2]})) {}

  Probe probe(const Vec3& p) const override {
    const Vec3 r = frame_.local(p);
    const Vec3 q{r[0] / half_[0], r[1] / half_[1], r[2] / half_[2]};
    const double f = norm(q);
    if (f == 0) return {-least_, {0, 0, 0}};
    const double s = least_ / f;
    return {least_ * (f - 1), frame_.world({s * q[0] / half_[0], s * q[1] / half_[1], s * q[2] / half_[2]})};
  }
  Bounds bounds() const override {
    Bounds b;
    for (int i = 0; i < 3; ++i) {
      double reach = 0;
      for (int a = 0; a < 3; ++a) reach += std::pow(half_[a] * frame_.axes[a][i], 2);
      b.low[i] = frame_.center[i] - std::sqrt(reach);
      b.high[i] = frame_.center[i] + std::sqrt(reach);
    }
    return b;
  }

 private:
  Frame frame_;
  Vec3 half_;
  double least_;
};

}  // namespace

std::unique_ptr<Body> box(const Frame& frame, const Vec3& size) {
  require_extents(size);
  return std::make_unique<Box>(frame, size);
}

std::unique_ptr<Body> ellipsoid(const Frame& frame, const Vec3& size) {
  require_extents(size);
  return std::make_unique<Ellipsoid>(frame, size);
}

std::unique_ptr<Body> sphere(const Vec3& center, double radius) {
  if (!(radius > 0))
    throw BadInput("its radius is " + shortest(radius) + " (a sphere needs a positive one); set radius");
  Frame frame;
  frame.center = center;
  return std::make_unique<Ellipsoid>(frame, Vec3{2 * radius, 2 * radius, 2 * radius});
}

}  // namespace umov::shapes
