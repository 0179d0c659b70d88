// Cavities in perfect conductors whose walls lie between grid lines: exact modes at second order, wherever
// the walls are in their cells.
#include <gtest/gtest.h>

#include <functional>

#include "support/conductor_cases.hpp"
#include "support/cut_operator.hpp"
#include "support/record.hpp"

namespace umov::fdtd {
namespace {

using test::box_of;
using test::random_offset;
using test::round_body;

// Bounds below: the grid's own dispersion is (k dx)^2 / 24, with k of the mode and the finer grid; three
// times that for the walls.
double dispersion(double frequency, double n) { return std::pow(2 * pi * frequency / n, 2) / 24; }

struct ConductorModesErrors {
  double rms = 0, worst = 0;
};

/// Relative errors of the mode over places of the cavity in the grid.
ConductorModesErrors errors(const std::function<Simulation(const Vec3& offset)>& at, double dx, double exact,
                            int places) {
  std::mt19937 random(11);
  ConductorModesErrors e;
  for (int n = 0; n < places; ++n) {
    const Problem p = test::walled(at(random_offset(random, dx)));
    const double error = test::nearest_mode(p, 1.003 * exact) / exact - 1;
    e.rms += error * error / places;
    e.worst = std::max(e.worst, std::fabs(error));
  }
  e.rms = std::sqrt(e.rms);
  return e;
}

/// Order between two resolutions, and the finer grid's worst error.
/// Errors of walls and of dispersion may cancel; below a quarter of the latter there is no order to see.
void expect_second_order(const std::function<Simulation(double, const Vec3&)>& make, double resolution,
                         double exact, double worst, int places = 8) {
  const auto at = [&](double n) {
    return errors([&](const Vec3& offset) { return make(n, offset); }, 1 / n, exact, places);
  };
  const ConductorModesErrors coarse = at(resolution), fine = at(2 * resolution);
  const double order = std::log2(coarse.rms / fine.rms);
  test::record("rms %.2e -> %.2e, order %.2f; worst %.2e", coarse.rms, fine.rms, order, fine.worst);
  // A second order with places drawn at random scatters by a few tenths.
  if (coarse.rms > dispersion(exact, resolution) / 4) {
    EXPECT_GT(order, 1.6);
  }
  EXPECT_LT(fine.worst, worst);
}

Simulation rectangle(double n, const Vec3& offset, bool te, double rotation = 0) {
  auto s = test::cavity({1.5, 1.5, 0}, n, box_of({1.02, 0.72, 0}, offset, rotation));
  s.te = te;
  return s;
}

TEST(FdtdConductorModes, MirrorInOneDimensionIsWhereItIs) {
  const double length = 1.0137;
  expect_second_order(
      [&](double n, const Vec3& o) {
        return test::cavity({2, 0, 0}, n, box_of({length, 0, 0}, o));
      },
      20, 3 / (2 * length), 4 * dispersion(3 / (2 * length), 40), 24);
}

TEST(FdtdConductorModes, RectangleHasItsModesWithEAlong) {
  const double exact = std::hypot(1 / 1.02, 1 / 0.72) / 2;
  expect_second_order([](double n, const Vec3& o) { return rectangle(n, o, false); }, 20, exact,
                      4 * dispersion(exact, 40));
}

TEST(FdtdConductorModes, RectangleHasItsModesWithHAlong) {
  const double exact = 1 / (2 * 1.02);
  expect_second_order([](double n, const Vec3& o) { return rectangle(n, o, true); }, 20, exact,
                      4 * dispersion(exact, 40));
}

TEST(FdtdConductorModes, TurnedRectangleHasItsModesWithEAlong) {
  const double exact = std::hypot(1 / 1.02, 1 / 0.72) / 2;
  expect_second_order([](double n, const Vec3& o) { return rectangle(n, o, false, 27); }, 20, exact,
                      4 * dispersion(exact, 40));
}

TEST(FdtdConductorModes, TurnedRectangleHasItsModesWithHAlong) {
  const double exact = 1 / (2 * 1.02);
  expect_second_order([](double n, const Vec3& o) { return rectangle(n, o, true, 27); }, 20, exact,
                      8 * dispersion(exact, 40));
}

TEST(FdtdConductorModes, CircleHasItsModesWithEAlong) {
  const double radius = 0.55, exact = 2.404825557695773 / (2 * pi * radius);
  expect_second_order(
      [&](double n, const Vec3& o) {
        return test::cavity({1.5, 1.5, 0}, n, round_body("cylinder", radius, o));
      },
      20, exact, 4 * dispersion(exact, 40));
}

TEST(FdtdConductorModes, CircleHasItsModesWithHAlong) {
  const double radius = 0.55, exact = 3.831705970207512 / (2 * pi * radius);
  expect_second_order(
      [&](double n, const Vec3& o) {
        auto s = test::cavity({1.5, 1.5, 0}, n, round_body("cylinder", radius, o));
        s.te = true;
        return s;
      },
      20, exact, 4 * dispersion(exact, 40));
}

TEST(FdtdConductorModes, PolygonHasTheModesOfTheBoxItIs) {
  const double exact = 1 / (2 * 1.02);
  expect_second_order(
      [](double n, const Vec3& o) {
        auto s = rectangle(n, o, true);
        s.bodies[1].shape = "prism";
        s.bodies[1].size.reset();
        s.bodies[1].vertices = {{-0.51, -0.36, 0}, {0.51, -0.36, 0}, {0.51, 0.36, 0}, {-0.51, 0.36, 0}};
        return s;
      },
      20, exact, 4 * dispersion(exact, 40));
}

TEST(FdtdConductorModes, BoxInSpaceHasItsModes) {
  const double exact = std::hypot(1 / 0.93, 1 / 0.71) / 2;
  expect_second_order(
      [](double n, const Vec3& o) {
        return test::cavity({1.3, 1.1, 0.9}, n, box_of({0.93, 0.71, 0.52}, o));
      },
      8, exact, 4 * dispersion(exact, 16), 2);
}

TEST(FdtdConductorModes, TiltedBoxInSpaceHasItsModes) {
  const double exact = std::hypot(1 / 0.93, 1 / 0.71) / 2;
  expect_second_order(
      [](double n, const Vec3& o) {
        return test::cavity({1.3, 1.3, 1.3}, n, box_of({0.93, 0.71, 0.52}, o, 33, {1, 2, 3}));
      },
      8, exact, 6 * dispersion(exact, 16), 1);
}

TEST(FdtdConductorModes, SphereHasItsLowestMode) {
  const double radius = 0.47, exact = 2.743707269992265 / (2 * pi * radius);
  expect_second_order(
      [&](double n, const Vec3& o) {
        return test::cavity({1.2, 1.2, 1.2}, n, round_body("sphere", radius, o));
      },
      8, exact, 6 * dispersion(exact, 16), 1);
}

TEST(FdtdConductorModes, DielectricOnAConductorHasItsThickness) {
  // n tan(k b) + tan(n k a) = 0 for a layer a of index n = 2 on one mirror and b of vacuum up to the other
  const double a = 0.413, b = 0.571;
  const auto mismatch = [&](double f) {
    const double k = 2 * pi * f;
    return 2 * std::sin(k * b) * std::cos(2 * k * a) + std::sin(2 * k * a) * std::cos(k * b);
  };
  double low = 0.3, high = 0.45;
  ASSERT_LT(mismatch(low) * mismatch(high), 0);
  for (int n = 0; n < 60; ++n)
    (mismatch(low) * mismatch((low + high) / 2) > 0 ? low : high) = (low + high) / 2;
  expect_second_order(
      [&](double n, const Vec3& o) {
        auto s = test::cavity({2, 0, 0}, n, box_of({a + b, 0, 0}, o));
        s.materials = {test::constant("glass", 4)};
        s.bodies.push_back(box_of({a, 0, 0}, {o[0] - b / 2, 0, 0}));
        s.bodies.back().material = "glass";
        return s;
      },
      20, low, 4 * dispersion(2 * low, 40), 24);
}

TEST(FdtdConductorModes, StairsAreOfFirstOrderButNoMagneticWalls) {
  std::mt19937 random(3);
  const double exact = 1 / (2 * 1.02);
  for (int n = 0; n < 6; ++n) {
    auto s = rectangle(40, random_offset(random, 1.0 / 40), true);
    s.averaging = false;
    // a wall is at most half a cell off on either side
    EXPECT_NEAR(test::nearest_mode(test::walled(s), exact) / exact, 1, 1.05 / 40 / 1.02);
  }
}

}  // namespace
}  // namespace umov::fdtd
