// Images of bodies: which periods they are in, and bodies moved there.
#include "fdtd/model/images.hpp"

#include <fmt/format.h>

#include <cmath>

#include "core/error.hpp"
#include "fdtd/model/bodies.hpp"

namespace umov::fdtd {
namespace {

using shapes::Body;

/// Cells beyond an end that are looked at: half a cell around ghosts, and steps through thin conductors.
constexpr double cells_beyond = 4;
constexpr long most_images = 10000;

/// A body somewhere else.
class Moved final : public Body {
 public:
  Moved(std::shared_ptr<const Body> body, const Vec3& by) : body_(std::move(body)), by_(by) {}
  shapes::Probe probe(const Vec3& p) const override { return body_->probe(p - by_); }
  shapes::Bounds bounds() const override {
    auto b = body_->bounds();
    b.low = b.low + by_, b.high = b.high + by_;
    return b;
  }
  std::vector<int> faces(const Vec3& p, double within) const override {
    return body_->faces(p - by_, within);
  }
  std::vector<int> smooth_faces(const Vec3& p, double within) const override {
    return body_->smooth_faces(p - by_, within);
  }
  shapes::Probe face(int f, const Vec3& p) const override { return body_->face(f, p - by_); }
  bool flat(int f) const override { return body_->flat(f); }

 private:
  std::shared_ptr<const Body> body_;
  Vec3 by_;
};

bool along_axes(const Vec3& v) {
  int large = 0;
  for (const double x : v) large += std::fabs(x) > 1e-9;
  return large == 1;
}

/// Whether the body's extent along an axis is its own, not that of a body turned away from it.
bool straight(const ShapeSpec& spec, int axis) {
  if (spec.shape == "box" || spec.shape == "ellipsoid") {
    const auto frame = shapes::turned(spec.center, spec.axis, spec.rotation);
    return along_axes({frame.axes[0][axis], frame.axes[1][axis], frame.axes[2][axis]});
  }
  if (spec.shape != "cylinder" && spec.shape != "ring" && spec.shape != "prism") return false;
  const Vec3 z = shapes::along(spec.center, spec.axis, spec.rotation).axes[2];
  return along_axes(z) && std::fabs(z[axis]) > 0.5;
}

bool endless(const shapes::Bounds& b, int axis) {
  return b.low[axis] < -shapes::unbounded / 100 || b.high[axis] > shapes::unbounded / 100;
}

/// Whether the body is the same all along the axis, as far as anybody looks.
bool runs_through(const shapes::Bounds& b, const ShapeSpec& spec, const Extent& e, int axis) {
  const double reach = cells_beyond * e.dx;
  return straight(spec, axis) && (endless(b, axis) || spec.shape != "ellipsoid") &&
         b.low[axis] < e.low[axis] - reach && b.high[axis] > e.high[axis] + reach;
}

}  // namespace

std::vector<std::unique_ptr<Body>> with_images(std::unique_ptr<Body> body, const ShapeSpec& spec,
                                               const Extent& e) {
  const auto bounds = body->bounds();
  std::array<long, 3> first{0, 0, 0}, last{0, 0, 0};
  Vec3 period{0, 0, 0};
  double count = 1;
  for (int a = 0; a < dimensions(e.mode); ++a) {
    if (!e.periodic[a] || endless(bounds, a) || runs_through(bounds, spec, e, a)) continue;
    period[a] = e.high[a] - e.low[a];
    const double from = std::ceil((e.low[a] - cells_beyond * e.dx - bounds.high[a]) / period[a]);
    const double to = std::floor((e.high[a] + cells_beyond * e.dx - bounds.low[a]) / period[a]);
    if ((count *= to - from + 1) > most_images)
      throw BadInput(fmt::format(
          "it is {:.4g} periods of {:.4g} long along {} (each is computed){}; shorten it, "
          "or leave its extent out if it runs through",
          (bounds.high[a] - bounds.low[a]) / period[a], period[a], "xyz"[a],
          spec.shape == "mesh" ? likely_scale(spec, bounds.high[a] - bounds.low[a], period[a]) : ""));
    first[a] = std::lround(from), last[a] = std::lround(to);
  }
  std::vector<std::unique_ptr<Body>> all;
  const std::shared_ptr<const Body> shared = std::move(body);
  for (long k = first[2]; k <= last[2]; ++k)
    for (long j = first[1]; j <= last[1]; ++j)
      for (long i = first[0]; i <= last[0]; ++i)
        all.push_back(std::make_unique<Moved>(
            shared, Vec3{double(i) * period[0], double(j) * period[1], double(k) * period[2]}));
  return all;
}

std::vector<std::unique_ptr<Body>> make_images(const Simulation& s, const ShapeSpec& spec,
                                               const std::string& label, const Extent& extent) {
  auto pieces = make_pieces(s, spec, label);
  try {
    std::vector<std::unique_ptr<Body>> all;
    for (auto& piece : pieces)
      for (auto& image : with_images(std::move(piece), spec, extent)) all.push_back(std::move(image));
    return all;
  } catch (const BadInput& e) {
    throw BadInput(label + ": " + e.what());
  }
}

int slanted_axis(const Body& body, const ShapeSpec& spec, const Extent& e) {
  const auto bounds = body.bounds();
  for (int a = 0; a < dimensions(e.mode); ++a)
    if (e.periodic[a] && endless(bounds, a) && !straight(spec, a)) return a;
  return -1;
}

}  // namespace umov::fdtd
