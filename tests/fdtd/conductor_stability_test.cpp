// Conformal conductors are stable at the step of the case: the largest eigenvalue of the leapfrog stays below
// 4, and energy stays where it is, for bodies at any place.
#include <gtest/gtest.h>

#include "fdtd/cut_edges.hpp"
#include "fdtd/engine.hpp"
#include "support/conductor_cases.hpp"
#include "support/cut_operator.hpp"
#include "support/fdtd_problems.hpp"
#include "support/record.hpp"

namespace umov::fdtd {
namespace {

using umov::test::box_of;
using umov::test::random_offset;
using umov::test::round_body;

double draw(std::mt19937& random, double lo, double hi) {
  return std::uniform_real_distribution<double>(lo, hi)(random);
}

/// A conductor of random shape, place and turn in a box of conductor, with a piece of glass in its way.
Simulation random_case(std::mt19937& random, const Vec3& size, double resolution) {
  Simulation s;
  s.size = size;
  s.resolution = resolution;
  s.precision = Precision::double_;
  s.walls = umov::test::all_walls(WallKind::pec);
  s.materials = {umov::test::constant("glass", draw(random, 0.5, 6))};
  const bool space = size[2] > 0;
  s.bodies.push_back(
      box_of({draw(random, 0.2, 0.8), draw(random, 0.2, 0.8), space ? draw(random, 0.2, 0.8) : 0},
             random_offset(random, 0.3)));
  s.bodies.back().material = "glass";
  const double turn = draw(random, 0, 90);
  const Vec3 axis = space ? random_offset(random, 1) : Vec3{0, 0, 1};
  if (random() % 2)
    s.bodies.push_back(
        box_of({draw(random, 0.3, 0.6), draw(random, 0.3, 0.6), space ? draw(random, 0.3, 0.6) : 0},
               random_offset(random, 0.2), turn, axis));
  else
    s.bodies.push_back(
        round_body(space ? "sphere" : "cylinder", draw(random, 0.2, 0.35), random_offset(random, 0.2)));
  s.bodies.back().material = "pec";
  return s;
}

void expect_below_limit(const Vec3& size, double resolution, int cases, int te = 0, double courant = 0.9) {
  std::mt19937 random(5 + te);
  double most = 0;
  for (int n = 0; n < cases; ++n) {
    Simulation s = random_case(random, size, resolution);
    s.te = te;
    s.courant = courant;
    Problem p = umov::test::walled(s);
    ASSERT_GT(p.conductors.cut, 0);
    most = std::max(most, umov::test::largest_eigenvalue(p, 300));
  }
  umov::test::record("largest eigenvalue %.4f", most);
  EXPECT_LT(most, 4);
}

TEST(FdtdConductorStability, EigenvaluesStayBelowTheLimitWithEAlong) {
  expect_below_limit({1, 1, 0}, 14, 40);
}
TEST(FdtdConductorStability, EigenvaluesStayBelowTheLimitWithHAlong) {
  expect_below_limit({1, 1, 0}, 14, 40, 1);
}
TEST(FdtdConductorStability, EigenvaluesStayBelowTheLimitInSpace) { expect_below_limit({1, 1, 1}, 9, 12); }

TEST(FdtdConductorStability, SliversOfEveryThicknessAreStable) {
  for (const double resolution : {10.0, 10.0})
    for (const double sliver : {1e-6, 1e-4, 3e-4, 1e-3, 0.01, 0.1, 0.3, 0.5, 0.9, 0.99, 0.9999})
      for (const Vec3& size : {Vec3{1.6, 0, 0}, Vec3{1.6, 1.4, 0}, Vec3{1, 1, 0.8}}) {
        // all four walls the sliver beyond a node
        const double wide = 0.6 + 2 * sliver / resolution;
        const auto s = umov::test::cavity(size, resolution, box_of({wide, wide, wide}, {0, 0, 0}));
        EXPECT_LT(umov::test::largest_eigenvalue(umov::test::walled(s), 300), 4) << sliver;
        if (size[1] == 0 || size[2] > 0) continue;
        auto te = s;
        te.te = true;
        EXPECT_LT(umov::test::largest_eigenvalue(umov::test::walled(te), 300), 4) << sliver;
      }
}

/// Energy as the scheme knows it: an edge weighs eps over its free fraction, a face its area, a node next to
/// a surface its capacity (near_nodes.hpp), all of which is dt/dx over the drive.
double stored_energy(const Problem& p, const Engine& engine) {
  const Layout layout(p.grid);
  double sum = 0;
  for (int c = 0; c < components; ++c) {
    if (!has_component(p.grid.mode, c)) continue;
    const auto values = engine.field(Component(c), {0, 0, 0}, p.grid.cells).real;
    std::size_t next = 0;
    for (int k = 0; k < p.grid.cells[2]; ++k)
      for (int j = 0; j < p.grid.cells[1]; ++j)
        for (int i = 0; i < p.grid.cells[0]; ++i, ++next) {
          const index_t at = layout.at(i, j, k);
          const double drive = coefficients_at(p, Component(c), at).drive,
                       held = values[next] * free_fraction(p, Component(c), at);
          if (drive > 0) sum += held * held * p.grid.dt / p.grid.dx / drive;
        }
  }
  return sum;
}

/// Noise between the conductors for a thousand crossings: energy is conserved up to the leapfrog's own form.
void expect_bounded(Simulation s, Precision precision) {
  Problem p = umov::test::walled(s);
  p.precision = precision;
  const auto engine = trial::engine_for(p, "cpu", 1, true);
  trial::set_noise(*engine, p, 2);
  engine->advance(50);
  const double early = stored_energy(p, *engine);
  engine->advance(20000);
  EXPECT_LT(stored_energy(p, *engine), 2 * early);
}

TEST(FdtdConductorStability, NoiseDoesNotGrowInTwoDimensions) {
  std::mt19937 random(9);
  for (const bool te : {false, true})
    for (const Precision precision : {Precision::single_, Precision::double_}) {
      Simulation s = random_case(random, {1, 1, 0}, 20);
      s.te = te;
      expect_bounded(s, precision);
    }
}

TEST(FdtdConductorStability, NoiseDoesNotGrowInSpace) {
  std::mt19937 random(10);
  Simulation s = random_case(random, {1, 1, 1}, 10);
  s.walls[0] = {WallKind::periodic, WallKind::periodic};
  s.walls[1] = {WallKind::pmc, WallKind::pmc};
  expect_bounded(s, Precision::single_);
}

TEST(FdtdConductorStability, NoiseDoesNotGrowInLayersThatAConductorRunsInto) {
  for (const int te : {0, 1}) {
    Simulation s;
    s.size = {2, 2, 0};
    s.te = te;
    s.resolution = 20;
    s.bodies = {box_of({3, 0.4, 0}, {0.013, 0.027, 0}, 21)};
    s.bodies[0].material = "pec";
    Problem p = umov::test::walled(s);
    const auto engine = trial::engine_for(p, "cpu", 1, true);
    trial::set_noise(*engine, p, 2);
    engine->advance(1000);
    const auto early = engine->watch();
    engine->advance(40000);
    const auto late = engine->watch();
    // Static fields of the noise's charges and of currents around the conductor stay.
    EXPECT_LT(late.magnetic_energy + late.electric_energy,
              2 * (early.magnetic_energy + early.electric_energy));
  }
}

}  // namespace
}  // namespace umov::fdtd
