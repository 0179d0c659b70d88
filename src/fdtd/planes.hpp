// The arrays of a grid as planes across its last axis (rows in two dimensions, cells in one), and as rows.
#pragma once

#include <utility>

#include "fdtd/grid.hpp"

namespace umov::fdtd {

/// Plane k of a field, ghosts of the other axes included, is one stretch of its array. Planes -1 and n are
/// ghosts.
class Planes {
 public:
  explicit Planes(const Grid& g) : layout_(g), axis_(dimensions(g.mode) - 1), count_(g.cells[axis_]) {
    if (axis_ >= 1) before_ += 1;
    if (axis_ >= 2) before_ += layout_.pitch;
  }
  int axis() const { return axis_; }
  int count() const { return count_; }
  index_t stride() const { return layout_.stride(axis_); }
  /// First element of a plane, and how many it has.
  index_t begin(int plane) const { return layout_.base - before_ + stride() * plane; }
  index_t size() const { return stride(); }
  /// The plane that an element of a field's array lies in.
  int of(index_t cell) const { return int((cell - begin(-1)) / stride()) - 1; }

 private:
  Layout layout_;
  int axis_, count_;
  index_t before_ = 0;  ///< ghosts of the faster axes before cell 0
};

/// The same as rows along x, which lie side by side in a plane of space; in the plane and on a line each
/// plane is one row, number 0. A row, its ghosts included, is one stretch of an array. Rows -1 and n are
/// ghosts.
class Rows {
 public:
  explicit Rows(const Grid& g)
      : planes_(g),
        pitch_(Layout(g).pitch),
        space_(dimensions(g.mode) == 3),
        count_(space_ ? g.cells[1] : 1) {}
  /// The axis across which rows lie side by side; -1: each plane is one.
  int axis() const { return space_ ? 1 : -1; }
  /// Of a plane, without ghosts; planes without theirs.
  int count() const { return count_; }
  int planes() const { return planes_.count(); }
  /// The first row of a plane, and one behind the last, ghosts included.
  int first() const { return space_ ? -1 : 0; }
  int last() const { return space_ ? count_ + 1 : 1; }
  /// First element of a row, and how many it has.
  index_t begin(int row, int plane) const { return planes_.begin(plane) + (space_ ? pitch_ * (row + 1) : 0); }
  index_t size() const { return space_ ? pitch_ : planes_.size(); }
  /// Row and plane that an element of a field's array lies in.
  std::pair<int, int> of(index_t cell) const {
    const int plane = planes_.of(cell);
    return {space_ ? int((cell - planes_.begin(plane)) / pitch_) - 1 : 0, plane};
  }

 private:
  Planes planes_;
  index_t pitch_;
  bool space_;
  int count_;
};

}  // namespace umov::fdtd
