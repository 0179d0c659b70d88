// Bodies in space: for every point how far the surface is and which way it faces.
#pragma once

#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "core/types.hpp"
#include "shapes/outline.hpp"

namespace umov::shapes {

/// Stands for "without end" where a body runs through the whole domain; finite, so that differences are.
inline constexpr double unbounded = 1e30;

struct Bounds {
  Vec3 low{-unbounded, -unbounded, -unbounded}, high{unbounded, unbounded, unbounded};
};

/// What a body says at a point.
struct Probe {
  double distance = unbounded;  ///< negative inside, zero on the surface
  Vec3 gradient{0, 0, 0};       ///< of the distance; outward, not always of unit length
};

/// Of pieces of surface equally near the first counts, so that rounding tells neither mirror images apart nor
/// places a whole number of cells away: how much nearer the other has to be at a point this far from the
/// body's centre and from 0, whose rounding its coordinates have.
inline double tie_of(const Vec3& local, const Vec3& point) {
  constexpr double rounding = 1e-12;
  const auto size = [](const Vec3& v) { return std::fabs(v[0]) + std::fabs(v[1]) + std::fabs(v[2]); };
  return rounding * (size(local) + size(point));
}

/// Beyond an edge where two surfaces at right angles meet, both of which leave a point outside: its distance
/// is that of the edge.
inline Probe beyond_edge(const Probe& one, const Probe& other) {
  const double d = std::hypot(one.distance, other.distance);
  return {d, (one.distance / d) * one.gradient + (other.distance / d) * other.gradient};
}

/// A region of space. Lengths are the caller's.
class Body {
 public:
  virtual ~Body() = default;
  /// `distance` is never more than the true distance to the surface and changes by at most the distance
  /// moved, so a ball smaller than |distance| around the point holds no surface. Near a smooth piece of
  /// surface it is zero where the surface is and its gradient is the outward normal up to length.
  virtual Probe probe(const Vec3&) const = 0;
  virtual Bounds bounds() const = 0;
  /// Its surface in smooth faces, each continued beyond its edges: numbers of those that come within a
  /// distance of a point (perhaps of some more). A body with a face that is not flat is what all of them have
  /// inside. `whole` stands for the surface as `probe` sees it.
  virtual std::vector<int> faces(const Vec3&, double) const { return {whole}; }
  /// The same with many at small angles to each other, as of a polygon that stands for a circle, as one that
  /// is not flat; there they are not what all have inside.
  virtual std::vector<int> smooth_faces(const Vec3& p, double within) const { return faces(p, within); }
  virtual Probe face(int, const Vec3& p) const { return probe(p); }
  virtual bool flat(int) const { return false; }
  static constexpr int whole = -1;
  bool inside(const Vec3& p) const { return probe(p).distance < 0; }
};

/// A right-handed frame: `axes` are the unit vectors of the body's own x, y and z.
struct Frame {
  Vec3 center{0, 0, 0};
  std::array<Vec3, 3> axes{Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}};

  Vec3 local(const Vec3& p) const {
    const Vec3 r = p - center;
    return {dot(r, axes[0]), dot(r, axes[1]), dot(r, axes[2])};
  }
  Vec3 world(const Vec3& v) const { return v[0] * axes[0] + v[1] * axes[1] + v[2] * axes[2]; }
  /// The box around a local box of these corners.
  Bounds bounds(const Vec3& low, const Vec3& high) const;
};

/// Turns the coordinate axes by an angle (degrees) about `axis`.
Frame turned(const Vec3& center, const Vec3& axis, double degrees);
/// The body's z lies along `axis`, by the shortest turn from z; then turned about it (degrees).
Frame along(const Vec3& center, const Vec3& axis, double degrees);

/// Bodies. Extents must be positive; heights may be `unbounded`. Each throws BadInput otherwise; the message
/// says what is wrong, the caller adds whose it is.
std::unique_ptr<Body> box(const Frame&, const Vec3& size);
std::unique_ptr<Body> ellipsoid(const Frame&, const Vec3& size);
std::unique_ptr<Body> sphere(const Vec3& center, double radius);
std::unique_ptr<Body> cylinder(const Frame&, double radius, double height);
std::unique_ptr<Body> ring(const Frame&, double inner_radius, double outer_radius, double height);
/// A polygon in the frame's xy plane (at least three vertices, either orientation; outline.hpp says which),
/// from -height/2 to height/2.
std::unique_ptr<Body> prism(const Frame&, const std::vector<Vec3>& vertices, double height);

/// Sides that lean: at the height `drawn_at` above the middle they stand on the outline, and higher up by one
/// they are inward of it by `slope`.
struct Taper {
  double slope = 0, drawn_at = 0;
};
/// The same over all that loops bound, which do not cross and have the area to their left.
std::unique_ptr<Body> prism_over(const Frame&, const Outline&, double height, const Taper& = {});

}  // namespace umov::shapes
