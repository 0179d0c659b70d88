// A mirror moved through two cells in small steps: its modes change as the place does, without jumps.
#include <gtest/gtest.h>

#include "fdtd/sources/local.hpp"
#include "support/conductor_cases.hpp"
#include "support/cut_operator.hpp"
#include "support/fdtd_runs.hpp"
#include "support/record.hpp"

namespace umov::fdtd {
namespace {

constexpr double cells = 20, dx = 1 / cells;

/// Cavity between a wall on a node and one `place` cells beyond another, along x; `across` wide in y and z.
Simulation cavity_to(double place, int dimensions, bool te, double across) {
  const double low = -0.5, high = 0.3 + place * dx;
  const bool flat = dimensions == 1;
  auto s = test::cavity({1.2, flat ? 0.0 : 1.0, dimensions == 3 ? 0.4 : 0}, cells,
                        test::box_of({high - low, flat ? 0 : across, 0}, {(low + high) / 2, 0, 0}));
  s.te = te;
  return s;
}

struct Sweep {
  double worst = 0, jump = 0;  ///< errors of the frequency beyond the grid's dispersion, in (k dx)^2
};

/// What the wall adds to the error of a mode of wave numbers kx and ky.
Sweep sweep(int dimensions, bool te, double across) {
  Sweep found;
  double before = NAN;
  for (int step = -50; step <= 50; ++step) {
    const double place = 0.02 * step;
    const double kx = (dimensions == 1 ? 2 : 1) * pi / (0.8 + place * dx);
    const double ky = dimensions > 1 && !te ? pi / across : 0;
    const double wx = 2 / dx * std::sin(kx * dx / 2), wy = 2 / dx * std::sin(ky * dx / 2);
    const double exact = std::hypot(wx, wy) / (2 * pi);
    const auto s = cavity_to(place, dimensions, te, across);
    const double off =
        (test::nearest_mode(test::walled(s), exact * (1 + 1e-4)) / exact - 1) / std::pow(kx * dx, 2);
    found.worst = std::max(found.worst, std::fabs(off));
    if (step > -50) found.jump = std::max(found.jump, std::fabs(off - before));
    before = off;
  }
  test::record("%d dimensions, te %d: worst %.2e, largest jump %.2e of (k dx)^2", dimensions, te, found.worst,
               found.jump);
  return found;
}

// The grid's own dispersion is 1/24 = 0.042 of (k dx)^2. The mirror's place is exact up to the next order of
// k dx; in the plane the far corners of the cavity lie on nodes. Without weights of the near nodes the jump
// is 6e-3, when the wall passes a node.
TEST(FdtdConductorPlaces, MirrorInOneDimensionPassesNodesWithoutAJump) {
  const Sweep s = sweep(1, false, 0);
  EXPECT_LT(s.worst, 1e-3);
  EXPECT_LT(s.jump, 2e-4);
}

TEST(FdtdConductorPlaces, MirrorWithEAlongPassesNodesWithoutAJump) {
  const Sweep s = sweep(2, false, 0.8);
  EXPECT_LT(s.worst, 2e-3);
  EXPECT_LT(s.jump, 4e-4);
}

TEST(FdtdConductorPlaces, MirrorWithHAlongPassesNodesWithoutAJump) {
  const Sweep s = sweep(2, true, 0);
  EXPECT_LT(s.worst, 4e-3);
  EXPECT_LT(s.jump, 3e-3);
}

/// Edges in or on a box of conductor are dead, all others are free.
void expect_skin(int dimensions, const Vec3& center, double edge) {
  const bool space = dimensions == 3;
  auto s = test::cavity({1.2, 1, space ? 0.8 : 0}, 10, {});
  s.bodies = {test::box_of({edge, edge, space ? edge : 0}, center)};
  s.bodies[0].material = "pec";
  const Problem p = test::walled(s);
  const Layout layout(p.grid);
  int dead = 0;
  for (int c = Ex; c <= Ez; ++c) {
    if (!has_component(p.grid.mode, c)) continue;
    for (int k = 0; k <= (space ? p.grid.cells[2] - 1 : 0); ++k)
      for (int j = 0; j < p.grid.cells[1]; ++j)
        for (int i = 0; i < p.grid.cells[0]; ++i) {
          const Vec3 r = p.grid.position(c, {i, j, k});
          double out = -1;
          for (int a = 0; a < dimensions; ++a) out = std::max(out, std::fabs(r[a] - center[a]) - edge / 2);
          const bool none = coefficients_at(p, Component(c), layout.at({i, j, k})).drive == 0;
          EXPECT_EQ(none, out < 1e-9)
              << dimensions << ": " << c << " at " << r[0] << " " << r[1] << " " << r[2];
          dead += none;
        }
  }
  EXPECT_GT(dead, 0);
}

TEST(FdtdConductorPlaces, MetalThatTouchesAConductorIsWarnedOfWithHAlong) {
  auto s = test::cavity({1.2, 1, 0}, 40, {});
  s.te = true;
  s.sources = {test::point_source(test::pulse(1.1, 0.2), Hz, {0, 0.4, 0})};
  s.bodies = {test::box_of({0.3, 0.4, 0}, {-0.153, 0.003, 0}),
              test::box_of({0.3, 0.4, 0}, {0.147, 0.003, 0})};
  s.bodies[0].material = "pec";
  s.materials = {test::constant("drude", 1)};
  s.materials[0].constants.poles = {{materials::Pole::Kind::drude, 158, 0, 0.3, 0}};
  s.bodies[1].material = "drude";
  for (const Vec3& shift : {Vec3{0, 0, 0}, Vec3{0.003, -0.003, 0}}) {  // the second on lines of the grid
    auto moved = s;
    for (auto& b : moved.bodies) b.center = b.center + shift;
    const auto touching = test::walled(moved).doubts;
    ASSERT_EQ(touching.size(), 1u);
    EXPECT_NE(touching[0].find("a perfect conductor touches a dispersive or conducting body near ("),
              std::string::npos);
  }
  s.bodies[1].center[0] += 0.1;
  EXPECT_TRUE(test::walled(s).doubts.empty());
  s.bodies[1].center[0] -= 0.1;
  s.te = false;  // E along: the cell's permittivity is the mean of what is free
  s.sources[0].component = Ez;
  EXPECT_TRUE(test::walled(s).doubts.empty());
}

TEST(FdtdConductorPlaces, EdgesAlongConvexCornersOnGridLinesAreDead) {
  // E along a conductor's surface vanishes, on its edges and corners too, whichever way rounding goes.
  for (const double shift : {0.0, 0.1, -0.2}) {
    expect_skin(2, {shift, -shift, 0}, 0.4);
    expect_skin(3, {shift, 0, -0.5 * shift + 0.5 * std::fabs(shift)}, 0.4);
  }
}

}  // namespace
}  // namespace umov::fdtd
