// Walls of a case as closures, phases and layers of a problem.
#include "core/error.hpp"
#include "fdtd/scene.hpp"
#include "support/fdtd_problems.hpp"

namespace umov::fdtd::trial {
namespace {

Simulation walls(WallKind low, WallKind high) {
  Simulation s;
  s.walls[0] = {low, high};
  s.walls[1] = {WallKind::pec, WallKind::pec};
  return s;
}
Problem walled(const Simulation& s, Int3 cells = {40, 30, 1}) {
  Problem p = vacuum(Mode::tm, cells);
  set_walls(s, p);
  return p;
}

TEST(FdtdWalls, EveryKindHasItsClosure) {
  const Problem p = walled(walls(WallKind::mirror_even, WallKind::pmc));
  EXPECT_EQ(p.walls[0][0], Closure::pmc);
  EXPECT_EQ(p.walls[0][1], Closure::pmc);
  EXPECT_EQ(walled(walls(WallKind::mirror_odd, WallKind::pec)).walls[0][0], Closure::pec);
  EXPECT_EQ(walled(walls(WallKind::periodic, WallKind::periodic)).walls[0][1], Closure::periodic);
  const Problem q = walled(walls(WallKind::pml, WallKind::pec));
  EXPECT_EQ(q.walls[0][0], Closure::pec);
  EXPECT_EQ(q.pml[0][0].layers, 10);
  EXPECT_EQ(q.pml[0][1].layers, 0);
}

TEST(FdtdWalls, BlochVectorBecomesAPhasePerPeriod) {
  Simulation s = walls(WallKind::bloch, WallKind::bloch);
  s.bloch = {0.01, 5, 0};
  const Problem p = walled(s);
  EXPECT_DOUBLE_EQ(p.bloch_phase[0], 2 * pi * 0.01 * 40);
  EXPECT_EQ(p.bloch_phase[1], 0);
  EXPECT_TRUE(p.complex_fields);
  s.bloch = {0, 0, 0};
  EXPECT_FALSE(walled(s).complex_fields);
}

TEST(FdtdWalls, WhatCannotBeIsRefusedWithTheNumbers) {
  EXPECT_THROW(walled(walls(WallKind::periodic, WallKind::pec)), BadInput);
  EXPECT_THROW(walled(walls(WallKind::bloch, WallKind::periodic)), BadInput);
  Simulation s = walls(WallKind::pml, WallKind::pml);
  EXPECT_NO_THROW(walled(s, {21, 30, 1}));
  try {
    walled(s, {20, 30, 1});
    FAIL();
  } catch (const BadInput& e) {
    EXPECT_NE(std::string(e.what()).find("20 of 20 cells"), std::string::npos) << e.what();
  }
  s.pml.layers = 0;
  EXPECT_THROW(walled(s), BadInput);
}

TEST(FdtdWalls, SigmaIsDividedByTheIndexBehindTheWall) {
  Problem p = vacuum(Mode::tm, {40, 30, 1});
  p.coefficients.push_back({1, p.grid.dt / 6.25});
  p.uniform[Ez] = 1;
  const Simulation s = walls(WallKind::pml, WallKind::pml);
  set_walls(s, p);
  const PmlSide expected = make_pml(s.pml, 1, p.grid.dt, 2.5);
  for (int q = 0; q < 10; ++q) EXPECT_NEAR(p.pml[0][1].half.b[q], expected.half.b[q], 1e-14);
}

// The same wave on a finer grid of the same number of cells per wavelength: everything in units of dx.
TEST(FdtdWalls, ProfilesScaleWithTheGrid) {
  const PmlSide a = make_pml({}, 1, 0.6, 1), b = make_pml({}, 0.01, 0.006, 1);
  for (int q = 0; q < 10; ++q) EXPECT_NEAR(a.node.b[q], b.node.b[q], 1e-14);
}

// With alpha = 0.02 / dx at all resolutions these are 2e-4 and 5e-2: alpha follows the source.
TEST(FdtdWalls, LayersAbsorbOnGridsOfVeryManyCellsPerWavelengthToo) {
  for (const double cells : {500.0, 1600.0}) {
    Simulation s = walls(WallKind::pml, WallKind::pml);
    s.sources.emplace_back();
    s.sources[0].waveform.frequency = 1 / cells;
    const Problem p = walled(s);
    EXPECT_LT(pml_reflection(p.pml[0][1], 1, p.grid.dt, cells), 1e-6) << cells;
  }
}

// The tables are a minimum: a change of sigma by a fiftieth, up or down, reflects more.
TEST(FdtdWalls, SigmaOfTheTablesIsTheBest) {
  const double dt = 0.9 / std::sqrt(2.0);
  const auto worst = [&](const PmlSettings& s) {
    double most = 0;
    for (const double cells : {10.0, 13.0, 20.0, 40.0, 200.0})
      most = std::max(most, pml_reflection(make_pml(s, 1, dt, 1), 1, dt, cells));
    return most;
  };
  for (const auto& [layers, bound] : {std::pair(8, 7e-7), {10, 2e-7}, {12, 4e-8}}) {
    PmlSettings s;
    s.layers = layers;
    EXPECT_LT(worst(s), bound);
    PmlSettings plain = s;
    plain.discrete = false;
    EXPECT_GT(worst(plain), 10 * bound);
    for (const double change : {0.98, 1.02}) {
      PmlSettings off = s;
      off.sigma_scale = change;
      EXPECT_GT(worst(off), worst(s));
    }
  }
}

}  // namespace
}  // namespace umov::fdtd::trial
