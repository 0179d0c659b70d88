// Weights of grid points for values at a place.
#include "fdtd/observables/interpolation.hpp"

#include <fmt/format.h>

#include "core/error.hpp"
#include "fdtd/shares.hpp"

namespace umov::fdtd {

namespace {

WeightedCells real_weights(const std::vector<std::pair<index_t, cplx>>& points, double whole) {
  WeightedCells w;
  for (const auto& [cell, weight] : points) {
    w.cells.push_back(cell);
    w.weights.push_back(weight.real() / whole);
  }
  return w;
}

}  // namespace

WeightedCells interpolate(const Whole& whole, const Problem& p, Component c, const Vec3& at) {
  const Vec3 there = whole.image(at);
  double sign = 1;
  for (int a = 0; a < dimensions(p.grid.mode); ++a)
    if (there[a] != at[a]) sign *= parity(c, a, p.walls[a][whole.mirror_side(a)] == Closure::pmc);
  const auto along = [&](int a) {
    const double u = p.grid.index(a, there[a]);
    return axis_shares(p, c, a, u, u, Use::reading);
  };
  PointWeights sum;
  sum.add(Layout(p.grid), along(0), along(1), along(2));
  return real_weights(sum.take(), sign);
}

WeightedCells place(const MonitorSpec& m, Component c, const Simulation& sim, const Problem& p,
                    bool squares) {
  if (m.pixels.empty()) {
    const Whole whole(sim, p);
    const Region e = region_of(m, whole);
    if (e.lo != e.hi)
      throw BadInput(
          fmt::format("{} has an extent (a series is taken at a point or over a drawn shape); set its "
                      "size to 0",
                      called(m)));
    return interpolate(Whole(sim, p), p, c, m.center);
  }
  const DrawnCells drawn{m.pixels, m.raster};
  if (const Int3* cell = drawn.outside(p.grid)) {
    const Int3 n = drawn.raster_on(p.grid);
    throw BadInput(fmt::format("{} has the cell ({}, {}, {}) (the grid has {} x {} x {}); move it inside",
                               called(m), (*cell)[0], (*cell)[1], (*cell)[2], n[0], n[1], n[2]));
  }
  return real_weights(drawn_weights(p, c, drawn, squares ? Use::squares : Use::reading),
                      drawn_area(p.grid, drawn));
}

}  // namespace umov::fdtd
