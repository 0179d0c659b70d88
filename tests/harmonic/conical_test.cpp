// Conical incidence: the plane of incidence turned about the normal.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "harmonic/glass_cell.hpp"
#include "harmonic/grid_cell.hpp"
#include "harmonic/orders.hpp"
#include "harmonic/sparse_reference.hpp"

namespace umov::harmonic {
namespace {

const std::vector<cplx> dielectrics{2.25, cplx(3.4, 0.01), cplx(17, 1.2), 1};
const std::vector<cplx> with_silver{2.25, cplx(17, 1.2), cplx(3.4, 0.01), std::pow(cplx(0.049, 3.248), 2)};

/// Heights without symmetry as a function of x and y in periods.
double wave(double x, double y) {
  return 0.02 * (std::sin(2 * pi * x + 0.3) * std::cos(2 * pi * y) + 0.5 * std::cos(4 * pi * x - 2 * pi * y));
}

/// Three interfaces, the second rough (with `metal` the third too); `swapped`: x is called y.
LayeredCell cell_of(double period_x, double period_y, bool swapped, bool metal) {
  auto cell = swapped ? grid_cell({0, 0.1, 0.2}, 0.0125, period_y, period_x, 0.2)
                      : grid_cell({0, 0.1, 0.2}, 0.0125, period_x, period_y, 0.2);
  const auto& g = cell.grid;
  for (int n = 1; n < (metal ? 3 : 2); ++n)
    for (int j = 0; j < (g.ny > 1 ? 2 * g.ny : 1); ++j)
      for (int i = 0; i < 2 * g.nx; ++i) {
        const double x = 0.5 * i / g.nx, y = 0.5 * j / g.ny;
        cell.interfaces[n].height.push_back(swapped ? wave(y, x) : wave(x, y));
      }
  return cell;
}

Solved solve(const LayeredCell& cell, bool metal, double angle, double azimuth, Polarization p) {
  SolveOptions options;
  options.tolerance = 1e-9;
  return solve_cell(cell, metal ? with_silver : dielectrics, 0.55, angle, p, options, {"serial", 0}, azimuth);
}

TEST(HarmonicConical, AFlatStackGivesTheTransferMatrixAtAnyAzimuth) {
  const layers::FlatStack stack = glass_cells()[0].stack();
  for (const auto polarization : {Polarization::s, Polarization::p})
    for (const double angle : {0.0, 30 * degree}) {
      const layers::FlatResponse exact = flat_response(stack, 0.55, angle, polarization);
      const auto at = [&](double azimuth) {
        return solve_flat(stack, 0.55, angle, polarization, 0.55 / 4.6 / 20, azimuth).budget;
      };
      const Budget straight = at(0);
      for (const double azimuth : {17 * degree, 90 * degree, 200 * degree}) {
        const Budget turned = at(azimuth);
        // one column: nothing on the grid knows the azimuth, and rounding is all there is
        EXPECT_NEAR(turned.reflection, straight.reflection, 1e-10) << azimuth;
        EXPECT_NEAR(turned.reflection, exact.reflection, 5e-3);
        for (int m = 0; m < 3; ++m) EXPECT_NEAR(turned.absorption[m + 1], exact.absorption[m], 5e-3);
      }
    }
}

TEST(HarmonicConical, AFlatStackOnManyColumnsDiffersByTheGridsDispersionAlone) {
  // with columns of a wavelength's 29th the lateral wave is 2 / d sin(K d / 2) long: K d / 24 relative
  // squares, which the grid's permittivity takes into account; what is left is the direction of the wave on
  // the grid
  const layers::FlatStack stack = glass_cells()[0].stack();
  std::vector<double> depths{0, 0.5, 0.8, 0.88};
  const std::vector<cplx> media{stack.superstrate, stack.layers[0].permittivity, stack.layers[1].permittivity,
                                stack.layers[2].permittivity, stack.substrate};
  for (const auto polarization : {Polarization::s, Polarization::p}) {
    const layers::FlatResponse exact = flat_response(stack, 0.55, 40 * degree, polarization);
    const Solved s = solve_cell(grid_cell(depths, 0.006, 0.024, 0.018), media, 0.55, 40 * degree,
                                polarization, {}, {"serial", 0}, 33 * degree);
    EXPECT_NEAR(s.budget.reflection, exact.reflection, 5e-3);
    EXPECT_NEAR(s.budget.absorption[2], exact.absorption[1], 5e-3);
    EXPECT_NEAR(s.budget.sum(), 1, 1e-5);
  }
}

struct Turn {
  bool metal;
  double angle, azimuth;
  Polarization polarization;
};

class HarmonicTurned : public testing::TestWithParam<Turn> {};

TEST_P(HarmonicTurned, ACellTurnedByARightAngleGivesTheSameNumbers) {
  const Turn t = GetParam();
  // x and y change names: a mirror image, in which the azimuth counts from the other axis
  const Solved a = solve(cell_of(0.1, 0.075, false, t.metal), t.metal, t.angle, t.azimuth, t.polarization);
  const Solved b =
      solve(cell_of(0.1, 0.075, true, t.metal), t.metal, t.angle, 90 * degree - t.azimuth, t.polarization);
  ASSERT_TRUE(a.report.converged && b.report.converged);
  EXPECT_NEAR(a.budget.reflection, b.budget.reflection, 1e-7);
  for (std::size_t m = 0; m < a.budget.absorption.size(); ++m)
    EXPECT_NEAR(a.budget.absorption[m], b.budget.absorption[m], 1e-7);
  EXPECT_NEAR(a.budget.sum(), 1, 1e-4);  // absorbing layers of 16 planes
}

INSTANTIATE_TEST_SUITE_P(Cells, HarmonicTurned,
                         testing::Values(Turn{false, 25 * degree, 35 * degree, Polarization::s},
                                         Turn{false, 25 * degree, 35 * degree, Polarization::p},
                                         Turn{false, 0, 20 * degree, Polarization::p},
                                         Turn{false, 40 * degree, 90 * degree, Polarization::p},
                                         Turn{true, 25 * degree, 35 * degree, Polarization::p}),
                         [](const auto& info) { return "Turn" + std::to_string(info.index); });

class HarmonicGrooves : public testing::TestWithParam<Turn> {};

TEST_P(HarmonicGrooves, FieldsOfACellThatIsTheSameAlongYAreThoseOfADirectSolution) {
  const Turn t = GetParam();
  const Solved s = solve(cell_of(0.3, 0, false, t.metal), t.metal, t.angle, t.azimuth, t.polarization);
  ASSERT_TRUE(s.report.converged) << s.report.residual;
  EXPECT_EQ(s.problem.metal_is_rough, t.metal);
  IncidentWave wave;
  const auto reference =
      SparseReference(s.problem).solve(layered_field(s.problem, t.polarization, wave, t.azimuth));
  double apart = 0, size = 0;
  for (index_t i = 0; i < reference.size(); ++i) {
    apart += std::norm(s.fields.values[i] - reference[i]);
    size += std::norm(reference[i]);
  }
  EXPECT_LT(std::sqrt(apart / size), 1e-6);  // as in rough_test.cpp
  EXPECT_NEAR(s.budget.sum(), 1, 1e-4);
}

INSTANTIATE_TEST_SUITE_P(Cells, HarmonicGrooves,
                         testing::Values(Turn{false, 25 * degree, 40 * degree, Polarization::s},
                                         Turn{false, 25 * degree, 90 * degree, Polarization::p},
                                         Turn{false, 0, 60 * degree, Polarization::s},
                                         Turn{true, 25 * degree, 40 * degree, Polarization::p},
                                         Turn{true, 30 * degree, 90 * degree, Polarization::s}),
                         [](const auto& info) { return "Turn" + std::to_string(info.index); });

TEST(HarmonicConical, AlongTheNormalTheAzimuthTurnsThePolarization) {
  // grooves along y: s at azimuth 90 has E along -x, as p at azimuth 0 has along x; and powers at 30 degrees
  // lie between by cos^2 and sin^2, as R of a cell with a mirror plane does
  auto cell = grid_cell({0, 0.1, 0.25}, 0.0125, 0.3, 0, 0.2);
  for (int i = 0; i < 2 * cell.grid.nx; ++i)
    cell.interfaces[1].height.push_back(0.03 * std::cos(pi * i / cell.grid.nx));
  const double across = solve(cell, false, 0, 90 * degree, Polarization::s).budget.reflection,
               p = solve(cell, false, 0, 0, Polarization::p).budget.reflection,
               s = solve(cell, false, 0, 0, Polarization::s).budget.reflection,
               between = solve(cell, false, 0, 30 * degree, Polarization::p).budget.reflection;
  EXPECT_NEAR(across, p, 1e-8);
  EXPECT_NEAR(between, 0.75 * p + 0.25 * s, 1e-7);
  EXPECT_GT(std::abs(p - s), 1e-3);
}

}  // namespace
}  // namespace umov::harmonic
