// How long the edges of a mesh may be at a place: small in and on parts, growing with the distance from them.
#pragma once

#include <vector>

#include "mesh/part_shape.hpp"

namespace umov::mesh {

/// A closed outline as short straight pieces, in boxes of a few, for quick distances.
class OutlineDistance {
 public:
  explicit OutlineDistance(const std::vector<OutlineEdge>& edges, bool arcs_only = false);
  /// 0 inside when `solid`; m. Distances above `limit` may be returned as any value above it.
  double operator()(const Point2& p, double limit, bool solid) const;
  bool empty() const { return pieces_.empty(); }
  double smallest_arc() const { return smallest_arc_; }

 private:
  struct Piece {
    Point2 a, b;
  };
  struct Box {
    Point2 low, high;
    std::size_t first, last;
  };
  std::vector<Piece> pieces_;
  std::vector<Box> boxes_;
  double smallest_arc_ = 0;
};

/// size(x) = min(domain's, size of part + growth * distance to it) over the parts and their copies.
class SizeField {
 public:
  explicit SizeField(const Geometry&);
  SizeField(const SizeField&) = delete;
  SizeField& operator=(const SizeField&) = delete;
  double operator()(const Vec3& x) const;
  /// Size in and on a part.
  double of_part(std::size_t part) const { return sizes_[part]; }

 private:
  struct Solid {
    Frame frame;
    std::size_t shape;  ///< index into shapes_
  };
  struct Shape {
    const Part* part;
    OutlineDistance outline, arcs;
    double size, arc_size;
    Vec3 low, high;  ///< bounding box in the local frame
  };
  double distance(const Shape&, const Vec3& local, double limit) const;
  double arc_distance(const Shape&, const Vec3& local, double limit) const;

  Geometry geometry_;
  double growth_;
  std::vector<double> sizes_;
  std::vector<Shape> shapes_;
  std::vector<Solid> solids_;
};

}  // namespace umov::mesh
