// Scattering by infinite cylinders against the exact series.
#include <gtest/gtest.h>

#include "scattering_cases.hpp"
#include "support/cylinder_functions.hpp"
#include "support/record.hpp"

using namespace umov;
using namespace umov::fdtd;
using namespace umov::test;

namespace {

ScatteringCase dielectric(double index, std::vector<double> x, double center, double width) {
  ScatteringCase c;
  c.x = std::move(x);
  c.center = center;
  c.width = width;
  c.material = constant("glass", index * index);
  return c;
}

/// Relative error of Qsca per size parameter.
std::vector<double> errors(ScatteringCase c, double resolution, bool te) {
  c.resolution = resolution;
  const double index = std::sqrt(c.material.constants.eps[0]);
  const auto found = cylinder_run(c, te);
  std::vector<double> e;
  for (std::size_t i = 0; i < c.x.size(); ++i) {
    const double exact = cylinder_efficiencies(c.x[i], index, !te).scattering;
    e.push_back(found.scattering[i] / exact - 1);
    test::record(
        "cylinder %s m %.1f x %.0f, %.0f cells per radius: Qsca %.6f (exact %.6f, %+.3f %%), Qext - Qsca "
        "%.1e",
        te ? "TE" : "TM", index, c.x[i], resolution, found.scattering[i], exact, 100 * e.back(),
        found.extinction[i] - found.scattering[i]);
    // Nothing absorbs, and the grid conserves energy: only the pulse's rest is missing.
    EXPECT_NEAR(found.extinction[i], found.scattering[i], 1e-3);
  }
  return e;
}

/// Within 1 % at 20 cells per radius, and an order of at least 1.5 from 10 to 40 cells: the interfaces are of
/// second order on average, but how they cut cells changes from grid to grid.
void expect_convergence(const ScatteringCase& c, bool te) {
  const auto coarse = errors(c, 10, te), usual = errors(c, 20, te), fine = errors(c, 40, te);
  for (std::size_t i = 0; i < c.x.size(); ++i) {
    EXPECT_LT(std::abs(usual[i]), 0.01) << "x = " << c.x[i];
    EXPECT_GT(order_of(coarse[i], fine[i], 4), 1.5) << "x = " << c.x[i];
  }
}

}  // namespace

TEST(FdtdCylinder, ScatteringOfIndexTwoWithEAlongConvergesToTheSeries) {
  expect_convergence(dielectric(2, {1, 2}, 1.5, 0.3), false);
}

TEST(FdtdCylinder, ScatteringOfIndexThreeWithEAlongConvergesToTheSeries) {
  expect_convergence(dielectric(3, {1}, 1, 0.3), false);
}

TEST(FdtdCylinder, ScatteringOfIndexOneAndAHalfWithEAlongConvergesToTheSeries) {
  expect_convergence(dielectric(1.5, {3}, 3, 0.2), false);
}

TEST(FdtdCylinder, ScatteringWithHAlongConvergesToTheSeries) {
  expect_convergence(dielectric(2, {1, 2}, 1.5, 0.3), true);
}

// With E along the surface poles are averaged by volume: second order.
TEST(FdtdCylinder, ScatteringOfAMetalWithEAlongMatchesTheSeries) {
  auto c = silver_like_body();
  c.resolution = 20;
  const auto found = cylinder_run(c, false);
  const auto exact = cylinder_efficiencies(1, silver_like_index, true);
  test::record(
      "cylinder TM silver-like x 1, 20 cells per radius: Qsca %.5f (exact %.5f), Qext %.5f (exact %.5f)",
      found.scattering[0], exact.scattering, found.extinction[0], exact.extinction);
  EXPECT_NEAR(found.scattering[0] / exact.scattering, 1, 1e-3);
  EXPECT_NEAR(found.extinction[0] / exact.extinction, 1, 1e-3);
}

namespace {

/// d ln Qsca / d ln x, large on the flank of a resonance.
double sensitivity(double x, double index, bool te) {
  const double step = 1e-5, q = cylinder_efficiencies(x, index, !te).scattering;
  return (cylinder_efficiencies(x * (1 + step), index, !te).scattering / q - 1) / step;
}

}  // namespace

// Waves inside are (m x / 80)^2 / 24 too short, as if the cylinder were larger: that moves resonances, for m
// = 3 and x = 2 with H along by more than anything else adds.
TEST(ValidateFdtdCylinder, ScatteringOnFineGridsIsOffByTheDispersionInside) {
  const double cells = 80;
  for (const bool te : {false, true})
    for (const double index : {1.5, 2.0, 3.0}) {
      const auto e = errors(dielectric(index, {1, 2}, 1.5, 0.3), cells, te);
      for (int i = 0; i < 2; ++i) {
        const double x = i + 1, dispersion = index * index * x * x / (24 * cells * cells);
        EXPECT_LT(std::abs(e[i]), 5e-4 + 1.5 * dispersion * std::abs(sensitivity(x, index, te)));
      }
    }
}
