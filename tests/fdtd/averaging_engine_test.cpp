// The engine and the painted materials mean the same operator: a mode of the one stays a mode of the other.
#include <gtest/gtest.h>

#include <random>

#include "fdtd/engine.hpp"
#include "support/fdtd_cases.hpp"
#include "support/metal_box.hpp"

namespace umov::fdtd {
namespace {

Simulation disc_of_averaging_engine(double resolution) {
  Simulation s = test::glass_case({2.4, 1.6, 0}, resolution);
  s.te = true;
  s.materials[0].constants.eps = {9, 9, 9};
  s.bodies[0].shape = "cylinder";
  s.bodies[0].radius = 0.613;
  s.bodies[0].center = {0.037, -0.021, 0};
  return s;
}

TEST(FdtdAveragingEngine, ModeOfTheOperatorOscillatesUnchanged) {
  const Simulation s = disc_of_averaging_engine(10);
  Problem p = test::painted(s);
  p.precision = Precision::double_;
  set_walls(s, p);
  ASSERT_FALSE(p.tensor[0].empty());
  const auto mode = test::metal_box_mode(p, 0.2);
  const auto engine = make_engine(p, {"serial"});
  FieldBlock h;
  h.size = p.grid.cells;
  h.real.assign(mode.h.data(), mode.h.data() + mode.h.size());
  engine->set_field(Hz, {0, 0, 0}, h);
  // E = 0 at time 0 and H at -dt/2: the leapfrog then has H ~ cos(w t), sin(w dt / 2) = w' dt / 2.
  const double half = std::asin(pi * mode.frequency * p.grid.dt);
  constexpr int steps = 500;
  engine->advance(steps);
  const FieldBlock after = engine->field(Hz, {0, 0, 0}, p.grid.cells);
  const double factor = std::cos((2 * steps - 1) * half) / std::cos(half);
  double largest = 0, error = 0;
  for (std::size_t i = 0; i < after.real.size(); ++i) {
    largest = std::max(largest, std::fabs(h.real[i]));
    error = std::max(error, std::fabs(after.real[i] - factor * h.real[i]));
  }
  // The mode itself is known to the eigensolver's accuracy.
  EXPECT_LT(error / largest, 1e-8);
}

TEST(FdtdAveragingEngine, NoiseAroundASphereDoesNotGrow) {
  Simulation s = test::glass_case({2, 2, 2}, 8);
  s.materials[0].constants.eps = {12, 12, 12};
  s.bodies[0].shape = "sphere";
  s.bodies[0].radius = 0.71;
  s.walls[0] = {WallKind::periodic, WallKind::periodic};
  s.walls[1] = {WallKind::pmc, WallKind::pmc};
  Problem p = test::painted(s);
  p.precision = Precision::double_;
  set_walls(s, p);
  ASSERT_FALSE(p.tensor[2].empty());
  const auto engine = make_engine(p, {"serial"});
  std::mt19937 random(1);
  std::uniform_real_distribution<double> noise(-1, 1);
  FieldBlock h;
  h.size = p.grid.cells;
  h.real.resize(p.grid.cell_count());
  for (double& x : h.real) x = noise(random);
  engine->set_field(Hx, {0, 0, 0}, h);
  engine->advance(100);
  const auto early = engine->watch();
  engine->advance(4000);
  const auto late = engine->watch();
  EXPECT_LT(late.electric_energy + late.magnetic_energy, 3 * (early.electric_energy + early.magnetic_energy));
}

}  // namespace
}  // namespace umov::fdtd
