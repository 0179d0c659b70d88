// Conductors in symmetric places: moved by whole cells they are the same edges and faces, to rounding.
#include <gtest/gtest.h>

#include "fdtd/sources/local.hpp"
#include "support/conductor_cases.hpp"

namespace umov::fdtd {
namespace {

constexpr double shift_dx = 0.1;

/// Whether any edge around a face carries a field.
bool alive(const Problem& p, int face, index_t cell) {
  const Layout layout(p.grid);
  for (int which = 0; which < 2; ++which) {
    const CurlTerm t = curl_term(p.grid, face, which);
    if (!t.exists) continue;
    for (const index_t edge : {cell, cell + layout.stride(t.axis)})
      if (coefficients_at(p, Component(t.of), edge).drive != 0) return true;
  }
  return false;
}

/// Largest relative difference of the coefficients, where there are fields, to those so many cells on.
double apart(const Problem& a, const Problem& b, const Int3& by) {
  const Layout layout(a.grid);
  const int dims = dimensions(a.grid.mode);
  double most = 0;
  for (int c = 0; c < components; ++c) {
    if (!has_component(a.grid.mode, c)) continue;
    for (int k = dims > 2 ? 8 : 0; k < (dims > 2 ? a.grid.cells[2] - 8 : 1); ++k)
      for (int j = 8; j < a.grid.cells[1] - 8; ++j)
        for (int i = 8; i < a.grid.cells[0] - 8; ++i) {
          const index_t here = layout.at(i, j, k), there = layout.at(i + by[0], j + by[1], k + by[2]);
          if (!is_electric(c) && !alive(a, c, here) && !alive(b, c, there)) continue;
          const double x = coefficients_at(a, Component(c), here).drive,
                       y = coefficients_at(b, Component(c), there).drive;
          most = std::max(most, std::fabs(x - y) / std::max(std::fabs(x), std::fabs(y) + 1e-300));
        }
  }
  return most;
}

BodySpec round(const char* shape, double radius, double inner, double height, const Vec3& axis) {
  BodySpec b;
  b.shape = shape, b.radius = radius, b.inner_radius = inner, b.height = height, b.axis = axis;
  return b;
}

BodySpec corner(double r, double height, double rotation) {
  BodySpec b;
  b.shape = "prism", b.height = height, b.rotation = rotation;
  b.vertices = {{-r, -r, 0}, {r, -r, 0}, {r, 0, 0}, {0, 0, 0}, {0, r, 0}, {-r, r, 0}};
  return b;
}

/// Bodies about 0 whose surfaces are equally near along whole lines, many of which pass nodes.
std::vector<BodySpec> bodies_of_conductor_shift(double r, bool solid) {
  const double height = solid ? 2 * r : 0;
  const Vec3 size{2 * r, 2 * r, height}, x{1, 0, 0}, z{0, 0, 1};
  return {test::box_of(size, {0, 0, 0}),
          test::box_of(size, {0, 0, 0}, 45),
          round("cylinder", r, 0, height, z),
          round("cylinder", r, 0, 2 * r, x),
          round("cylinder", r, 0, 2 * r, {1, 1, 0}),
          round("ring", r, r / 2, height, z),
          round("sphere", r, 0, 0, z),
          corner(r, height, 0),
          corner(r, height, 45)};
}

void expect_same_cuts(int dimensions, bool te, std::initializer_list<double> radii) {
  const bool solid = dimensions == 3;
  Simulation s;
  s.size = {3.2, 3.2, solid ? 3.2 : 0};
  s.resolution = 1 / shift_dx;
  s.te = te;
  s.walls = test::all_walls(WallKind::pec);
  for (const double radius : radii)
    for (const double off : {0.0, 0.5}) {
      const auto list = bodies_of_conductor_shift(radius * shift_dx, solid);
      for (std::size_t n = 0; n < list.size(); ++n) {
        const auto at = [&](const Int3& by) {
          s.bodies = {list[n]};
          s.bodies[0].material = "pec";
          for (int a = 0; a < dimensions; ++a) s.bodies[0].center[a] = (by[a] + off) * shift_dx;
          return test::walled(s);
        };
        const Problem here = at({0, 0, 0});
        for (Int3 by : {Int3{7, 5, 3}, Int3{-6, 3, -7}}) {
          if (!solid) by[2] = 0;
          // rounding of the places, 1e-16 of a unit, over the smallest cut, 2e-4 of a cell
          EXPECT_LT(apart(here, at(by), by), 1e-9)
              << dimensions << " te " << te << " body " << n << " of " << radius << " cells, off " << off
              << ", moved by " << by[0] << " " << by[1] << " " << by[2];
        }
      }
    }
}

TEST(FdtdConductorShift, ByWholeCellsGivesTheSameCellsWithEAlong) {
  expect_same_cuts(2, false, {4, 4.5, 5.3});
}
TEST(FdtdConductorShift, ByWholeCellsGivesTheSameCellsWithHAlong) {
  expect_same_cuts(2, true, {4, 4.5, 5.3});
}
TEST(FdtdConductorShift, ByWholeCellsGivesTheSameCellsInSpace) { expect_same_cuts(3, false, {4, 4.5}); }

}  // namespace
}  // namespace umov::fdtd
