// A box divided by planes into pieces that none of them crosses.
#pragma once

#include <functional>
#include <span>

#include "core/types.hpp"

namespace umov::fdtd {

/// g . x = t around the centre of a box.
struct Plane {
  Vec3 g{0, 0, 0};
  double t = 0;
};

/// Whether a plane runs through a box of these edges, not along its faces.
bool crosses(const Plane&, const Vec3& edges);

/// Calls for each piece of the box around 0 with a point within it and its fraction of the box. The edges may
/// be zero.
void divide(const Vec3& edges, std::span<const Plane>,
            const std::function<void(const Vec3& within, double fraction)>&);

}  // namespace umov::fdtd
