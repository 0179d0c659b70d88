// Which cells each component is updated in, and where the absorbing layers lie: from the walls of a problem.
#pragma once

#include <vector>

#include "fdtd/problem.hpp"

namespace umov::fdtd {

/// Cells lo <= (i, j, k) < hi.
struct Box {
  Int3 lo{0, 0, 0}, hi{1, 1, 1};
  bool empty() const { return lo[0] >= hi[0] || lo[1] >= hi[1] || lo[2] >= hi[2]; }
  index_t count() const { return empty() ? 0 : index_t(hi[0] - lo[0]) * (hi[1] - lo[1]) * (hi[2] - lo[2]); }
};

/// Cells in which a component is updated. At half positions: all n. At integer positions: E on an electric
/// wall stays zero, node n of a magnetic wall is a place of its own, node n of a periodic axis is a copy.
Box update_box(const Problem&, int component);

/// One component's share of the absorbing layers at one wall, or of the cells of a graded axis between the
/// layers, whose edges ask for a real stretch alone (side -1). Tables are in grid order: entry s belongs to
/// position first + s along `axis`.
struct PmlSlab {
  int axis = 0, side = 0, component = 0;
  int first = 0, layers = 0;
  Box box;                            ///< cells to correct: update_box of the component, cut to the layers
  std::vector<double> b, c, stretch;  ///< stretch = rate/kappa - 1; c with the rate (Grid::rate), too
  /// psi of cell (i, j, k) lies at offset + i + pitch j + plane k of an array of `size`; 0: there is none.
  index_t pitch = 0, plane = 0, offset = 0;
  std::size_t size = 0;
};

/// All slabs: those of the electric components or of the magnetic ones, axis by axis, low side first, then
/// what lies between the layers of a graded axis.
std::vector<PmlSlab> pml_slabs(const Problem&, Field);

/// The two terms of a curl, (curl F)_c = d_p F_q - d_q F_p with p, q after c in cyclic order: which
/// derivative along `axis`, of which component, with which sign. Absent (exists = false) where the mode has
/// no such component or the axis no extent.
struct CurlTerm {
  bool exists = false;
  int axis = 0, of = 0, sign = 1;
};
inline CurlTerm curl_term(const Grid& g, int component, int which) {
  const int c = axis_of(component), p = (c + 1) % 3, q = (c + 2) % 3;
  CurlTerm t;
  t.axis = which == 0 ? p : q;
  t.of = (which == 0 ? q : p) + (is_electric(component) ? 3 : 0);
  t.sign = which == 0 ? 1 : -1;
  t.exists = g.active(t.axis) && has_component(g.mode, t.of);
  return t;
}

}  // namespace umov::fdtd
