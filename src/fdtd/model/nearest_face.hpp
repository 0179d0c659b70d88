// The place next to a point where something is left of the surfaces of several bodies.
#pragma once

#include <functional>
#include <optional>
#include <span>

#include "fdtd/model/extent.hpp"
#include "shapes/body.hpp"

namespace umov::fdtd {

/// What a body says at a point of a grid that may lack axes.
shapes::Probe flat_probe(const shapes::Body&, const Vec3&, Mode);

/// A point of a surface and the unit normal there; at edges it is towards the point it was looked for from,
/// or away from it, outward.
struct Foot {
  Vec3 at{0, 0, 0}, normal{0, 0, 0};
};

/// The point of a body's surface next to a point, by Newton's steps down the distance; none where the body
/// has no direction.
std::optional<Foot> foot_of(const shapes::Body&, const Vec3&, const Extent&);

/// Whether something is left of surfaces at a point, which divide what is around it; a direction into each
/// of the parts.
using Exposed = std::function<bool(const Vec3& at, std::span<const Vec3> around)>;

/// The place next to p, within `reach`, that is exposed: of what a body turns to p, of its faces, or of edges
/// where faces of the bodies meet, whatever side of them p is on.
std::optional<Foot> nearest_exposed(std::span<const shapes::Body* const>, const Vec3& p, double reach,
                                    const Extent&, const Exposed&);

}  // namespace umov::fdtd
