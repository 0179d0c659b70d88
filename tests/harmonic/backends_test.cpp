// Every backend usable here gives the fields of the serial referee, in either precision.
#include <gtest/gtest.h>

#include <cmath>

#include "backend/registry.hpp"
#include "core/error.hpp"
#include "harmonic/grid_cell.hpp"
#include "harmonic/inner_solver.hpp"
#include "harmonic/orders.hpp"

namespace umov::harmonic {
namespace {

bool missing(const std::string& backend, std::string& why) {
  for (const auto& b : backend::list_backends())
    if (b.name == backend) {
      why = b.why_not;
      return !b.available;
    }
  return true;
}

/// Oxide over silicon over silver or oxide, with columns of any number, odd ones and one too.
struct Sizes {
  int nx, ny;
  bool metal;
  double angle;
  Polarization polarization;
};
void PrintTo(const Sizes& s, std::ostream* os) {
  *os << s.nx << "x" << s.ny << (s.metal ? " metal " : " dielectric ")
      << (s.polarization == Polarization::s ? "s" : "p") << " " << s.angle / degree;
}

LayeredCell cell_of(const Sizes& s) {
  constexpr double d = 0.0125;
  auto cell = LayeredCell::make({0, 0.1, 0.2}, {d, d, d}, s.nx, s.ny, 0.2, 0.2);
  for (int interface = 1; interface < 3; ++interface) {
    auto& h = cell.interfaces[interface].height;
    for (int j = 0; j < (s.ny > 1 ? 2 * s.ny : 1); ++j)
      for (int i = 0; i < 2 * s.nx; ++i)
        h.push_back(0.02 * std::sin(pi * i / s.nx + 0.3 * interface) +
                    (s.ny > 1 ? 0.01 * std::cos(pi * j / s.ny) : 0));
  }
  return cell;
}

Solved solve(const Sizes& s, const EngineRequest& request, double tolerance = 1e-8) {
  SolveOptions options;
  options.tolerance = tolerance;
  const cplx silver = std::pow(cplx(0.049, 3.248), 2);
  return solve_cell(cell_of(s), {2.25, cplx(17, 1.2), cplx(3.4, 0.01), s.metal ? silver : cplx(2.1)}, 0.55,
                    s.angle, s.polarization, options, request);
}

/// Relative distance of two fields.
double apart(const Solved& a, const Solved& b) {
  double difference = 0, size = 0;
  for (std::size_t i = 0; i < a.fields.values.size(); ++i) {
    difference += std::norm(a.fields.values[i] - b.fields.values[i]);
    size += std::norm(a.fields.values[i]);
  }
  return std::sqrt(difference / size);
}

class HarmonicBackends : public testing::TestWithParam<Sizes> {};

/// Both residuals are below 1e-8; fields may differ by that times the system's amplification, at silver's
/// corners some hundreds.
constexpr double agreed = 5e-6;

/// The precision asked for is that of the iteration, unless float led no further: in tiny cells it reaches
/// 1e-8 or not by the order of its sums.
void expect_begun_in(Precision precision, const SolveReport& report) {
  EXPECT_EQ(report.single || report.fell_back, precision == Precision::single);
  EXPECT_FALSE(report.single && report.fell_back);
}

TEST_P(HarmonicBackends, CpuEqualsSerialInBothPrecisions) {
  const Solved serial = solve(GetParam(), {"serial"});
  ASSERT_TRUE(serial.report.converged) << serial.report.residual;
  EXPECT_GT(serial.report.iterations, 2);
  for (const auto precision : {Precision::double_, Precision::single}) {
    const Solved cpu = solve(GetParam(), {"cpu", 2, 0, precision});
    ASSERT_TRUE(cpu.report.converged) << cpu.report.residual;
    expect_begun_in(precision, cpu.report);
    EXPECT_LT(apart(serial, cpu), agreed);
  }
}

TEST_P(HarmonicBackends, CudaEqualsSerialInBothPrecisions) {
  std::string why;
  if (missing("cuda", why)) GTEST_SKIP() << why;
  const Solved serial = solve(GetParam(), {"serial"});
  for (const auto precision : {Precision::double_, Precision::single}) {
    const Solved cuda = solve(GetParam(), {"cuda", 0, 0, precision});
    ASSERT_TRUE(cuda.report.converged) << cuda.report.residual;
    expect_begun_in(precision, cuda.report);
    EXPECT_LT(apart(serial, cuda), agreed);
  }
}

/// Powers and orders of what an engine hands out for them, nan in all other planes, are those of all planes.
/// The sums of squares are added up in another order: rounding of some thousand terms, 1e-13 of the incident
/// power.
void expect_same_powers(const Sizes& s, const std::string& backend) {
  const Solved whole = solve(s, {backend});
  ASSERT_TRUE(whole.report.converged);
  EXPECT_TRUE(whole.fields.whole());
  IncidentWave wave;
  const auto layered = layered_field(whole.problem, s.polarization, wave, 0);
  Fields fields = whole.fields;
  std::fill(fields.values.begin(), fields.values.end(), cplx(std::nan(""), 0));
  SolveOptions options;
  options.tolerance = 1e-8;
  options.whole = false;
  ASSERT_TRUE(make_engine(whole.problem, {backend})->solve(layered, options, fields).converged);
  EXPECT_FALSE(fields.whole());
  const Budget budget = power_budget(whole.cell, whole.problem, fields, wave);
  EXPECT_NEAR(budget.reflection, whole.budget.reflection, 1e-13);
  EXPECT_NEAR(budget.transmission, whole.budget.transmission, 1e-13);
  for (std::size_t m = 0; m < budget.absorption.size(); ++m) {
    EXPECT_NEAR(budget.absorption[m], whole.budget.absorption[m], 1e-13);
    for (std::size_t k = 0; k < budget.density[m].size(); ++k)
      EXPECT_NEAR(budget.density[m][k], whole.budget.density[m][k], 1e-11);  // per um: 80 planes
  }
  const auto orders = diffraction_orders(whole.problem, fields, wave, 2.25, 3.4, 0),
             expected = diffraction_orders(whole.problem, whole.fields, wave, 2.25, 3.4, 0);
  ASSERT_EQ(orders.size(), expected.size());
  for (std::size_t n = 0; n < orders.size(); ++n) EXPECT_EQ(orders[n].efficiency(), expected[n].efficiency());
}

TEST_P(HarmonicBackends, PowersNeedNotAllPlanes) {
  expect_same_powers(GetParam(), "serial");
  expect_same_powers(GetParam(), "cpu");
}

TEST_P(HarmonicBackends, PowersNeedNotAllPlanesOfAGpu) {
  std::string why;
  if (missing("cuda", why)) GTEST_SKIP() << why;
  expect_same_powers(GetParam(), "cuda");
}

INSTANTIATE_TEST_SUITE_P(
    Cells, HarmonicBackends,
    testing::Values(Sizes{17, 1, true, 0, Polarization::p}, Sizes{16, 1, true, 25 * degree, Polarization::p},
                    Sizes{9, 1, false, 25 * degree, Polarization::s}, Sizes{2, 1, true, 0, Polarization::p},
                    Sizes{5, 7, true, 0, Polarization::p}, Sizes{7, 5, true, 25 * degree, Polarization::s},
                    Sizes{6, 3, false, 25 * degree, Polarization::p},
                    Sizes{9, 2, true, 10 * degree, Polarization::p}));

TEST(HarmonicTiles, AreExactWhereOneHoldsThePeriod) {
  // with one tile the gradients are solved for exactly: any other cut takes more iterations
  const Sizes s{12, 1, true, 0.2, Polarization::p};
  const Solved one = solve(s, {"serial", 0, 0, Precision::double_, 12, 0});
  const Solved many = solve(s, {"serial", 0, 0, Precision::double_, 2, 1});
  ASSERT_TRUE(one.report.converged && many.report.converged);
  EXPECT_LT(one.report.iterations, many.report.iterations);
  EXPECT_LT(apart(one, many), agreed);
}

TEST(HarmonicStarts, OfNeighboursGiveTheSameFieldsInFewerIterations) {
  const Sizes s{12, 1, true, 0.2, Polarization::p};
  const auto cell = cell_of(s);
  const std::vector<cplx> media{2.25, cplx(17, 1.2), cplx(3.4, 0.01), std::pow(cplx(0.049, 3.248), 2)};
  std::unique_ptr<Engine> engine;
  long with = 0, without = 0;
  for (const double wavelength : {0.55, 0.552, 0.554, 0.556, 0.558}) {
    const Problem p = make_problem(cell, media, wavelength, {2 * pi / wavelength * 1.5 * std::sin(0.2), 0});
    if (engine)
      engine->change(p);
    else
      engine = make_engine(p, {"cpu", 1});
    Solved started, fresh;
    const auto layered = layered_field(p, Polarization::p, started.wave);
    SolveOptions options;
    options.tolerance = 1e-8;
    fresh.report = make_engine(p, {"cpu", 1})->solve(layered, options, fresh.fields);
    options.series = 0;
    started.report = engine->solve(layered, options, started.fields);
    ASSERT_TRUE(started.report.converged && fresh.report.converged);
    EXPECT_LT(apart(fresh, started), agreed);
    with += started.report.iterations;
    without += fresh.report.iterations;
  }
  EXPECT_LT(with, without);
}

TEST(HarmonicPasses, GoOnInDoubleWhereFloatLeadsNoFurtherAndBeginInFloatAtTheNextWavelength) {
  // below what residuals in double can tell no pass leads further, in either precision
  const Sizes s{12, 1, true, 0.2, Polarization::p};
  const Solved serial = solve(s, {"serial"});
  const EngineRequest request{"cpu", 1, 0, Precision::single};
  const auto engine = make_engine(serial.problem, request);
  IncidentWave wave;
  const auto layered = layered_field(serial.problem, s.polarization, wave);
  SolveOptions options;
  options.tolerance = 1e-18;
  Solved fallen, next;
  fallen.report = engine->solve(layered, options, fallen.fields);
  EXPECT_TRUE(fallen.report.fell_back);
  EXPECT_FALSE(fallen.report.single || fallen.report.converged);
  EXPECT_LT(fallen.report.residual, 1e-12);
  EXPECT_LT(apart(serial, fallen), agreed);
  engine->change(serial.problem);
  options.tolerance = 1e-8;
  next.report = engine->solve(layered, options, next.fields);
  EXPECT_TRUE(next.report.single && next.report.converged);
  EXPECT_FALSE(next.report.fell_back);
  EXPECT_LT(apart(serial, next), agreed);
}

TEST(HarmonicPasses, ArePoorWhereLittleOfWhatWasAskedForIsReached) {
  EXPECT_FALSE(poor_pass(1, 0.01, 0.4));
  EXPECT_TRUE(poor_pass(1, 0.01, 0.6));
  // near the goal: asked for from 1.3e-4 to 0.9e-4, which leaves more than half in any case
  EXPECT_FALSE(poor_pass(1.3e-4, 0.9e-4, 1.02e-4));
  EXPECT_TRUE(poor_pass(1.3e-4, 0.9e-4, 1.25e-4));
  EXPECT_TRUE(poor_pass(1, 0.01, std::nan("")));
}

TEST(HarmonicEdges, AreAsSteepAsTheSteepestInterfaceInTheirCell) {
  // a wall between half cells 3 and 4, and a flat interface through the same cells that parts them more
  // evenly
  constexpr double d = 0.01;
  auto cell = LayeredCell::make({0, 0.055}, {d, d, d}, 4, 1, 0.2, 0.2, 0.1, 0.1);
  for (int i = 0; i < 8; ++i) cell.interfaces[0].height.push_back(i < 4 ? -0.1 : 0.052);
  EdgeColumn column(cell);
  std::vector<double> parts;
  column.move_to(2, 2, 0);  // at half cell 4: a quarter of its cell is beyond the wall
  const EdgeShape shape = column.parts(cell.first_plane + 5, parts);
  EXPECT_NEAR(parts[0], 0.75 * 0.2, 1e-12);
  EXPECT_NEAR(parts[1], 0.5 - 0.75 * 0.2, 1e-12);
  EXPECT_NEAR(shape.along, 1, 1e-12);
  EXPECT_NEAR(shape.tilt, 15.2 * 15.2 / (1 + 15.2 * 15.2), 1e-12);
}

TEST(HarmonicBackend, IsNamedWhereThereIsNone) {
  const Sizes s{4, 1, false, 0, Polarization::s};
  EXPECT_THROW(solve(s, {"quantum"}), BadInput);
}

}  // namespace
}  // namespace umov::harmonic
