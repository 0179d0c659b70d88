// Flat cells on the grid against the exact solution of flat stacks.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "harmonic/budget.hpp"
#include "harmonic/engine.hpp"
#include "harmonic/glass_cell.hpp"
#include "harmonic/grid_cell.hpp"

namespace umov::harmonic {
namespace {

/// Largest difference of reflection, transmission and absorptions between grid and exact solution.
double worst(const layers::FlatStack& stack, double wavelength, double angle, Polarization polarization,
             double cell) {
  const Solved on_grid = solve_flat(stack, wavelength, angle, polarization, cell);
  const layers::FlatResponse exact = flat_response(stack, wavelength, angle, polarization);
  const bool lossy = stack.substrate.imag() > 0;
  double most = std::abs(on_grid.budget.reflection - exact.reflection);
  most = std::max(most, std::abs((lossy ? on_grid.budget.absorption.back() : on_grid.budget.transmission) -
                                 exact.transmission));
  for (std::size_t i = 0; i < stack.layers.size(); ++i)
    most = std::max(most, std::abs(on_grid.budget.absorption[i + 1] - exact.absorption[i]));
  EXPECT_NEAR(on_grid.budget.sum(), 1, 1e-5) << wavelength;  // what the absorbing layers send back
  return most;
}

TEST(HarmonicFlat, IsWithinHalfAPercentAtTwentyPointsPerWavelengthInTheMaterial) {
  for (const GlassCell& cell : glass_cells())
    for (const auto polarization : {Polarization::s, Polarization::p})
      for (const double angle : {0.0, 30 * degree}) {
        const double h = cell.wavelength / cell.silicon.real() / 20;
        EXPECT_LT(worst(cell.stack(), cell.wavelength, angle, polarization, h), 5e-3)
            << cell.wavelength << " " << angle / degree << (polarization == Polarization::s ? " s" : " p");
      }
}

TEST(HarmonicFlat, ErrorsFallWithTheSquareOfTheCell) {
  // interfaces cut the cells anywhere, so that single errors scatter: the mean over four pairs of grids has
  // the order
  const layers::FlatStack stack = glass_cells()[0].stack();
  for (const auto polarization : {Polarization::s, Polarization::p}) {
    double order = 0;
    for (const double h : {6e-3, 5.5e-3, 5e-3, 4.5e-3})
      order += std::log(worst(stack, 0.55, 20 * degree, polarization, h) /
                        worst(stack, 0.55, 20 * degree, polarization, h / 4)) /
               std::log(4) / 4;
    EXPECT_GT(order, 1.8);
  }
}

TEST(HarmonicFlat, EveryPropertyOfTheGridKeepsTheLawOfEnergy) {
  // beyond the critical angle, through a thin metal film, with an absorbing and a clear substrate
  const cplx silver = std::pow(cplx(0.05, 3.2), 2);
  for (const cplx substrate : {cplx(1), cplx(12, 2), silver})
    for (const auto polarization : {Polarization::s, Polarization::p}) {
      const layers::FlatStack stack{2.25, {{0.1, 1.0}, {0.02, silver}, {0.15, cplx(4, 0.1)}}, substrate};
      worst(stack, 0.55, 55 * degree, polarization, 5e-3);  // expects the sum
    }
}

}  // namespace
}  // namespace umov::harmonic
