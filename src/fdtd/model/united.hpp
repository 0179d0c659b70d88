// Bodies of one material that touch or overlap, seen as one: only what faces the rest is surface.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "fdtd/model/extent.hpp"
#include "shapes/body.hpp"

namespace umov::fdtd {

/// A piece of surface as seen from a point: how far it is, and its outward unit normal.
struct Facing {
  double distance = 0;
  Vec3 normal{0, 0, 0};
};

using BodyList = std::vector<const shapes::Body*>;

/// What a body says at a point of a grid that may lack axes.
shapes::Probe flat_probe(const shapes::Body&, const Vec3&, Mode);

/// The point of a body's surface next to a point, by Newton's steps down the distance, and its normal there;
/// none where the body has no direction.
struct Foot {
  Vec3 at, normal;
};
std::optional<Foot> foot_of(const shapes::Body&, const Vec3&, Mode);

/// The piece of surface of any of the bodies next to p that is `exposed` (point, outward normal), for where
/// the pieces nearest to p are not. It is looked for from places around p that are not `idle`; none within
/// `farthest_facing` cells.
std::optional<Facing> nearest_exposed(const BodyList&, const Vec3& p, const Extent&,
                                      const std::function<bool(const Vec3&)>& idle,
                                      const std::function<bool(const Vec3&, const Vec3&)>& exposed);
inline constexpr double farthest_facing = 2.5;

/// The union of bodies, near the box that it is asked for.
class United final : public shapes::Body {
 public:
  United(BodyList bodies, const Extent& extent) : bodies_(std::move(bodies)), extent_(extent) {}

  shapes::Probe probe(const Vec3&) const override;
  shapes::Bounds bounds() const override { return {}; }

 private:
  bool filled(const Vec3&) const;

  BodyList bodies_;
  const Extent& extent_;
};

}  // namespace umov::fdtd
