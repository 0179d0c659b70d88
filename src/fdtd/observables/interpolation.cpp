// Weights of grid points for values at a place.
#include "fdtd/observables/interpolation.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.hpp"

namespace umov::fdtd {

WeightedCells interpolate(const Grid& g, Component c, const Vec3& at) {
  const Layout layout(g);
  Int3 low{0, 0, 0};
  Vec3 fraction{0, 0, 0};
  for (int a = 0; a < dimensions(g.mode); ++a) {
    const double x = std::clamp((at[a] - g.origin[a]) / g.dx - g.offset(c, a), 0.0, double(g.cells[a] - 1));
    low[a] = std::min(int(x), std::max(0, g.cells[a] - 2));
    fraction[a] = x - low[a];
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
    w.cells.push_back(layout.at(cell));
    w.weights.push_back(weight);
  }
  return w;
}

WeightedCells place(const MonitorSpec& m, Component c, const Simulation& sim, const Problem& p) {
  const Grid& g = p.grid;
  if (m.pixels.empty()) {
    const Region e = region_of(m, sim, p);
    if (e.lo != e.hi)
      throw BadInput(
          fmt::format("{} has an extent (a series is taken at a point or over a drawn shape) set its "
                      "size to 0",
                      called(m)));
    return interpolate(g, c, m.center);
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
