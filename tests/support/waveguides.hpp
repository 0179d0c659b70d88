// Straight waveguides for tests: permittivities put on the edges of an empty problem.
#pragma once

#include <cmath>
#include <functional>
#include <map>

#include "fdtd/problem.hpp"

namespace umov::fdtd::support {

/// Gives every edge eps(place); for few different values.
inline void paint_eps(Problem& p, const std::function<double(const Vec3&)>& eps) {
  const Layout layout(p.grid);
  std::map<double, std::uint16_t> known;
  const auto index = [&](double value) {
    const auto [it, fresh] = known.try_emplace(value, std::uint16_t(p.coefficients.size()));
    if (fresh) p.coefficients.push_back({1, p.grid.dt / p.grid.dx / value});
    return it->second;
  };
  const auto top = [&](int a) { return p.grid.active(a) ? p.grid.cells[a] : 0; };
  for (int c = 0; c < 3; ++c) {
    if (!has_component(p.grid.mode, c)) continue;
    p.material[c].assign(layout.size, 0);
    for (int k = 0; k <= top(2); ++k)
      for (int j = 0; j <= top(1); ++j)
        for (int i = 0; i <= top(0); ++i)
          p.material[c][layout.at(i, j, k)] = index(eps(p.grid.position(Component(c), {i, j, k})));
  }
}

/// A slab |x_axis| < 1/2; edges on its faces have the mean.
inline std::function<double(const Vec3&)> slab_eps(int axis, double eps, double dx) {
  return [=](const Vec3& r) {
    const double x = std::abs(r[axis]);
    return x < 0.5 - 1e-6 * dx ? eps : x < 0.5 + 1e-6 * dx ? (eps + 1) / 2 : 1.0;
  };
}

/// A rod along z: the mean over a square of a cell, rounded to a hundredth of the contrast.
inline double rod_eps(const Vec3& r, double radius, double eps, double dx) {
  int inside = 0;
  for (int i = 0; i < 10; ++i)
    for (int j = 0; j < 10; ++j)
      inside += std::hypot(r[0] + dx * (i - 4.5) / 10, r[1] + dx * (j - 4.5) / 10) < radius;
  return 1 + (eps - 1) * inside / 100;
}

}  // namespace umov::fdtd::support
