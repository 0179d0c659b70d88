// The Yee grid: which components exist, where they sit, and how arrays are laid out.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

#include "core/types.hpp"

namespace umov::fdtd {

/// one: Ez, Hy along x; tm: Ez, Hx, Hy in the xy plane; te: Ex, Ey, Hz in the xy plane; full: all six.
enum class Mode { one, tm, te, full };

enum Component : int { Ex = 0, Ey, Ez, Hx, Hy, Hz };
inline constexpr int components = 6;
constexpr bool is_electric(int c) { return c < 3; }
/// The two halves of a step: H takes its value half a step later, then E.
enum class Field : int { H, E };
constexpr Field field_of(int c) { return is_electric(c) ? Field::E : Field::H; }
/// The sign of the curl in a field's equation: dH/dt = -curl E / mu, dE/dt = +curl H / eps.
constexpr int curl_sign(Field f) { return f == Field::E ? 1 : -1; }
/// The axis a component points along.
constexpr int axis_of(int c) { return c % 3; }
constexpr bool has_component(Mode m, int c) {
  switch (m) {
    case Mode::one:
      return c == Ez || c == Hy;
    case Mode::tm:
      return c == Ez || c == Hx || c == Hy;
    case Mode::te:
      return c == Ex || c == Ey || c == Hz;
    case Mode::full:
      return true;
  }
  return false;
}
constexpr int dimensions(Mode m) { return m == Mode::one ? 1 : m == Mode::full ? 3 : 2; }

/// Lengths in the user's unit; c = eps0 = mu0 = 1, so time is in units of length / c.
/// Component c of cell (i, j, k) sits half a cell above the node (i, j, k): E along its own axis, H along the
/// other two (Yee 1966, IEEE Trans. Antennas Propag. 14, 302); an axis without extent has no half cells.
/// An axis with `lines` is graded: its cells lie between them, and a place half a cell above a node is the
/// middle of the cell. Places along an axis are also told in cells: node i is at i, between nodes linearly.
struct Grid {
  Mode mode = Mode::tm;
  Int3 cells{1, 1, 1};   ///< cells along each axis, absorbing layers included; 1 where there is no extent
  double dx = 1;         ///< edge of a cell; where an axis is graded, the longest edge of any
  double dt = 1;         ///< time step
  Vec3 origin{0, 0, 0};  ///< place of node (0, 0, 0)
  std::array<std::vector<double>, 3> lines{};  ///< places of all nodes of a graded axis, cells + 1; else none
  std::array<bool, 3> wraps{};  ///< of a graded axis: beyond one end the cells of the other follow

  bool active(int axis) const { return axis < dimensions(mode); }
  bool graded(int axis) const { return !lines[axis].empty(); }
  bool graded() const { return graded(0) || graded(1) || graded(2); }
  /// Offset of a component from its node along an axis, in cells: 0 or 1/2.
  double offset(int component, int axis) const {
    if (!active(axis)) return 0;
    return (is_electric(component) == (axis_of(component) == axis)) ? 0.5 : 0.0;
  }
  /// Place at u cells along an axis; beyond the ends of a graded one its cells repeat.
  double place(int axis, double u) const {
    if (!graded(axis)) return origin[axis] + dx * u;
    const double i = std::floor(u);
    const double at = node(axis, int(i));
    return at + (u - i) * (node(axis, int(i) + 1) - at);
  }
  /// The reverse: cells at a place.
  double index(int axis, double x) const {
    if (!graded(axis)) return (x - origin[axis]) / dx;
    const auto& at = lines[axis];
    if (x < at.front()) return (x - at.front()) / (at.front() - node(axis, -1));
    if (x >= at.back()) return cells[axis] + (x - at.back()) / (node(axis, cells[axis] + 1) - at.back());
    const auto i = std::upper_bound(at.begin(), at.end(), x) - at.begin() - 1;
    return double(i) + (x - at[std::size_t(i)]) / (at[std::size_t(i) + 1] - at[std::size_t(i)]);
  }
  /// Edge of cell i along an axis, and the distance between the middles of cells i - 1 and i.
  double edge(int axis, int i) const { return graded(axis) ? node(axis, i + 1) - node(axis, i) : dx; }
  double dual_edge(int axis, int i) const {
    return graded(axis) ? 0.5 * (node(axis, i + 1) - node(axis, i - 1)) : dx;
  }
  /// Length along an axis that belongs to a component with index i: the derivative of the other field along
  /// that axis, in the component's equation, is a difference over it.
  double width(int component, int axis, int i) const {
    return offset(component, axis) > 0 ? edge(axis, i) : dual_edge(axis, i);
  }
  /// dx / width: `drive` of Coefficients is for differences over dx.
  double rate(int component, int axis, int i) const {
    return graded(axis) ? dx / width(component, axis, i) : 1;
  }
  /// Shortest and longest edge along an axis; of cells between two nodes.
  double finest(int axis) const { return extreme(axis, false); }
  double coarsest(int axis) const { return extreme(axis, true); }
  /// Sum over the axes of 1 / (shortest edge)^2: dt^2 times it is below 1 in vacuum (Courant's limit).
  double courant_sum() const {
    double sum = 0;
    for (int a = 0; a < dimensions(mode); ++a) sum += 1 / (finest(a) * finest(a));
    return sum;
  }
  /// Edge of cells, alike along all axes, with the same limit of the time step.
  double limiting_edge() const { return graded() ? std::sqrt(dimensions(mode) / courant_sum()) : dx; }
  /// Whether all cells from node `from` to node `to` have one edge.
  bool even(int axis, int from, int to) const {
    if (!graded(axis)) return true;
    const double first = edge(axis, from);
    for (int i = from + 1; i < to; ++i)
      if (std::abs(edge(axis, i) - first) > 1e-9 * first) return false;
    return true;
  }
  double length(int axis) const {
    return graded(axis) ? lines[axis].back() - lines[axis].front() : dx * cells[axis];
  }
  Vec3 position(int component, const Int3& ijk) const {
    Vec3 p = origin;
    for (int a = 0; a < 3; ++a) {
      if (!active(a)) continue;
      if (graded(a))
        p[a] = place(a, ijk[a] + offset(component, a));
      else
        p[a] += dx * (ijk[a] + offset(component, a));
    }
    return p;
  }
  std::size_t cell_count() const { return std::size_t(cells[0]) * cells[1] * cells[2]; }

 private:
  /// Place of a node of a graded axis.
  double node(int axis, int i) const {
    const auto& at = lines[axis];
    const int n = int(at.size()) - 1;
    if (i >= 0 && i <= n) return at[std::size_t(i)];
    const double period = at[std::size_t(n)] - at[0];
    if (wraps[axis]) {
      const int turns = i >= 0 ? i / n : -((n - 1 - i) / n);
      return at[std::size_t(i - turns * n)] + turns * period;
    }
    return i < 0 ? at[0] + i * (at[1] - at[0])
                 : at[std::size_t(n)] + (i - n) * (at[std::size_t(n)] - at[std::size_t(n) - 1]);
  }
  double extreme(int axis, bool longest) const {
    if (!graded(axis)) return dx;
    double found = edge(axis, 0);
    for (int i = 1; i < cells[axis]; ++i)
      found = longest ? std::max(found, edge(axis, i)) : std::min(found, edge(axis, i));
    return found;
  }
};

/// One layout for every array over the grid: x fastest, one ghost on each side of every active axis, rows
/// aligned to 16 elements. Node -1 of a row lies in the padding behind the row before it.
struct Layout {
  index_t pitch = 0;     ///< elements from a row to the next; at least nx + 2, a multiple of 16
  index_t plane = 0;     ///< elements from a plane to the next
  index_t base = 0;      ///< index of cell (0, 0, 0), a multiple of 16
  std::size_t size = 0;  ///< elements of an array

  Layout() = default;
  explicit Layout(const Grid& g) {
    const auto ghost = [&](int a) { return g.active(a) ? 1 : 0; };
    pitch = (g.cells[0] + 2 + 15) / 16 * 16;
    plane = pitch * (g.cells[1] + 2 * ghost(1));
    base = 16 + pitch * ghost(1) + plane * ghost(2);
    size = std::size_t(16 + plane * (g.cells[2] + 2 * ghost(2)) + 16);
  }
  index_t at(index_t i, index_t j, index_t k) const { return base + i + pitch * j + plane * k; }
  index_t at(const Int3& c) const { return at(c[0], c[1], c[2]); }
  index_t stride(int axis) const { return axis == 0 ? 1 : axis == 1 ? pitch : plane; }
};

/// The cell that an element of an array belongs to.
inline Int3 cell_of(const Grid& g, index_t element) {
  const Layout l(g);
  index_t rest = element - l.base;
  Int3 at;
  at[2] = int(rest / l.plane), rest %= l.plane;
  at[1] = int(rest / l.pitch);
  at[0] = int(rest % l.pitch);
  return at;
}

/// Twice the share that an edge along an axis, the one below (`back`) or above a node, has in the mean of
/// both there: by their lengths.
inline double share_in_node(const Grid& g, int axis, index_t edge, int back) {
  if (!g.graded(axis)) return 1;
  const int i = cell_of(g, edge)[axis];
  return g.edge(axis, i) / g.dual_edge(axis, i + back);
}

}  // namespace umov::fdtd
