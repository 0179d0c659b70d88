// Building the matrices of a cross-section from the grid's differences and the problem's media.
#include "fdtd/sources/cross_section.hpp"

#include <algorithm>
#include <unordered_map>

#include "fdtd/cut_edges.hpp"
#include "fdtd/sources/local.hpp"
#include "fdtd/sources/sparse_blocks.hpp"

namespace umov::fdtd {
namespace {

/// Whether all E along an end of the plane is in a perfect conductor.
bool ends_on_conductor(const Problem& p, const ModePlane& plane, int axis, int side) {
  const Layout layout(p.grid);
  const int other = 3 - plane.axis - axis;
  Int3 at = plane.lo;
  at[axis] = side == 0 ? plane.lo[axis] : plane.hi[axis];
  for (const int along : {plane.axis, other}) {
    if (!has_component(p.grid.mode, along)) continue;
    for (int k = plane.lo[other]; k < std::max(plane.hi[other], plane.lo[other] + 1); ++k) {
      at[other] = p.grid.active(other) ? k : 0;
      if (coefficients_at(p, Component(along), layout.at(at)).drive != 0) return false;
    }
  }
  return true;
}

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
    t.open[side] = !wall && !ends_on_conductor(p, plane, axis, side);
  }
  return t;
}

}  // namespace

ModePlane mode_plane(const Problem& p, const Vec3& center, const Vec3& size, const std::string& owner) {
  constexpr double slight = 1e-6;  // of a cell
  const Grid& g = p.grid;
  ModePlane plane = mode_plane(g, center, size, owner);
  for (int a = 0; a < dimensions(g.mode); ++a)
    for (int side = 0; side < 2 && a != plane.axis; ++side) {
      const int out = side == 0 ? -1 : 1, node = side == 0 ? plane.lo[a] : plane.hi[a];
      const double end = (center[a] + out * size[a] / 2 - g.origin[a]) / g.dx;
      if ((end - node) * out < slight || node + out < 0 || node + out > g.cells[a]) continue;
      ModePlane wider = plane;
      (side == 0 ? wider.lo : wider.hi)[a] += out;
      if (!ends_on_conductor(p, plane, a, side) && ends_on_conductor(p, wider, a, side)) plane = wider;
    }
  return plane;
}

namespace {

/// Differences from nodes to halves (forward) or from halves to nodes along one axis. Tangential E vanishes
/// at nodes that are not there; tangential H is odd about a mirror.
template <class T>
std::vector<TripletOf<T>> line_difference(const Transverse& t, bool forward) {
  std::vector<TripletOf<T>> d;
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

/// A number of a medium as the matrices have it.
template <class T>
T taken(cplx value) {
  if constexpr (std::is_same_v<T, double>)
    return value.real();
  else
    return value;
}

}  // namespace

template <class T>
CrossSectionOf<T>::CrossSectionOf(const Problem& p, const ModePlane& plane, double w, int uniform,
                                  MediumFactor factor)
    : axis(plane.axis), node(plane.lo[plane.axis]), dx(p.grid.dx), factor_(std::move(factor)) {
  phase = 2 * dx / p.grid.dt * std::sin(w * p.grid.dt / 2);
  along_edge = p.grid.edge(axis, node) / dx;
  for (int a = 0; a < dimensions(p.grid.mode); ++a)
    if (a != axis) finest_edge = std::min(finest_edge, p.grid.finest(a) / dx);
  for (int s = 0; s < 2; ++s) {
    const int a = (axis + 1 + s) % 3;
    t[s] = transverse(p, plane, a, a == uniform);
    if (has_component(p.grid.mode, a)) electric.push_back(a);
    if (has_component(p.grid.mode, 3 + a)) magnetic.push_back(3 + a);
  }
  measure_media(p, w);
  build(p, w);
}

template <class T>
bool CrossSectionOf<T>::at_half(int component, int s) const {
  return is_electric(component) == (axis_of(component) == t[s].axis);
}

template <class T>
int CrossSectionOf<T>::count(int component) const {
  int n = 1;
  for (int s = 0; s < 2; ++s) n *= at_half(component, s) ? t[s].halves() : t[s].nodes();
  return n;
}

template <class T>
std::vector<Int3> CrossSectionOf<T>::places(int component) const {
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

template <class T>
SparseOf<T> CrossSectionOf<T>::difference(const Grid& g, int s, int from, int to) const {
  const int other = 1 - s;
  const auto width = [&](int c, int axis_) {
    return at_half(c, axis_) ? t[axis_].halves() : t[axis_].nodes();
  };
  const int lines = width(from, other);
  std::vector<Triplet> all;
  const int start = at_half(to, s) ? t[s].low : t[s].first_node();
  for (const Triplet& e : line_difference<T>(t[s], at_half(to, s)))
    for (int l = 0; l < lines; ++l) {
      const auto index = [&](int along, int c) {
        return s == 0 ? along + width(c, 0) * l : l + lines * along;
      };
      all.emplace_back(index(e.row(), to), index(e.col(), from),
                       e.value() * g.rate(to, t[s].axis, start + int(e.row())));
    }
  return matrix<T>(count(to), count(from), all);
}

template <class T>
SparseOf<T> CrossSectionOf<T>::medium(const Problem& p, int component, double w, bool inverse) const {
  const Layout layout(p.grid);
  std::vector<Triplet> all;
  const auto cells = places(component);
  for (int i = 0; i < int(cells.size()); ++i) {
    cplx medium = discrete_medium(p, Component(component), layout.at(cells[i]), w);
    if (!std::isfinite(medium.real())) continue;
    if (factor_) medium *= factor_(component, cells[i]);
    const T value = taken<T>(medium);
    all.emplace_back(i, i, inverse ? 1.0 / value : value);
  }
  return matrix<T>(int(cells.size()), int(cells.size()), all);
}

template <class T>
void CrossSectionOf<T>::measure_media(const Problem& p, double w) {
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
template <class T>
SparseOf<T> CrossSectionOf<T>::straight(int from, int to, const Sparse& medium) const {
  if (axis_of(from) == axis_of(to)) return Sparse(count(to), count(from));
  const bool first = axis_of(to) == t[0].axis;
  return T(first == is_electric(to) ? phase : -phase) * medium;
}

template <class T>
SparseOf<T> CrossSectionOf<T>::around(const Problem& p, double w, int from, int to) const {
  const int s = axis_of(to) == t[0].axis ? 0 : 1, along = is_electric(to) ? axis : 3 + axis;
  if (!has_component(p.grid.mode, along)) return Sparse(count(to), count(from));
  const int r = axis_of(from) == t[0].axis ? 0 : 1;
  const Sparse curl = T(r == 1 ? 1.0 : -1.0) * difference(p.grid, 1 - r, from, along);
  return Sparse(T((is_electric(to) ? 1 : -1) / phase) * difference(p.grid, s, along, to) *
                medium(p, along, w, true) * curl);
}

template <class T>
SparseOf<T> CrossSectionOf<T>::off_diagonal(const Problem& p, int from, int to) const {
  const Layout layout(p.grid);
  std::unordered_map<index_t, int> rows, columns;
  const auto to_places = places(to), from_places = places(from);
  for (const Int3& cell : to_places) rows.emplace(layout.at(cell), int(rows.size()));
  for (const Int3& cell : from_places) columns.emplace(layout.at(cell), int(columns.size()));
  // The axis of travel is stretched by the root of the factors of the two across.
  const auto stretch = [&](index_t row, index_t column) -> cplx {
    if (!factor_) return 1;
    return std::sqrt(factor_(to, to_places[std::size_t(rows.at(row))]) *
                     factor_(from, from_places[std::size_t(columns.at(column))]));
  };
  const int other = (from - to + 3) % 3 - 1;  // from is the first or the second axis after `to`
  std::vector<Triplet> all;
  for (const TensorTerm& term : p.tensor[to]) {
    const auto row = rows.find(term.cell);
    if (row == rows.end()) continue;
    for (int end = 0; end < 2; ++end)
      for (const int back : {0, 1}) {
        const index_t edge = term.cell + end * layout.stride(to) - back * layout.stride(from);
        if (const auto column = columns.find(edge); column != columns.end())
          all.emplace_back(row->second, column->second,
                           taken<T>(term.w[other][end] * share_in_node(p.grid, axis_of(from), edge, back) *
                                    p.grid.dx / p.grid.dt / stretch(row->first, edge)));
      }
  }
  return matrix<T>(int(rows.size()), int(columns.size()), all);
}

template <class T>
void CrossSectionOf<T>::build(const Problem& p, double w) {
  std::vector<std::vector<SparseOf<T>>> a, j, k, n, gone;
  for (const int e : electric) {
    const Sparse inverse = medium(p, e, w, true);
    const Sparse there = inverse.unaryExpr([](const T& x) { return T(x != T(0) ? 1.0 : 0.0); });
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
  A = assemble<T>(a);
  N = assemble<T>(n);
  absent = assemble<T>(gone);
  Sparse all(N.rows(), N.cols());
  all.setIdentity();
  B = assemble<T>(j) * Sparse(all - absent) + assemble<T>(k) * N;
  B = with_faces_of_dead_edges(p, w, faces_of(absent)) * B;
}

template <class T>
SparseOf<T> CrossSectionOf<T>::along(const Problem& p, double w, bool of_e) const {
  const int to = of_e ? axis : 3 + axis;
  const auto& names = of_e ? magnetic : electric;
  int columns = 0;
  for (const int c : names) columns += count(c);
  if (!has_component(p.grid.mode, to)) return Sparse(0, columns);
  std::vector<std::vector<SparseOf<T>>> curl(1);
  for (const int from : names) {
    const int r = axis_of(from) == t[0].axis ? 0 : 1;
    curl[0].push_back(
        Sparse(T((r == 1 ? 1 : -1) / phase) * medium(p, to, w, true) * difference(p.grid, 1 - r, from, to)));
  }
  return assemble<T>(curl);
}

namespace {

/// Numbers cells of a rectangle: the two parts of it, then the line of cells between them.
class Dissection {
 public:
  template <class Take>
  static void visit(std::array<int, 4> box, const Take& take) {
    const auto [x0, x1, y0, y1] = box;
    const int wide = x1 - x0, high = y1 - y0;
    if (wide <= 0 || high <= 0) return;
    if (wide * high <= 8) return each(box, take);
    const bool across = wide >= high;
    const int middle = across ? (x0 + x1) / 2 : (y0 + y1) / 2;
    visit(across ? std::array{x0, middle, y0, y1} : std::array{x0, x1, y0, middle}, take);
    visit(across ? std::array{middle + 1, x1, y0, y1} : std::array{x0, x1, middle + 1, y1}, take);
    each(across ? std::array{middle, middle + 1, y0, y1} : std::array{x0, x1, middle, middle + 1}, take);
  }
  template <class Take>
  static void each(std::array<int, 4> box, const Take& take) {
    for (int y = box[2]; y < box[3]; ++y)
      for (int x = box[0]; x < box[1]; ++x) take(x, y);
  }
};

}  // namespace

template <class T>
std::vector<int> CrossSectionOf<T>::elimination_order() const {
  std::unordered_map<long, std::vector<int>> at;
  const auto key = [](int x, int y) { return long(x) * 1000003 + y; };
  int unknown = 0;
  for (const int e : electric)
    for (const Int3& cell : places(e)) at[key(cell[t[0].axis], cell[t[1].axis])].push_back(unknown++);
  std::vector<int> order;
  const auto take = [&](int x, int y) {
    if (const auto found = at.find(key(x, y)); found != at.end())
      order.insert(order.end(), found->second.begin(), found->second.end());
  };
  // A period's first line touches its last one: it comes at the end of all.
  const auto first = [&](int s) { return t[s].active && t[s].periodic ? t[s].low + 1 : t[s].low; };
  const auto last = [&](int s) { return t[s].active ? t[s].high + 1 : t[s].low + 1; };
  Dissection::visit({first(0), last(0), first(1), last(1)}, take);
  if (first(0) > t[0].low) Dissection::each({t[0].low, t[0].low + 1, first(1), last(1)}, take);
  if (first(1) > t[1].low) Dissection::each({t[0].low, last(0), t[1].low, t[1].low + 1}, take);
  return order;
}

template struct CrossSectionOf<double>;
template struct CrossSectionOf<cplx>;

}  // namespace umov::fdtd
