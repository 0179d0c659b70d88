// The Yee grid: which components exist, where they sit, and how arrays are laid out.
#pragma once

#include <cstddef>

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
struct Grid {
  Mode mode = Mode::tm;
  Int3 cells{1, 1, 1};   ///< cells along each axis, absorbing layers included; 1 where there is no extent
  double dx = 1;         ///< edge of a cell
  double dt = 1;         ///< time step
  Vec3 origin{0, 0, 0};  ///< place of node (0, 0, 0)

  bool active(int axis) const { return axis < dimensions(mode); }
  /// Offset of a component from its node along an axis, in cells: 0 or 1/2.
  double offset(int component, int axis) const {
    if (!active(axis)) return 0;
    return (is_electric(component) == (axis_of(component) == axis)) ? 0.5 : 0.0;
  }
  Vec3 position(int component, const Int3& ijk) const {
    Vec3 p = origin;
    for (int a = 0; a < 3; ++a)
      if (active(a)) p[a] += dx * (ijk[a] + offset(component, a));
    return p;
  }
  std::size_t cell_count() const { return std::size_t(cells[0]) * cells[1] * cells[2]; }
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

}  // namespace umov::fdtd
