// Currents as sources: what they radiate, and how they sit between cells and at walls.
#include <gtest/gtest.h>

#include <numeric>

#include "core/error.hpp"
#include "fdtd/sources/waveform.hpp"
#include "support/source_problems.hpp"

namespace umov::fdtd {
namespace {

using KindOfSource = SourceSpec::Kind;
using support::add_source;
using support::at;
using support::empty_problem;
using support::serial_engine;

SourceSpec harmonic(double frequency, Component c = Ez) {
  SourceSpec s;
  s.component = c;
  s.waveform.frequency = frequency;
  return s;
}

/// Mean power, over the last period of a run, that a current on one edge feeds into the fields:
/// -E J dx^d summed, with E of both ends of the step. What it feeds is what it radiates.
double radiated_power(Problem p, const SourceSpec& spec, const Int3& cell, int periods) {
  add_source(spec, p);
  const auto engine = serial_engine(p);
  const Signal signal(spec.waveform, "source");
  const int per_period = int(std::lround(1 / (spec.waveform.frequency * p.grid.dt)));
  engine->advance(long(periods) * per_period);
  double power = 0, before = at(*engine, spec.component, cell).real();
  for (int n = 0; n < per_period; ++n) {
    engine->advance(1);
    const double after = at(*engine, spec.component, cell).real();
    power -= signal((double(engine->step()) - 0.5) * p.grid.dt).real() * (before + after) / 2;
    before = after;
  }
  return power / per_period;
}

TEST(FdtdCurrent, LineCurrentInThePlaneRadiatesAnEighthOfItsAngularFrequency) {
  // P = w mu I^2 / 8 per length (Balanis 2012, Advanced Engineering Electromagnetics, chapter 11). The grid's
  // error at 40 cells per wavelength is (k dx)^2 / 24 times some ones: 0.3 %.
  auto p = empty_problem({.mode = Mode::tm, .cells = {121, 121, 1}, .dx = 0.025, .layers = 20});
  auto spec = harmonic(1);
  spec.center = p.grid.position(Ez, {60, 60, 0});
  p.grid.dt = 1.0 / 60;
  for (auto& k : p.coefficients) k.drive = p.grid.dt / p.grid.dx;
  EXPECT_NEAR(radiated_power(p, spec, {60, 60, 0}, 12) / (2 * pi / 8), 1, 0.01);
}

TEST(FdtdCurrent, DipoleRadiatesItsMomentSquaredTimesFrequencySquaredOverTwelvePi) {
  // P = (I l)^2 k^2 / 12 pi for a current element (Jackson 1999, Classical Electrodynamics, 9.2); at 20 cells
  // per wavelength the grid errs by about (k dx)^2 / 12 = 0.8 %, and so do ten layers half a wavelength away.
  auto p = empty_problem({.mode = Mode::full, .cells = {41, 41, 41}, .dx = 0.05});
  auto spec = harmonic(1);
  spec.center = p.grid.position(Ez, {20, 20, 20});
  p.grid.dt = 1.0 / 40;
  for (auto& k : p.coefficients) k.drive = p.grid.dt / p.grid.dx;
  EXPECT_NEAR(radiated_power(p, spec, {20, 20, 20}, 6) / (4 * pi * pi / (12 * pi)), 1, 0.03);
}

TEST(FdtdCurrent, SheetSendsHalfItsCurrentEachWay) {
  // E = -K / 2 in vacuum; of a sheet on one node, divided by cos(k dx / 2) of the grid.
  auto p = empty_problem({.mode = Mode::one, .cells = {200, 1, 1}, .dx = 0.05, .layers = 20});
  auto spec = harmonic(1);
  spec.center[0] = p.grid.position(Ez, {100, 0, 0})[0];
  add_source(spec, p);
  const auto engine = serial_engine(p);
  engine->advance(400);
  double largest = 0;
  for (int n = 0; n < 60; ++n) {
    engine->advance(1);
    largest = std::max(largest, std::abs(at(*engine, Ez, {140, 0, 0})));
  }
  EXPECT_NEAR(largest, 0.5, 0.01);
}

TEST(FdtdCurrent, StrengthDoesNotDependOnThePlaceBetweenCells) {
  const auto p = empty_problem({.mode = Mode::te, .cells = {60, 50, 1}, .dx = 0.1, .layers = 5});
  for (const Component c : {Ex, Ey, Hz})
    for (const Vec3& center : {Vec3{0, 0, 0}, Vec3{0.033, -0.71, 0}, Vec3{0.05, 0.4, 0}}) {
      auto q = p;
      auto spec = harmonic(1, c);
      spec.center = center;
      add_source(spec, q);
      const auto& w = q.sources.back().weights;
      EXPECT_LE(w.size(), 4u);
      // dt / eps times a moment of 1 over the area of a cell.
      EXPECT_NEAR(std::accumulate(w.begin(), w.end(), 0.0), -p.grid.dt / 0.01, 1e-9);
    }
}

TEST(FdtdCurrent, LineHasItsLengthWhereverItEnds) {
  for (const double length : {0.5, 1.234, 2.05}) {
    auto p = empty_problem({.mode = Mode::tm, .cells = {60, 50, 1}, .dx = 0.1, .layers = 5});
    auto spec = harmonic(1);
    spec.kind = KindOfSource::line;
    spec.center = {0.02, 0.013, 0};
    spec.size = {0, length, 0};
    add_source(spec, p);
    const auto& w = p.sources.back().weights;
    EXPECT_NEAR(std::accumulate(w.begin(), w.end(), 0.0), -p.grid.dt * length / 0.01, 1e-9);
  }
}

TEST(FdtdCurrent, LineThroughPeriodicWallsDrivesEveryNodeAlike) {
  auto p = empty_problem({.mode = Mode::tm, .cells = {40, 20, 1}, .dx = 0.1});
  support::make_periodic(p, 1);
  auto spec = harmonic(1);
  spec.kind = KindOfSource::line;
  spec.size = {0, 2, 0};
  add_source(spec, p);
  const auto& g = p.sources.back();
  ASSERT_EQ(g.cells.size(), 20u);
  for (const double w : g.weights) EXPECT_NEAR(w, -p.grid.dt / 0.1, 1e-12);
}

TEST(FdtdCurrent, PointBeyondABlochWallCarriesItsPhase) {
  auto p = empty_problem({.mode = Mode::tm, .cells = {40, 20, 1}, .dx = 0.1});
  support::make_periodic(p, 1, 0.8);
  auto spec = harmonic(1);
  spec.center = {0, 1 - 0.025, 0};  // a quarter of a cell below node 20, which is node 0 times exp(0.8 i)
  add_source(spec, p);
  const auto& g = p.sources.back();
  ASSERT_EQ(g.cells.size(), 2u);
  EXPECT_EQ(g.cells[0], Layout(p.grid).at(20, 0, 0));
  EXPECT_NEAR(std::arg(cplx(-g.weights[0], -g.weights_imag[0])), -0.8, 1e-12);
  EXPECT_NEAR(std::abs(cplx(g.weights[0], g.weights_imag[0])) / std::abs(g.weights[1]), 3, 1e-9);
}

TEST(FdtdCurrent, HardSourceSetsTheFieldOfItsCells) {
  auto p = empty_problem({.mode = Mode::tm, .cells = {40, 40, 1}, .dx = 0.1});
  auto spec = harmonic(1);
  spec.hard = true;
  spec.center = p.grid.position(Ez, {21, 17, 0});
  add_source(spec, p);
  const auto engine = serial_engine(p);
  engine->advance(90);
  const Signal signal(spec.waveform, "source");
  EXPECT_NEAR(at(*engine, Ez, {21, 17, 0}).real(), signal(90 * p.grid.dt).real(), 1e-12);
}

// A cell is the square between its nodes: Ez of a pair of cells lies on six of them, Hz in the middle.
TEST(FdtdCurrent, ShapeCountsEachOfItsCellsOnceAndLiesInTheirMiddle) {
  for (const auto& [mode, c] : {std::pair(Mode::tm, Ez), std::pair(Mode::te, Hz)}) {
    auto p = empty_problem({.mode = mode, .cells = {40, 40, 1}, .dx = 0.1, .eps = c == Ez ? 4.0 : 1.0});
    auto spec = harmonic(1, c);
    spec.kind = KindOfSource::shape;
    spec.pixels = {{20, 20, 0}, {21, 20, 0}, {20, 20, 0}};
    add_source(spec, p);
    const SourceGroup& g = p.sources.back();
    const Layout layout(p.grid);
    double sum = 0, x = 0, y = 0;
    for (std::size_t i = 0; i < g.cells.size(); ++i) {
      const index_t at = g.cells[i] - layout.base;
      sum += g.weights[i];
      x += g.weights[i] * (double(at % layout.pitch) + p.grid.offset(c, 0));
      y += g.weights[i] * (double(at / layout.pitch) + p.grid.offset(c, 1));
    }
    EXPECT_EQ(g.cells.size(), c == Ez ? 6u : 12u);
    EXPECT_NEAR(sum, -2 * p.grid.dt / (c == Ez ? 4 : 1), 1e-12);
    EXPECT_NEAR(x / sum, 21, 1e-12);
    EXPECT_NEAR(y / sum, 20.5, 1e-12);
  }
}

/// What the source's refusal says.
std::string refusal(const SourceSpec& spec, Problem p) {
  try {
    add_source(spec, p);
  } catch (const BadInput& e) {
    return e.what();
  }
  return "accepted";
}

TEST(FdtdCurrent, BadSourcesAreRefusedByName) {
  const auto p = empty_problem({.mode = Mode::tm, .cells = {40, 40, 1}, .dx = 0.1});
  auto spec = harmonic(1, Hz);
  spec.name = "lamp";
  EXPECT_NE(refusal(spec, p).find("source 'lamp': component Hz does not exist"), std::string::npos);
  EXPECT_NE(refusal(spec, p).find("did you mean Ez"), std::string::npos) << refusal(spec, p);
  spec.component = Ez;
  spec.center = {0, 2.3, 0};
  EXPECT_NE(refusal(spec, p).find("reaches out of the domain"), std::string::npos);
  spec.center = {0, 0, 0};
  spec.waveform.frequency = 0;
  EXPECT_NE(refusal(spec, p).find("frequency is 0"), std::string::npos);
  spec.waveform.frequency = 4;
  EXPECT_NE(refusal(spec, p).find("more than the grid carries"), std::string::npos);
  spec.waveform.frequency = 1;
  spec.kind = KindOfSource::shape;
  spec.pixels = {{40, 0, 0}};
  EXPECT_NE(refusal(spec, p).find("cell (40, 0, 0)"), std::string::npos);
}

}  // namespace
}  // namespace umov::fdtd
