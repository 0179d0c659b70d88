// Building the matrices of a cross-section from the grid's differences and the problem's media.
#include "fdtd/sources/cross_section.hpp"

#include <algorithm>
#include <unordered_map>

#include "fdtd/cut_edges.hpp"
#include "fdtd/sources/local.hpp"
#include "fdtd/sources/sparse_blocks.hpp"

namespace umov::fdtd {
namespace {

Transverse transverse(const Problem& p, const ModePlane& plane, int axis, bool uniform) {
  Transverse t;
  t.axis = axis;
  t.active = p.grid.active(axis);
  t.low = plane.lo[axis];
  t.high = plane.hi[axis];
  t.periodic = t.active && uniform;
  if (!t.active || uniform) return t;
  const bool ends[2] = {t.low == 0, t.high == p.grid.cells[axis]};
  t.periodic = ends[0] && ends[1] && p.walls[axis][0] == Closure::periodic;
  for (int side = 0; side < 2; ++side) {
    const bool wall = ends[side] && p.pml[axis][side].layers == 0;
    t.mirror[side] = wall && p.walls[axis][side] == Closure::pmc;
    t.open[side] = !wall;
  }
  return t;
}

/// Differences from nodes to halves (forward) or from halves to nodes along one axis. Tangential E vanishes
/// at nodes that are not there; tangential H is odd about a mirror.
std::vector<Triplet> line_difference(const Transverse& t, bool forward) {
  std::vector<Triplet> d;
  if (!t.active) return d;
  const int n = t.halves(), first = t.first_node() - t.low, nodes = t.nodes();
  for (int h = 0; h < n; ++h)
    for (int end = 0; end < 2; ++end) {
      int node = h + end - first;
      if (t.periodic) node %= n;
      if (node < 0 || node >= nodes) continue;
      const double sign = end == 1 ? 1 : -1;
      const int at = node + first;
      const bool doubled = (t.mirror[0] && at == 0) || (t.mirror[1] && at == n);
      if (forward)
        d.emplace_back(h, node, sign);
      else
        d.emplace_back(node, h, (doubled ? -2 : -1) * sign);
    }
  return d;
}

}  // namespace

CrossSection::CrossSection(const Problem& p, const ModePlane& plane, double w, int uniform)
    : axis(plane.axis), node(plane.lo[plane.axis]), dx(p.grid.dx) {
  phase = 2 * dx / p.grid.dt * std::sin(w * p.grid.dt / 2);
  for (int s = 0; s < 2; ++s) {
    const int a = (axis + 1 + s) % 3;
    t[s] = transverse(p, plane, a, a == uniform);
    if (has_component(p.grid.mode, a)) electric.push_back(a);
    if (has_component(p.grid.mode, 3 + a)) magnetic.push_back(3 + a);
  }
  measure_media(p, w);
  build(p, w);
}

bool CrossSection::at_half(int component, int s) const {
  return is_electric(component) == (axis_of(component) == t[s].axis);
}

int CrossSection::count(int component) const {
  int n = 1;
  for (int s = 0; s < 2; ++s) n *= at_half(component, s) ? t[s].halves() : t[s].nodes();
  return n;
}

std::vector<Int3> CrossSection::places(int component) const {
  std::vector<Int3> cells;
  int first[2], size[2];
  for (int s = 0; s < 2; ++s) {
    const bool half = at_half(component, s);
    first[s] = half ? t[s].low : t[s].first_node();
    size[s] = half ? t[s].halves() : t[s].nodes();
  }
  for (int j = 0; j < size[1]; ++j)
    for (int i = 0; i < size[0]; ++i) {
      Int3 cell{0, 0, 0};
      cell[axis] = node;
      cell[t[0].axis] = first[0] + i;
      cell[t[1].axis] = first[1] + j;
      cells.push_back(cell);
    }
  return cells;
}

Sparse CrossSection::difference(int s, int from, int to) const {
  const int other = 1 - s;
  const auto width = [&](int c, int axis_) {
    return at_half(c, axis_) ? t[axis_].halves() : t[axis_].nodes();
  };
  const int lines = width(from, other);
  std::vector<Triplet> all;
  for (const Triplet& e : line_difference(t[s], at_half(to, s)))
    for (int l = 0; l < lines; ++l) {
      const auto index = [&](int along, int c) {
        return s == 0 ? along + width(c, 0) * l : l + lines * along;
      };
      all.emplace_back(index(e.row(), to), index(e.col(), from), e.value());
    }
  return matrix(count(to), count(from), all);
}

Sparse CrossSection::medium(const Problem& p, int component, double w, bool inverse) const {
  const Layout layout(p.grid);
  std::vector<Triplet> all;
  const auto cells = places(component);
  for (int i = 0; i < int(cells.size()); ++i) {
    const double value = discrete_medium(p, Component(component), layout.at(cells[i]), w).real();
    if (std::isfinite(value)) all.emplace_back(i, i, inverse ? 1 / value : value);
  }
  return matrix(int(cells.size()), int(cells.size()), all);
}

void CrossSection::measure_media(const Problem& p, double w) {
  const Layout layout(p.grid);
  double mu = 1;
  highest = solid = 0;
  for (const int c : magnetic)
    for (const Int3& cell : places(c))
      mu = std::max(mu, discrete_medium(p, Component(c), layout.at(cell), w).real());
  for (int c = 0; c < 3; ++c) {
    if (!has_component(p.grid.mode, c)) continue;
    for (const Int3& cell : places(c)) {
      // An edge that a conductor cuts looks denser by its fraction; no mode is slower for it.
      const double eps = discrete_medium(p, Component(c), layout.at(cell), w).real() *
                         free_fraction(p, Component(c), layout.at(cell));
      if (!std::isfinite(eps)) continue;
      highest = std::max(highest, eps * mu);
      metal = metal || eps < 0;
      if (!is_cut(p, Component(c), layout.at(cell))) solid = std::max(solid, eps * mu);
    }
  }
}

// With p, q the transverse axes, W = phase, and up to phases of i,
//   kappa Ep = W mu Hq + D_p (D_p Hq - D_q Hp) / (W eps),   kappa Eq = -W mu Hp + D_q (...) / (W eps)
//   kappa Hp = -W Dq - D_p (D_p Eq - D_q Ep) / (W mu),      kappa Hq = W Dp - D_q (...) / (W mu)
Sparse CrossSection::straight(int from, int to, const Sparse& medium) const {
  if (axis_of(from) == axis_of(to)) return Sparse(count(to), count(from));
  const bool first = axis_of(to) == t[0].axis;
  return (first == is_electric(to) ? phase : -phase) * medium;
}

Sparse CrossSection::around(const Problem& p, double w, int from, int to) const {
  const int s = axis_of(to) == t[0].axis ? 0 : 1, along = is_electric(to) ? axis : 3 + axis;
  if (!has_component(p.grid.mode, along)) return Sparse(count(to), count(from));
  const int r = axis_of(from) == t[0].axis ? 0 : 1;
  const Sparse curl = (r == 1 ? 1.0 : -1.0) * difference(1 - r, from, along);
  return Sparse(((is_electric(to) ? 1 : -1) / phase) * difference(s, along, to) * medium(p, along, w, true) *
                curl);
}

Sparse CrossSection::off_diagonal(const Problem& p, int from, int to) const {
  const Layout layout(p.grid);
  std::unordered_map<index_t, int> rows, columns;
  for (const Int3& cell : places(to)) rows.emplace(layout.at(cell), int(rows.size()));
  for (const Int3& cell : places(from)) columns.emplace(layout.at(cell), int(columns.size()));
  const int other = (from - to + 3) % 3 - 1;  // from is the first or the second axis after `to`
  std::vector<Triplet> all;
  for (const TensorTerm& term : p.tensor[to]) {
    const auto row = rows.find(term.cell);
    if (row == rows.end()) continue;
    for (int end = 0; end < 2; ++end)
      for (const int back : {0, 1}) {
        const index_t edge = term.cell + end * layout.stride(to) - back * layout.stride(from);
        if (const auto column = columns.find(edge); column != columns.end())
          all.emplace_back(row->second, column->second, term.w[other][end] * p.grid.dx / p.grid.dt);
      }
  }
  return matrix(int(rows.size()), int(columns.size()), all);
}

void CrossSection::build(const Problem& p, double w) {
  std::vector<std::vector<Sparse>> a, j, k, n, gone;
  for (const int e : electric) {
    const Sparse inverse = medium(p, e, w, true);
    const Sparse there = inverse.unaryExpr([](double x) { return x != 0 ? 1.0 : 0.0; });
    Sparse all(count(e), count(e));
    all.setIdentity();
    a.emplace_back();
    n.emplace_back();
    gone.emplace_back();
    for (const int h : magnetic)
      a.back().push_back(there * Sparse(straight(h, e, medium(p, h, w, false)) + around(p, w, h, e)));
    for (const int other : electric) {
      n.back().push_back(other == e ? inverse : off_diagonal(p, other, e));
      gone.back().push_back(other == e ? Sparse(all - there) : Sparse(count(e), count(other)));
    }
  }
  for (const int h : magnetic) {
    j.emplace_back();
    k.emplace_back();
    for (const int e : electric) {
      Sparse all(count(e), count(e));
      all.setIdentity();
      j.back().push_back(straight(e, h, all));
      k.back().push_back(around(p, w, e, h));
    }
  }
  A = assemble(a);
  N = assemble(n);
  absent = assemble(gone);
  Sparse all(N.rows(), N.cols());
  all.setIdentity();
  B = assemble(j) * Sparse(all - absent) + assemble(k) * N;
  B = with_faces_of_dead_edges(p, w, faces_of(absent)) * B;
}

}  // namespace umov::fdtd
