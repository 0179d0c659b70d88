// Metal across periodic and Bloch walls: the same as half a period on, where it crosses none.
#include <gtest/gtest.h>

#include "support/metal_shapes.hpp"

namespace umov::fdtd {
namespace {

Simulation shifted(const Simulation& s, const Vec3& by) {
  Simulation all = s;
  for (BodySpec& b : all.bodies) b.center = b.center + by;
  all.sources[0].center = s.sources[0].center + by;
  return all;
}

/// Largest difference between the fields and those half a period on, over the largest.
double apart(Simulation s, int axes, long steps) {
  const Component c = s.te ? Hz : Ez;
  s.sources = {test::point_source(test::pulse(2, 0.4), c, {-0.13, -0.15, s.size[2] > 0 ? 0.12 : 0})};
  const Vec3 shift{s.size[0] / 2, axes > 1 ? s.size[1] / 2 : 0, 0};
  const auto a = test::stepped(s, steps), b = test::stepped(shifted(s, shift), steps);
  const Grid& g = a.problem->grid;
  double largest = 0, most = 0;
  for (int f = 0; f < components; ++f) {
    if (!has_component(g.mode, f)) continue;
    const FieldBlock x = a.engine->field(Component(f), {0, 0, 0}, g.cells),
                     y = b.engine->field(Component(f), {0, 0, 0}, g.cells);
    const auto value = [&](const FieldBlock& block, const Int3& at) {
      const std::size_t i = at[0] + std::size_t(g.cells[0]) * (at[1] + std::size_t(g.cells[1]) * at[2]);
      return cplx(block.real[i], block.imag.empty() ? 0 : block.imag[i]);
    };
    for (int k = 0; k < g.cells[2]; ++k)
      for (int j = 0; j < g.cells[1]; ++j)
        for (int i = 0; i < g.cells[0]; ++i) {
          Int3 from{i, j, k};
          double phase = 0;
          for (int axis = 0; axis < axes; ++axis) {
            from[axis] -= g.cells[axis] / 2;
            if (from[axis] < 0) from[axis] += g.cells[axis], phase -= a.problem->bloch_phase[axis];
          }
          const cplx wanted = value(x, from) * std::polar(1.0, phase);
          largest = std::max(largest, std::abs(wanted));
          most = std::max(most, std::abs(value(y, {i, j, k}) - wanted));
        }
  }
  EXPECT_GT(largest, 1e-4);
  return most / largest;
}

// Rounding alone, as in mirrored_metal_test.cpp: bodies go on beyond the wall, so that no cell is cut there.
void expect_equal(int dimensions, bool te, int axes, WallKind wall, long steps) {
  for (const char* medium : test::metal_media)
    for (int shape = 0; shape < test::metal_shapes; ++shape) {
      Simulation s = test::metal_box_case(dimensions, te);
      for (int axis = 0; axis < axes; ++axis) s.walls[axis] = {wall, wall};
      s.bloch = {0.37, -0.9, 0};
      if (axes < 2) s.bloch[1] = 0;
      // the shapes of the other axes, too: films along and across the walls
      s.bodies = test::metal_bodies(shape, shape % 2, dimensions, 1 / s.resolution);
      for (auto& b : s.bodies) b.material = medium;
      EXPECT_LT(apart(s, axes, steps), 1e-11)
          << medium << ", shape " << shape << ", " << axes << " periodic axes, te " << te;
    }
}

TEST(FdtdShiftedMetal, PeriodicWallsMayCutBodiesInThePlane) {
  for (const bool te : {false, true})
    for (const int axes : {1, 2}) expect_equal(2, te, axes, WallKind::periodic, 200);
}
TEST(FdtdShiftedMetal, BlochWallsMayCutBodiesInThePlane) {
  for (const bool te : {false, true})
    for (const int axes : {1, 2}) expect_equal(2, te, axes, WallKind::bloch, 200);
}
TEST(FdtdShiftedMetal, PeriodicAndBlochWallsMayCutBodiesInSpace) {
  expect_equal(3, false, 2, WallKind::periodic, 40);
  expect_equal(3, false, 2, WallKind::bloch, 40);
}

/// Largest difference of any field after some steps, over the largest.
double between(const Simulation& a, const Simulation& b) {
  const auto x = test::stepped(a, 150), y = test::stepped(b, 150);
  double largest = 0, most = 0;
  for (int c = 0; c < components; ++c) {
    if (!has_component(x.problem->grid.mode, c)) continue;
    const auto u = x.engine->field(Component(c), {0, 0, 0}, x.problem->grid.cells).real,
               v = y.engine->field(Component(c), {0, 0, 0}, x.problem->grid.cells).real;
    for (std::size_t i = 0; i < u.size(); ++i) {
      largest = std::max(largest, std::fabs(u[i]));
      most = std::max(most, std::fabs(u[i] - v[i]));
    }
  }
  EXPECT_GT(largest, 1e-4);
  return most / largest;
}

// Corners on lines of the grid, where rounding told one end of the period from the other: up to 15 % apart.
TEST(FdtdShiftedMetal, TurnedConductorOnAPeriodicWallIsItsImageAndMayBeCopiedByHand) {
  for (const bool te : {false, true})
    for (const double edge : {0.113, 0.12, 0.1})
      for (const double off : {0.0, 0.0131})
        for (const double length : {0.36, 0.44}) {
          Simulation s = test::metal_box_case(2, te);
          s.size[0] = length;
          s.walls[0] = {WallKind::periodic, WallKind::periodic};
          s.bodies = {test::box_of({edge, edge, 0}, {length / 2 + off, off, 0}, 45)};
          s.bodies[0].material = "pec";
          s.sources = {test::point_source(test::pulse(2, 0.4), te ? Hz : Ez, {-0.03, -0.15, 0})};
          Simulation there = s, both = s;
          there.bodies[0].center[0] -= length;
          both.bodies.push_back(there.bodies[0]);
          EXPECT_LT(between(s, there), 1e-11) << te << " " << edge << " " << off << " " << length;
          EXPECT_LT(between(s, both), 1e-11) << te << " " << edge << " " << off << " " << length;
        }
}

}  // namespace
}  // namespace umov::fdtd
