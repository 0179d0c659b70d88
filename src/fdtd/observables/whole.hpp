// The whole domain of a run with symmetry planes: what lies behind a plane, by what is computed.
#pragma once

#include "fdtd/problem.hpp"
#include "fdtd/simulation.hpp"

namespace umov::fdtd {

/// A value of the whole domain as a stored one times a factor: +-1 behind symmetry planes, exp(i phase) one
/// period on, 0 where the symmetry or a conductor makes it vanish.
struct Stored {
  Int3 cell{0, 0, 0};
  cplx factor = 1;
};

/// Cells and nodes of the whole domain, numbered as those of the computed part continue: behind a plane at
/// node 0 they are negative, behind one at node n they go on to 2 n. Without symmetry planes it is the grid.
class Whole {
 public:
  Whole(const Simulation&, const Problem&);

  const Grid& grid() const { return grid_; }
  bool mirrored(int axis) const { return mirror_[axis].side >= 0; }
  /// Whether any axis has a symmetry plane.
  bool any() const { return mirrored(0) || mirrored(1) || mirrored(2); }
  /// Side of the computed part on which the symmetry plane is; -1 without one.
  int mirror_side(int axis) const { return mirror_[axis].side; }
  /// Nodes at the ends.
  int first(int axis) const { return first_[axis]; }
  int last(int axis) const { return last_[axis]; }
  /// Place at so many cells; behind a plane cells are those before it.
  double place(int axis, double u) const;
  /// What closes the whole on a side, and its absorbing layers: behind a plane those of the other side.
  Closure closure(int axis, int side) const { return closure_[axis][side]; }
  int layers(int axis, int side) const { return layers_[axis][side]; }

  /// The node nearest to a coordinate.
  int nearest_node(int axis, double x) const;
  /// The stored value of a component's cell; reflections multiply it by the parity of the component.
  Stored stored(Component, Int3 cell) const;
  /// A place's image in the computed part.
  Vec3 image(Vec3 place) const;

 private:
  struct Mirror {
    int side = -1;     ///< of the computed part; -1: none
    bool even = true;  ///< tangential E even
  };
  void reflect(Component, int axis, Stored&) const;
  void wrap(Component, int axis, Stored&) const;

  Grid grid_;
  std::array<Mirror, 3> mirror_{};
  std::array<std::array<Closure, 2>, 3> walls_{}, closure_{};  ///< of the computed part, of the whole
  std::array<std::array<int, 2>, 3> layers_{};
  Int3 first_{0, 0, 0}, last_{0, 0, 0};
  Vec3 phase_{0, 0, 0};
};

/// Sign that a component takes in a reflection: of E the part along the axis changes it, of the axial vector
/// H the parts across; an odd plane (an electric wall) changes all of them.
constexpr double parity(int component, int axis, bool even) {
  return ((is_electric(component) == (axis_of(component) != axis)) == even) ? 1 : -1;
}

}  // namespace umov::fdtd
