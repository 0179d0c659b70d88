// How much of a box lies below a plane, and on which side of a curved surface.
#pragma once

#include "shapes/body.hpp"

namespace umov::fdtd {

/// Fraction of the box of these edge lengths, centred at 0, where g . x < t. Edges may be zero.
double fraction_below(const Vec3& edges, const Vec3& g, double t);

/// A body's surface within a box, seen as the plane g . x = t around the centre (inside: g . x < t).
struct BoxCut {
  enum class Kind { outside, inside, plane, rough } kind = Kind::outside;
  Vec3 g{0, 0, 0};
  double t = 0;
  double off = 0;     ///< largest deviation from a plane at the box's corners, in its longest edge
  double turned = 1;  ///< least cosine between the normals there and at the centre
};

/// Classifies the box; `rough` where the surface is too far from a plane. The plane is shifted so that a
/// surface of constant curvature gives the right volume to second order of the box's edge.
BoxCut cut_box(const shapes::Body&, const Vec3& lo, const Vec3& hi);
/// Of a single face, continued beyond its edges and beyond the box.
BoxCut cut_face(const shapes::Body&, int face, const Vec3& lo, const Vec3& hi);

}  // namespace umov::fdtd
