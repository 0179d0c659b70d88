// Maxwell's equations on a cross-section of the Yee grid, as sparse matrices between its tangential fields.
#pragma once

#include <array>
#include <functional>
#include <vector>

#include "fdtd/problem.hpp"
#include "fdtd/sources/mode_solver.hpp"
#include "fdtd/sources/sparse_blocks.hpp"

namespace umov::fdtd {

/// One transverse axis of the plane: cells low .. high - 1 between the nodes low and high. A node at an end
/// is part of it on a mirror (magnetic wall), and of a period's two ends only the first.
struct Transverse {
  bool active = true, periodic = false;
  std::array<bool, 2> mirror{};  ///< [low, high]
  std::array<bool, 2> open{};    ///< the end is no wall of the domain and lies on no conductor
  int low = 0, high = 1, axis = 0;

  int halves() const { return active ? high - low : 1; }
  int first_node() const { return active && !periodic && !mirror[0] ? low + 1 : low; }
  int nodes() const { return active ? (mirror[1] ? high + 1 : high) - first_node() : 1; }
};

/// What coordinates that are stretched or bent make of a medium: the factor of the permittivity and the
/// permeability of a component at a cell, J J^T / det J of Maxwell's equations in those coordinates. None: 1.
using MediumFactor = std::function<cplx(int component, const Int3& cell)>;

/// The plane of a problem at angular frequency w. With p, q the two axes after `axis` and kappa = 2 sin(beta
/// dx/2):
///   kappa (Ep, Eq) = A (Hp, Hq),   kappa (Hp, Hq) = B (Dp, Dq),   (Ep, Eq) = N (Dp, Dq)
/// Components a mode lacks take no part; off-diagonal parts of averaged permittivities couple p and q in N.
/// Where a transverse E is inside a conductor Ampere's law does not give the H of its face, but Faraday's
/// does, by the components along the axis beside it.
/// Of real numbers (T double) the real part of the media counts; of complex ones all of them, and factors.
template <class T>
struct CrossSectionOf {
  using Sparse = SparseOf<T>;
  using Triplet = TripletOf<T>;
  int axis = 0, node = 0;
  std::array<Transverse, 2> t;
  double dx = 1, phase = 1;  ///< phase: (2 dx / dt) sin(w dt/2)
  /// Edge of the cells along the axis, shortest edge across it, over dx. Of a graded grid kappa is dx K, 2
  /// sin(beta edge / 2) / along.
  double along_edge = 1, finest_edge = 1;
  std::vector<int> electric, magnetic;  ///< tangential components that exist, in the matrices' order
  Sparse A, B, N;
  Sparse absent;       ///< 1 on the diagonal where E is inside a perfect conductor (A, B, N: 0)
  double highest = 1;  ///< largest eps mu anywhere

  double solid = 1;    ///< largest eps mu where no surface of a metal cuts the cell
  bool metal = false;  ///< somewhere the permittivity is negative

  /// With `uniform`, a transverse axis along which the plane has one cell: fields do not change along it.
  CrossSectionOf(const Problem&, const ModePlane&, double w, int uniform = -1, MediumFactor factor = {});
  /// Places of a component: cells in the order of the matrices.
  std::vector<Int3> places(int component) const;
  /// The component along the axis by those across of the other field: Ex = i along(p, w, true) (Hp, Hq) and
  /// Hx = -i along(p, w, false) (Ep, Eq). Without rows where the mode has none.
  Sparse along(const Problem&, double w, bool electric) const;
  /// The unknowns (Dp, Dq) in an order that keeps the factors of matrices between neighbours sparse: nested
  /// dissection (George 1973, SIAM J. Numer. Anal. 10, 345).
  std::vector<int> elimination_order() const;

 private:
  MediumFactor factor_;
  int count(int component) const;
  /// Whether a component sits at half positions along transverse axis s (0: p, 1: q).
  bool at_half(int component, int s) const;
  Sparse difference(const Grid&, int s, int from, int to) const;
  /// Real part of the relative medium, or (inverse) of its inverse, as a diagonal; perfect conductors: 0.
  Sparse medium(const Problem&, int component, double w, bool inverse) const;
  /// The parts of A and B without and with the component along the axis.
  Sparse straight(int from, int to, const Sparse& medium) const;
  Sparse around(const Problem&, double w, int from, int to) const;
  /// What D of one component adds to E of another.
  Sparse off_diagonal(const Problem&, int from, int to) const;
  void build(const Problem&, double w);
  /// The H of the faces between edges like those on the diagonal, on the diagonal of all H.
  Sparse faces_of(const Sparse& edges) const;
  /// From the H of Ampere's law to all, where `dead` has a 1 for each H whose transverse E is absent.
  Sparse with_faces_of_dead_edges(const Problem&, double w, const Sparse& dead) const;
  void measure_media(const Problem&, double w);
};

using CrossSection = CrossSectionOf<double>;

}  // namespace umov::fdtd
