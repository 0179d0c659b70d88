// Flat cells: their powers are known exactly, and with them what the grid is off by.
#include "harmonic/run/flat_powers.hpp"

#include <algorithm>
#include <cmath>

namespace umov::harmonic {

layers::FlatStack flat_stack(const LayeredCell& cell, const std::vector<cplx>& media) {
  layers::FlatStack stack{media.front().real(), {}, media.back()};
  for (std::size_t i = 0; i + 1 < cell.interfaces.size(); ++i) {
    const double thickness = cell.depth_at(i + 1, 0, 0) - cell.depth_at(i, 0, 0);
    stack.layers.push_back({std::max(thickness, 1e-12), media[i + 1]});
  }
  return stack;
}

double largest_error(const Budget& grid, const layers::FlatResponse& exact) {
  double most = std::abs(grid.reflection - exact.reflection);
  most = std::max(most, std::abs(grid.transmission + grid.absorption.back() - exact.transmission));
  for (std::size_t i = 0; i < exact.absorption.size(); ++i)
    most = std::max(most, std::abs(grid.absorption[i + 1] - exact.absorption[i]));
  return most;
}

namespace {

/// A medium's absorbed power; its profile over depth keeps its shape.
void absorb(Budget& budget, std::size_t medium, double power) {
  const double before = budget.absorption[medium];
  budget.absorption[medium] = power;
  for (double& density : budget.density[medium]) density *= before > 0 ? power / before : 0;
}

}  // namespace

void take_exact(SpectrumPoint& point, const layers::FlatResponse& exact, cplx substrate,
                Polarization polarization) {
  Budget& budget = point.budget;
  const double passed = std::max(0.0, exact.transmission);  // beyond total reflection it is rounding
  budget.reflection = exact.reflection;
  for (std::size_t i = 0; i < exact.absorption.size(); ++i) absorb(budget, i + 1, exact.absorption[i]);
  if (substrate.imag() > 0)
    absorb(budget, budget.absorption.size() - 1, passed);
  else
    budget.transmission = passed;
  for (auto& order : point.orders) {
    const bool specular = order.m == 0 && order.n == 0;
    const double power = !specular ? 0 : order.transmitted ? passed : exact.reflection;
    order.s = polarization == Polarization::s ? power : 0;
    order.p = polarization == Polarization::p ? power : 0;
  }
}

}  // namespace umov::harmonic
