// Weights of grid points for values at a place.
#include "fdtd/observables/interpolation.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.hpp"

namespace umov::fdtd {

WeightedCells interpolate(const Whole& whole, Component c, const Vec3& at) {
  const Grid& g = whole.grid();
  const Layout layout(g);
  Int3 low{0, 0, 0};
  Vec3 fraction{0, 0, 0};
  for (int a = 0; a < dimensions(g.mode); ++a) {
    const int first = whole.first(a), cells = whole.last(a) - first;
    const double u = (at[a] - whole.place(a, first)) / g.dx - g.offset(c, a);
    const double x = std::clamp(u, 0.0, double(cells - 1));
    low[a] = std::min(int(x), std::max(0, cells - 2));
    fraction[a] = x - low[a];
    low[a] += first;
  }
  WeightedCells w;
  for (int corner = 0; corner < 8; ++corner) {
    Int3 cell = low;
    double weight = 1;
    for (int a = 0; a < 3; ++a) {
      const bool high = corner >> a & 1;
      cell[a] += high;
      weight *= high ? fraction[a] : 1 - fraction[a];
    }
    if (weight < 1e-9) continue;
    const Stored s = whole.stored(c, cell);
    if (s.factor == 0.0) continue;
    w.cells.push_back(layout.at(s.cell));
    w.weights.push_back(weight * s.factor.real());
  }
  return w;
}

WeightedCells place(const MonitorSpec& m, Component c, const Simulation& sim, const Problem& p) {
  const Grid& g = p.grid;
  if (m.pixels.empty()) {
    const Whole whole(sim, p);
    const Region e = region_of(m, whole);
    if (e.lo != e.hi)
      throw BadInput(
          fmt::format("{} has an extent (a series is taken at a point or over a drawn shape) set its "
                      "size to 0",
                      called(m)));
    return interpolate(whole, c, m.center);
  }
  const Layout layout(g);
  WeightedCells w;
  for (const Int3& cell : m.pixels) {
    for (int a = 0; a < 3; ++a)
      if (cell[a] < 0 || cell[a] >= g.cells[a])
        throw BadInput(fmt::format("{} has the cell ({}, {}, {}) (the grid has {} x {} x {}) move it inside",
                                   called(m), cell[0], cell[1], cell[2], g.cells[0], g.cells[1], g.cells[2]));
    w.cells.push_back(layout.at(cell));
  }
  w.weights.assign(w.cells.size(), 1.0 / double(w.cells.size()));
  return w;
}

}  // namespace umov::fdtd
