// Small cells with wavy interfaces, for tests.
#pragma once

#include <cmath>
#include <vector>

#include "harmonic/grid_cell.hpp"

namespace umov::harmonic {

/// A wavy interface: two harmonics, so that no symmetry hides a sign.
inline void make_wavy(LayeredCell& cell, int interface, double depth) {
  const auto& g = cell.grid;
  auto& h = cell.interfaces[interface].height;
  for (int j = 0; j < (g.ny > 1 ? 2 * g.ny : 1); ++j)
    for (int i = 0; i < 2 * g.nx; ++i) {
      const double x = pi * i / g.nx, y = g.ny > 1 ? pi * j / g.ny : 0;
      h.push_back(depth * (std::sin(x + 0.3) * std::cos(y) + 0.5 * std::cos(2 * x - y)));
    }
}

/// Oxide over silicon over a substrate; the interface oxide - silicon is wavy.
inline LayeredCell small_cell(double period_x, double period_y) {
  auto cell = grid_cell({0, 0.1, 0.25}, 0.0125, period_x, period_y, 0.2);
  make_wavy(cell, 1, 0.03);
  return cell;
}
inline const std::vector<cplx> dielectrics{2.25, cplx(3.4, 0.01), cplx(17, 1.2), 1};

/// Oxide, silicon, oxide over silver; both interfaces below the silicon's are wavy.
inline LayeredCell silver_cell(double period_x, double period_y) {
  auto cell = grid_cell({0, 0.1, 0.2}, 0.0125, period_x, period_y, 0.2);
  make_wavy(cell, 1, 0.02);
  make_wavy(cell, 2, 0.03);
  return cell;
}
inline const std::vector<cplx> with_silver{2.25, cplx(17, 1.2), cplx(3.4, 0.01),
                                           cplx(0.049, 3.248) * cplx(0.049, 3.248)};

}  // namespace umov::harmonic
