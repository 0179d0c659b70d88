// Folding of the whole domain onto its computed part.
#include "fdtd/observables/whole.hpp"

#include <algorithm>

#include "fdtd/model/extent.hpp"
#include "fdtd/wall_kind.hpp"

namespace umov::fdtd {

Whole::Whole(const Simulation& sim, const Problem& p)
    : grid_(p.grid), walls_(p.walls), closure_(p.walls), phase_(p.bloch_phase) {
  for (int a = 0; a < dimensions(grid_.mode); ++a) {
    const int n = grid_.cells[a];
    last_[a] = n;
    for (int side = 0; side < 2; ++side) {
      layers_[a][side] = p.pml[a][side].layers;
      if (is_mirror(sim.walls[a][side])) mirror_[a] = {side, is_even_mirror(sim.walls[a][side])};
    }
    const int side = mirror_[a].side;
    if (side < 0) continue;
    (side == 0 ? first_ : last_)[a] += side == 0 ? -n : n;
    closure_[a][side] = closure_[a][1 - side];
    layers_[a][side] = layers_[a][1 - side];
  }
}

double Whole::place(int axis, double u) const {
  if (!grid_.graded(axis)) return grid_.origin[axis] + grid_.dx * u;
  const int side = mirror_[axis].side, plane = side == 1 ? grid_.cells[axis] : 0;
  const bool behind = side == 0 ? u < 0 : side == 1 && u > plane;
  return behind ? -grid_.place(axis, 2 * plane - u) : grid_.place(axis, u);
}

int Whole::nearest_node(int axis, double x) const {
  if (grid_.graded(axis)) {
    const int plane = mirror_[axis].side == 1 ? grid_.cells[axis] : 0;
    const bool behind = mirrored(axis) && (mirror_[axis].side == 0 ? x < 0 : x > 0);
    const double u = behind ? 2 * plane - grid_.index(axis, -x) : grid_.index(axis, x);
    return int(std::clamp(std::round(u), double(first_[axis]), double(last_[axis])));
  }
  // Counted from the low end, as without a plane, so that places half-way between nodes go the same way.
  const double n = std::round((x - place(axis, first_[axis])) / grid_.dx);
  return first_[axis] + int(std::clamp(n, 0.0, double(last_[axis] - first_[axis])));
}

void Whole::reflect(Component c, int axis, Stored& s) const {
  const Mirror& m = mirror_[axis];
  const int n = grid_.cells[axis], half = grid_.offset(c, axis) > 0 ? 1 : 0;
  int& i = s.cell[axis];
  const double sign = parity(c, axis, m.even);
  const int plane = m.side == 0 ? 0 : n;
  if (!half && i == plane && sign < 0) {
    s = {{}, 0};
    return;
  }
  const bool behind = m.side == 0 ? i < 0 : i + half > n;
  if (!behind) return;
  i = 2 * plane - half - i;
  s.factor *= sign;
}

void Whole::wrap(Component c, int axis, Stored& s) const {
  const int n = grid_.cells[axis];
  int& i = s.cell[axis];
  if (walls_[axis][1] == Closure::periodic) {
    const int periods = i >= 0 ? i / n : -((n - 1 - i) / n);
    i -= periods * n;
    if (periods != 0) s.factor *= std::polar(1.0, periods * phase_[axis]);
  } else if (i >= n && !(grid_.offset(c, axis) == 0 && i == n && walls_[axis][1] == Closure::pmc)) {
    s = {{}, 0};  // on a conducting wall
  }
}

Stored Whole::stored(Component c, Int3 cell) const {
  Stored s{cell, 1};
  for (int a = 0; a < dimensions(grid_.mode); ++a) {
    if (mirrored(a)) reflect(c, a, s);
    if (s.factor == 0.0) return s;
    wrap(c, a, s);
    if (s.factor == 0.0) return s;
  }
  return s;
}

Vec3 Whole::image(Vec3 at) const {
  for (int a = 0; a < dimensions(grid_.mode); ++a)
    // A symmetry plane lies at 0.
    if (mirrored(a)) at[a] = mirror_[a].side == 0 ? std::abs(at[a]) : -std::abs(at[a]);
  return at;
}

}  // namespace umov::fdtd
