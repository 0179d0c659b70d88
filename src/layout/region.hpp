// Areas of a plane: polygons however layout tools write them, merged, cut, grown and shrunk.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "layout/hierarchy.hpp"

namespace umov::layout {

/// Closed lines of corners, each joined to the next and the last to the first; the area is to the left of
/// every edge.
using Loops = std::vector<std::vector<Place>>;

/// What polygons cover, on a grid of 1/1024 of the database unit or, where the frame is too large for that,
/// as fine as fits; Booleans by Boost.Polygon, which keeps corners on the grid.
class Region {
 public:
  /// `frame`: all that will be asked about; what is beyond it is cut off, or ends not far outside of it.
  explicit Region(const Box& frame);
  ~Region();
  Region(Region&&) noexcept;
  Region& operator=(Region&&) noexcept;

  /// Adds what a line of corners runs around, once or more, in either sense. Corners may be repeated, and
  /// what is walked there and back encloses nothing: the seam of a keyhole.
  void add(std::span<const Place> corners);
  void unite(const Region&);
  /// A part of it, along the axes.
  Region within(const Box&) const;
  /// Its edges moved outward (by < 0: inward), corners as those of paths (stroke).
  void grow(double by);

  bool empty() const;
  double area() const;
  std::size_t polygons() const;  ///< each with its holes
  Box box() const;
  Loops loops() const;
  const Box& frame() const { return frame_; }

 private:
  struct Set;
  Box frame_;
  double fineness_ = 1;  ///< of the grid, per database unit
  Place origin_{0, 0};
  std::unique_ptr<Set> set_;
};

/// What of a region lies on a side of a box along the axes, as stretches along the other axis.
using Stretches = std::vector<std::array<double, 2>>;
Stretches stretches_on(const Loops&, int axis, double position, double tolerance);
/// Whether loops run around a place that lies on none of their edges.
bool is_inside(const Loops&, const Place&);

}  // namespace umov::layout
