// Cells with rough interfaces against a direct solution, energy, and one backend against the other.
#include <gtest/gtest.h>

#include <cmath>

#include "harmonic/glass_cell.hpp"
#include "harmonic/sparse_reference.hpp"
#include "harmonic/wavy_cell.hpp"

namespace umov::harmonic {
namespace {

double difference(const Solved& s, const SparseReference::Vector& reference) {
  double apart = 0, size = 0;
  for (index_t i = 0; i < reference.size(); ++i) {
    apart += std::norm(s.fields.values[i] - reference[i]);
    size += std::norm(reference[i]);
  }
  return std::sqrt(apart / size);
}

struct RoughWay {
  Polarization polarization;
  double angle, period_y;
};

class HarmonicRough : public testing::TestWithParam<RoughWay> {};

TEST_P(HarmonicRough, FieldsAreThoseOfADirectSolution) {
  const RoughWay way = GetParam();
  const auto cell =
      small_cell(way.period_y > 0 ? 0.075 : 0.3, way.period_y);  // in space small: LU takes long
  SolveOptions options;
  options.tolerance = 1e-9;
  const Solved s = solve_cell(cell, dielectrics, 0.55, way.angle, way.polarization, options);
  ASSERT_TRUE(s.report.converged) << s.report.residual;
  IncidentWave wave;
  const auto reference = SparseReference(s.problem).solve(layered_field(s.problem, way.polarization, wave));
  EXPECT_LT(difference(s, reference), 1e-7);  // the residual times the system's amplification
  EXPECT_NEAR(s.budget.sum(), 1, 1e-4);       // absorbing layers of 16 planes send that back
  EXPECT_GT(s.report.iterations, 5);
}

INSTANTIATE_TEST_SUITE_P(Cells, HarmonicRough,
                         testing::Values(RoughWay{Polarization::s, 0, 0}, RoughWay{Polarization::p, 0, 0},
                                         RoughWay{Polarization::s, 25 * degree, 0},
                                         RoughWay{Polarization::p, 25 * degree, 0},
                                         RoughWay{Polarization::p, 25 * degree, 0.05},
                                         RoughWay{Polarization::s, 0, 0.05}),
                         [](const auto& info) {
                           return std::string(info.param.polarization == Polarization::s ? "s" : "p") +
                                  (info.param.angle > 0 ? "Oblique" : "") +
                                  (info.param.period_y > 0 ? "InSpace" : "");
                         });

class HarmonicRoughSilver : public testing::TestWithParam<RoughWay> {};

TEST_P(HarmonicRoughSilver, FieldsAreThoseOfADirectSolution) {
  const RoughWay way = GetParam();
  auto cell = grid_cell({0, 0.1, 0.2}, 0.0125, way.period_y > 0 ? 0.075 : 0.3, way.period_y, 0.2);
  make_wavy(cell, 1, 0.02);
  make_wavy(cell, 2, 0.03);
  const cplx silver = std::pow(cplx(0.049, 3.248), 2);
  SolveOptions options;
  options.tolerance = 1e-9;
  const Solved s = solve_cell(cell, {2.25, cplx(17, 1.2), cplx(3.4, 0.01), silver}, 0.55, way.angle,
                              way.polarization, options);
  ASSERT_TRUE(s.problem.metal_is_rough);
  ASSERT_TRUE(s.report.converged) << s.report.residual;
  RecordProperty("iterations", int(s.report.iterations));
  IncidentWave wave;
  const auto reference = SparseReference(s.problem).solve(layered_field(s.problem, way.polarization, wave));
  EXPECT_LT(difference(s, reference),
            1e-6);  // the residual times the system's amplification, large at silver's corners
  EXPECT_NEAR(s.budget.sum(), 1, 1e-4);
}

INSTANTIATE_TEST_SUITE_P(Cells, HarmonicRoughSilver,
                         testing::Values(RoughWay{Polarization::s, 0, 0}, RoughWay{Polarization::p, 0, 0},
                                         RoughWay{Polarization::p, 25 * degree, 0},
                                         RoughWay{Polarization::p, 0, 0.05},
                                         RoughWay{Polarization::s, 25 * degree, 0.05}),
                         [](const auto& info) {
                           return std::string(info.param.polarization == Polarization::s ? "s" : "p") +
                                  (info.param.angle > 0 ? "Oblique" : "") +
                                  (info.param.period_y > 0 ? "InSpace" : "");
                         });

TEST(HarmonicRoughCell, TheSourceIsASheetAndNothingElse) {
  const auto cell = small_cell(0.3, 0);
  const auto p = make_problem(cell, dielectrics, 0.55, {4, 0});
  for (const auto polarization : {Polarization::s, Polarization::p}) {
    IncidentWave wave;
    const SparseReference reference(p);
    const SparseReference::Vector b =
        reference.matrix(false) * reference.spread(layered_field(p, polarization, wave));
    const index_t columns = p.grid.columns();
    double sheet = 0, elsewhere = 0;
    for (index_t i = 0; i < b.size(); ++i) {
      const int k = int(i / columns) % p.grid.nz;
      (k == p.grid.source || k == p.grid.source - 1 ? sheet : elsewhere) += std::norm(b[i]);
    }
    EXPECT_GT(sheet, 1);
    EXPECT_LT(std::sqrt(elsewhere / sheet), 1e-11);
  }
}

TEST(HarmonicRoughCell, TheCpuGivesTheNumbersOfTheSerialReferee) {
  const auto cell = small_cell(0.3, 0.15);
  SolveOptions options;
  options.tolerance = 1e-8;
  const Solved one = solve_cell(cell, dielectrics, 0.6, 0.2, Polarization::p, options, {"serial", 0});
  const Solved two = solve_cell(cell, dielectrics, 0.6, 0.2, Polarization::p, options, {"cpu", 2});
  ASSERT_TRUE(one.report.converged && two.report.converged);
  EXPECT_NEAR(one.budget.reflection, two.budget.reflection, 1e-7);
  EXPECT_NEAR(one.budget.absorption[2], two.budget.absorption[2], 1e-7);
}

TEST(HarmonicRoughCell, ASmoothTiltlessMapChangesNothing) {
  // a height map that is the same everywhere is a flat interface at another depth
  auto mapped = grid_cell({0, 0.1, 0.25}, 0.0125, 0.3), flat = grid_cell({0, 0.12, 0.25}, 0.0125, 0.3);
  mapped.interfaces[1].height.assign(2 * mapped.grid.nx, 0.02);
  const Solved a = solve_cell(mapped, dielectrics, 0.55, 0.3, Polarization::p);
  const Solved b = solve_cell(flat, dielectrics, 0.55, 0.3, Polarization::p);
  EXPECT_EQ(a.problem.rough_planes(), 0);
  EXPECT_NEAR(a.budget.reflection, b.budget.reflection, 1e-12);
}

TEST(HarmonicRoughCell, AShiftOfTheTextureAlongThePeriodChangesNoPower) {
  auto cell = small_cell(0.3, 0);
  SolveOptions options;
  options.tolerance = 1e-8;
  const Solved a = solve_cell(cell, dielectrics, 0.55, 0.4, Polarization::p, options);
  auto& h = cell.interfaces[1].height;
  std::rotate(h.begin(), h.begin() + 10, h.end());  // five cells
  const Solved b = solve_cell(cell, dielectrics, 0.55, 0.4, Polarization::p, options);
  EXPECT_NEAR(a.budget.reflection, b.budget.reflection, 1e-7);
  for (int m = 0; m < 4; ++m) EXPECT_NEAR(a.budget.absorption[m], b.budget.absorption[m], 1e-7);
}

}  // namespace
}  // namespace umov::harmonic
