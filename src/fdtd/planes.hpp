// The arrays of a grid as planes across its last axis: rows in two dimensions, cells in one.
#pragma once

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

}  // namespace umov::fdtd
