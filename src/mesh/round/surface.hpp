// Surfaces that parts have in closed form: planes, cylinders, cones, spheres and tori.
#pragma once

#include <vector>

#include "mesh/geometry.hpp"
#include "mesh/part_shape.hpp"

namespace umov::mesh {

/// A line or a circle in the half plane (r, z), turned about an axis; both without ends.
struct RoundSurface {
  Vec3 origin{0, 0, 0}, axis{0, 0, 1};
  bool arc = false;
  Point2 at{0, 0};     ///< a point of the line, the centre of the circle
  Point2 along{1, 0};  ///< of the line, a unit vector
  double radius = 0;   ///< of the circle

  bool flat() const { return !arc && std::abs(along[1]) < 1e-9; }
  /// Its nearest point; on the axis, any of the nearest.
  Vec3 closest(const Vec3&) const;
  /// Halfway around the axis between two points of one circle about it.
  Vec3 between(const Vec3&, const Vec3&) const;
  /// A unit normal at the nearest point.
  Vec3 normal(const Vec3&) const;
};

RoundSurface plane(const Vec3& through, const Vec3& normal);
/// Radius 0 and more.
RoundSurface cylinder(const Vec3& origin, const Vec3& axis, double radius);
RoundSurface sphere(const Vec3& center, double radius);

/// All surfaces that the mesh of a geometry may have: of every copy of its parts, its layers, its domain.
/// Parts have them whole, whatever others leave of them.
std::vector<RoundSurface> surfaces_of(const Geometry&);

}  // namespace umov::mesh
