// Update ranges and absorbing slabs, from closures and layer counts.
#include "fdtd/ranges.hpp"

#include <algorithm>

namespace umov::fdtd {

Box update_box(const Problem& p, int component) {
  Box box;
  for (int a = 0; a < 3; ++a) {
    if (!p.grid.active(a)) continue;
    const bool node = p.grid.offset(component, a) == 0;
    const bool on_metal = is_electric(component) && p.walls[a][0] == Closure::pec;
    box.lo[a] = node && on_metal ? 1 : 0;
    box.hi[a] = p.grid.cells[a] + (node && p.walls[a][1] == Closure::pmc ? 1 : 0);
  }
  return box;
}

namespace {

PmlSlab slab_of(const Problem& p, int axis, int side, int component) {
  const PmlSide& wall = p.pml[axis][side];
  const bool electric = is_electric(component);
  const PmlSide::Terms& terms = electric ? wall.node : wall.half;
  PmlSlab s;
  s.axis = axis;
  s.side = side;
  s.component = component;
  s.layers = wall.layers;
  s.first = side == 0 ? 0 : p.grid.cells[axis] - wall.layers + (electric ? 1 : 0);
  s.box = update_box(p, component);
  s.box.lo[axis] = std::max(s.box.lo[axis], s.first);
  s.box.hi[axis] = std::min(s.box.hi[axis], s.first + s.layers);
  for (int l = 0; l < s.layers; ++l) {
    const int q = side == 0 ? l : s.layers - 1 - l;
    const double rate = p.grid.rate(component, axis, s.first + l);
    s.b.push_back(terms.b.at(q));
    s.c.push_back(rate * terms.c.at(q));
    s.stretch.push_back(rate * terms.kappa_inverse.at(q) - 1);
  }
  // All slabs of one axis have the same strides. A row along x of y and z slabs is as long as a row of a
  // field, so that both have the same i; a row across x slabs begins at a multiple of four, for vectors of
  // cells.
  const int begin = axis == 0 ? s.first / 4 * 4 : s.first;
  const int most = std::max(p.pml[axis][0].layers, p.pml[axis][1].layers);
  Int3 extent{1, 1, 1};
  for (int a = 0; a < 3; ++a)
    if (p.grid.active(a)) extent[a] = a == axis ? most : p.grid.cells[a] + 1;
  s.pitch = axis == 0 ? (most + 6) / 4 * 4 : Layout(p.grid).pitch;
  s.plane = s.pitch * extent[1];
  s.size = std::size_t(s.plane * extent[2]);
  s.offset = -begin * (axis == 0 ? 1 : axis == 1 ? s.pitch : s.plane);
  return s;
}

/// Positions between the layers of a graded axis whose differences are not over dx.
PmlSlab stretched(const Problem& p, int axis, int component) {
  PmlSlab s;
  s.axis = axis;
  s.side = -1;
  s.component = component;
  s.box = update_box(p, component);
  const int after = p.grid.cells[axis] - p.pml[axis][1].layers + (is_electric(component) ? 1 : 0);
  int lo = std::max(s.box.lo[axis], p.pml[axis][0].layers), hi = std::min(s.box.hi[axis], after);
  const auto plain = [&](int i) { return p.grid.rate(component, axis, i) == 1; };
  while (lo < hi && plain(lo)) ++lo;
  while (lo < hi && plain(hi - 1)) --hi;
  s.first = s.box.lo[axis] = lo;
  s.box.hi[axis] = hi;
  s.layers = std::max(0, hi - lo);
  for (int i = lo; i < hi; ++i) {
    s.b.push_back(0);
    s.c.push_back(0);
    s.stretch.push_back(p.grid.rate(component, axis, i) - 1);
  }
  return s;
}

}  // namespace

std::vector<PmlSlab> pml_slabs(const Problem& p, Field f) {
  std::vector<PmlSlab> slabs;
  const auto takes_part = [&](int axis, int c) {
    if (field_of(c) != f || axis_of(c) == axis || !has_component(p.grid.mode, c)) return false;
    const bool first = curl_term(p.grid, c, 0).axis == axis;
    return curl_term(p.grid, c, first ? 0 : 1).exists;
  };
  for (int axis = 0; axis < dimensions(p.grid.mode); ++axis) {
    for (int side = 0; side < 2; ++side)
      for (int c = 0; c < components; ++c)
        if (p.pml[axis][side].layers > 0 && takes_part(axis, c)) slabs.push_back(slab_of(p, axis, side, c));
    for (int c = 0; p.grid.graded(axis) && c < components; ++c)
      if (takes_part(axis, c))
        if (PmlSlab s = stretched(p, axis, c); !s.box.empty()) slabs.push_back(std::move(s));
  }
  return slabs;
}

}  // namespace umov::fdtd
