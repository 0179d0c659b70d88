// The grid around cut cells: edges of faces, neighbours across walls, what the painted media make of them.
#pragma once

#include <optional>
#include <vector>

#include "fdtd/model/conductors.hpp"
#include "fdtd/ranges.hpp"

namespace umov::fdtd {

/// An edge of a face: E enters the curl of H there with `sign`, and the next face of the same component
/// beyond it lies `step` cells along `axis`.
struct FaceSide {
  int component = 0, axis = 0, step = 0, sign = 1;
  Int3 at{0, 0, 0};
};

/// Up to four items, without an allocation.
template <class T>
class Few {
 public:
  void push_back(const T& item) { items_[count_++] = item; }
  const T* begin() const { return items_.data(); }
  const T* end() const { return items_.data() + count_; }

 private:
  std::array<T, 4> items_;
  int count_ = 0;
};

class CutGrid {
 public:
  CutGrid(const Problem&, const ConductorCuts&);

  const Grid& grid() const { return problem_.grid; }
  index_t cell(const Int3& at) const { return layout_.at(at); }
  Int3 place(index_t cell) const;
  /// The place that stands for this one: itself, or one period away; none outside the grid.
  std::optional<Int3> wrapped(int component, Int3 at) const;
  Few<FaceSide> sides(int face, const Int3& at) const;
  /// How many faces have this edge as a side; beyond a wall they are mirror images.
  int faces_around(int edge) const;

  /// Free fraction of an edge: 0 in conductors and on electric walls.
  double length(int component, const Int3& at) const;
  /// (dt/dx)^2 l / eps, with room for the poles of the edge: what it adds to the frequencies of its faces.
  double stiffness(int component, const Int3& at) const;
  /// 1/mu of a face.
  double inverse_mu(int component, const Int3& at) const;

 private:
  const Coefficients& coefficients(int component, index_t cell) const;
  double pole_room(int component, index_t cell) const;

  const Problem& problem_;
  const ConductorCuts& cuts_;
  Layout layout_;
};

}  // namespace umov::fdtd
