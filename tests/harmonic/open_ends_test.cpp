// Open ends: half spaces that go on, at any angle and for every order.
#include <gtest/gtest.h>

#include <cmath>

#include "backend/registry.hpp"
#include "harmonic/marched.hpp"
#include "harmonic/method.hpp"
#include "harmonic/orders.hpp"
#include "harmonic/pseudo_time_coefficients.hpp"
#include "harmonic/wavy_cell.hpp"

namespace umov::harmonic {
namespace {

constexpr double degree = pi / 180, wavelength = 0.55;

bool is_missing(const std::string& backend, std::string& why) {
  for (const auto& b : backend::list_backends())
    if (b.name == backend) {
      why = b.why_not;
      return !b.available;
    }
  return true;
}

Solved solve_open(const layers::FlatStack& stack, double angle, Polarization polarization, double cell) {
  std::vector<double> depths{0};
  std::vector<cplx> media{stack.superstrate};
  for (const auto& layer : stack.layers) {
    depths.push_back(depths.back() + layer.thickness);
    media.push_back(layer.permittivity);
  }
  media.push_back(stack.substrate);
  return solve_cell(grid_cell(depths, cell, 0, 0, 0), media, wavelength, angle, polarization);
}

/// Largest error of R, T and the absorption of the layer.
double worst(const layers::FlatStack& stack, double angle, Polarization polarization, double cell) {
  const auto s = solve_open(stack, angle, polarization, cell);
  const auto exact = flat_response(stack, wavelength, angle, polarization);
  EXPECT_NEAR(s.budget.sum(), 1, 1e-9) << angle / degree;
  return std::max({std::abs(s.budget.reflection - exact.reflection),
                   std::abs(s.budget.transmission + s.budget.absorption.back() - exact.transmission),
                   std::abs(s.budget.absorption[1] - exact.absorption[0])});
}

TEST(HarmonicOpenEnds, FlatStacksAreExactToTheGridUpToGrazingIncidence) {
  const layers::FlatStack down{1, {{0.1, cplx(3.4, 0.01)}}, 2.25}, up{2.25, {{0.1, cplx(3.4, 0.01)}}, 1},
      metal{1, {{0.1, cplx(3.4, 0.01)}}, cplx(0.05, 3.2) * cplx(0.05, 3.2)};
  const double total = std::asin(1 / 1.5) / degree;
  for (const auto polarization : {Polarization::s, Polarization::p})
    for (const auto* stack : {&down, &up, &metal})
      for (const double angle : {total - 1e-6, total, total + 1e-6, total + 0.1, 86.0, 88.0, 89.5, 89.9}) {
        const double coarse = worst(*stack, angle * degree, polarization, 0.015),
                     fine = worst(*stack, angle * degree, polarization, 0.005);
        // measured: 1.2e-2 and 6.7e-4 at most, of second order or better
        EXPECT_LT(coarse, 1.5e-2) << angle;
        EXPECT_LT(fine, 1e-3) << angle;
      }
}

TEST(HarmonicOpenEnds, ThickerEndsChangeNothing) {
  const layers::FlatStack thin{2.25, {{0.1, cplx(3.4, 0.01)}}, 1},
      thick{2.25, {{0.3, 2.25}, {0.1, cplx(3.4, 0.01)}, {0.4, 1}}, 1};
  for (const auto polarization : {Polarization::s, Polarization::p})
    for (const double angle : {0.0, 30.0, 42.0, 89.0}) {
      const auto a = solve_open(thin, angle * degree, polarization, 0.01),
                 b = solve_open(thick, angle * degree, polarization, 0.01);
      EXPECT_NEAR(a.budget.reflection, b.budget.reflection, 1e-10) << angle;
      EXPECT_NEAR(a.budget.transmission, b.budget.transmission, 1e-10) << angle;
      EXPECT_NEAR(a.budget.absorption[1], b.budget.absorption[2], 1e-10) << angle;
    }
}

/// A wavy oxide and a wavy silicon layer on glass, open at both ends.
LayeredCell open_cell(double period_x, double period_y) {
  auto cell = grid_cell({0, 0.1, 0.25}, 0.0125, period_x, period_y, 0);
  make_wavy(cell, 1, 0.03);
  return cell;
}

TEST(HarmonicOpenEnds, EveryEquationBetweenTheEndsHolds) {
  SolveOptions options;
  options.tolerance = 1e-10;
  for (const auto polarization : {Polarization::s, Polarization::p}) {
    const auto s = solve_cell(open_cell(0.4, 0.3), dielectrics, wavelength, 0.4, polarization, options,
                              {"serial", 0}, 0.3);
    IncidentWave wave;
    const auto layered = layered_field(s.problem, polarization, wave, 0.3);
    const auto lack = equation_residual(s.problem, layered, s.fields);
    const auto& g = s.problem.grid;
    double most = 0, size = 0;
    for (const cplx v : s.fields.values) size = std::max(size, std::abs(v));
    for (int c = 0; c < 3; ++c)
      for (index_t n = g.columns(); n < (g.nz - 1) * g.columns(); ++n)
        most = std::max(most, std::abs(lack[c * g.nz * g.columns() + n]));
    EXPECT_LT(most, 1e-8 * size / (g.spacing[2] * g.spacing[2]));
  }
}

TEST(HarmonicOpenEnds, OrdersSumToThePowersExactly) {
  SolveOptions options;
  options.tolerance = 1e-9;
  for (const auto polarization : {Polarization::s, Polarization::p}) {
    const auto s = solve_cell(open_cell(0.7, 0.45), {2.25, cplx(3.4, 0.01), cplx(17, 1.2), 1}, wavelength,
                              0.4, polarization, options, {"serial", 0}, 0.3);
    double reflected = 0, transmitted = 0;
    for (const auto& o : diffraction_orders(s.problem, s.fields, s.wave, 2.25, 1, 0.3))
      (o.transmitted ? transmitted : reflected) += o.efficiency();
    EXPECT_NEAR(reflected, s.budget.reflection, 1e-9);
    EXPECT_NEAR(transmitted, s.budget.transmission, 1e-9);
    EXPECT_NEAR(s.budget.sum(), 1, 1e-7);
  }
}

class HarmonicOpenBackends : public testing::TestWithParam<const char*> {};

TEST_P(HarmonicOpenBackends, GiveTheFieldsOfTheSerialReferee) {
  const std::string backend = GetParam();
  std::string why;
  if (is_missing(backend, why)) GTEST_SKIP() << why;
  SolveOptions options;
  options.tolerance = 1e-10;
  for (const auto& cell : {open_cell(0.35, 0.25), open_cell(0.4375, 0)}) {
    const auto a = solve_cell(cell, dielectrics, wavelength, 1.5, Polarization::p, options);
    for (const auto precision : {Precision::double_, Precision::single}) {
      const auto b = solve_cell(cell, dielectrics, wavelength, 1.5, Polarization::p, options,
                                {backend, 1, 0, precision});
      EXPECT_TRUE(b.report.converged);
      EXPECT_LT(apart(b.fields, a.fields), 1e-7);  // residuals of 1e-10 times some hundreds
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Devices, HarmonicOpenBackends, testing::Values("cpu", "cuda"));

TEST(HarmonicOpenEnds, AWaveThatNeitherLeavesNorDecaysHasFiniteFields) {
  // normal incidence in vacuum, the first orders of a faint grating at kz = 0 on both sides: the averaged
  // cell is almost empty
  for (const auto polarization : {Polarization::s, Polarization::p}) {
    auto cell = grid_cell({0, 0.1}, 0.0125, wavelength, 0, 0);
    make_wavy(cell, 0, 0.01);
    for (const double contrast : {0.0, 1e-3, 1.0}) {
      const auto s = solve_cell(cell, {1, 1 + contrast, 1}, wavelength, 0, polarization);
      EXPECT_TRUE(s.report.converged) << contrast;
      EXPECT_NEAR(s.budget.sum(), 1, 1e-4) << contrast;
      if (contrast < 0.01) {
        EXPECT_NEAR(s.budget.transmission, 1, 1e-4) << contrast;
      }
    }
  }
}

TEST(HarmonicOpenEnds, PseudoTimeTakesOverBetweenAbsorbingEnds) {
  const auto cell = open_cell(0.3, 0);
  SolveOptions options;
  options.tolerance = 1e-7;
  const Solved whole = solve_cell(cell, dielectrics, wavelength, 0, Polarization::p, options);
  IncidentWave wave;
  const auto layered = layered_field(whole.problem, Polarization::p, wave);
  options.max_iterations = 20;
  std::string said;
  const MethodOptions how{Method::automatic, 100000, [&](const std::string& text) { said += text + "\n"; }};
  Fields fields;
  const auto report = make_engine_by(how, whole.problem, {"serial", 0})->solve(layered, options, fields);
  EXPECT_TRUE(report.converged) << said;
  EXPECT_NE(said.find("pseudo-time goes on from there"), std::string::npos) << said;
  EXPECT_NE(said.find("s a step"), std::string::npos) << said;
  // of second order: beyond open ends waves have their true kz, beyond absorbing ones the grid's
  // measured: 2.6e-4
  EXPECT_LT(apart(fields, whole.fields), 1e-3);
}

TEST(HarmonicOpenEnds, PseudoTimeEndsAtItsLimitAndSaysSo) {
  const auto cell = open_cell(0.3, 0);
  const Problem p = make_problem(cell, dielectrics, wavelength, {0, 0});
  IncidentWave wave;
  const auto layered = layered_field(p, Polarization::s, wave);
  SolveOptions options;
  options.tolerance = 1e-9;
  options.max_iterations = 3;
  std::string said;
  const MethodOptions how{Method::automatic, 100000, [&](const std::string& text) { said += text + "\n"; },
                          1e-3};
  Fields fields;
  const auto report = make_engine_by(how, p, {"serial", 0})->solve(layered, options, fields);
  EXPECT_FALSE(report.converged);
  EXPECT_FALSE(report.interrupted);
  EXPECT_NE(report.trouble.find("pseudo_time_limit is 0.001 s"), std::string::npos) << report.trouble;
}

TEST(HarmonicMethod, AForecastGoesOnFromTheLaterHalfOfAFall) {
  Forecast forecast;
  for (int n = 0; n < 100; ++n) forecast.add(0.5 * n, n < 40 ? 1 : std::exp(-0.1 * (n - 40)));
  // e per 10 samples of 0.5 s
  EXPECT_NEAR(forecast.left(std::exp(-9.9)), 5 * (9.9 - 5.9), 1e-9);
  EXPECT_EQ(forecast.left(1), -1);
}

}  // namespace
}  // namespace umov::harmonic
