// The cross-section of a model: a few cells of its grid around a plane, painted.
#pragma once

#include <memory>
#include <string>

#include "fdtd/scene.hpp"
#include "fdtd/sources/mode_solver.hpp"
#include "modes/simulation.hpp"

namespace umov::modes {

struct Section {
  std::unique_ptr<fdtd::Scene> scene;
  fdtd::Problem problem;
  fdtd::ModePlane plane;

  /// The transverse axis of a number, 0 or 1.
  int axis(int s) const { return (plane.axis + 1 + s) % 3; }
  int cells(int s) const { return plane.hi[axis(s)] - plane.lo[axis(s)]; }
  double dx() const { return problem.grid.dx; }
  /// Edge of the cells along the axis of travel.
  double along() const { return problem.grid.edge(plane.axis, plane.lo[plane.axis]); }
  /// Place of the low end along a transverse axis.
  double low(int s) const;
  /// Place at x cells from there.
  double place(int s, double x) const { return problem.grid.place(axis(s), plane.lo[axis(s)] + x); }
  /// Edge of a cell, counted from there, over dx.
  double edge(int s, int i) const { return problem.grid.edge(axis(s), plane.lo[axis(s)] + i) / dx(); }
  /// Area of a cell in those of dx.
  double share(int i, int j) const {
    return problem.grid.graded() ? (problem.grid.active(axis(0)) ? edge(0, i) : 1) *
                                       (problem.grid.active(axis(1)) ? edge(1, j) : 1)
                                 : 1;
  }
  double middle(int s) const {
    return problem.grid.graded() ? 0.5 * (low(s) + place(s, cells(s))) : low(s) + 0.5 * cells(s) * dx();
  }
  /// Whether an end is neither wall nor mirror of the domain.
  bool open(int s, int side) const;
};

/// With cells smaller by `finer` than those of the case. Throws BadInput for a plane that is none.
Section make_section(const Simulation&, double finer = 1);

}  // namespace umov::modes
