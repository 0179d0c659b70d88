// Bodies are continued over periodic walls: everything moved by whole cells along a period gives the same
// fields, and a body is the same as its image.
#include <gtest/gtest.h>

#include "core/error.hpp"
#include "fdtd/model/validate.hpp"
#include "fdtd/monitors/series.hpp"
#include "fdtd/run/run.hpp"
#include "support/fdtd_cases.hpp"
#include "support/machines.hpp"
#include "support/monitor_runs.hpp"

using namespace umov;
using namespace umov::fdtd;
using Kind = MonitorSpec::Kind;

namespace {

constexpr double periodic_dx = 0.1;

MaterialSpec metal() {
  MaterialSpec m = test::constant("metal", 2);
  m.constants.poles = {materials::Pole{}};
  m.constants.poles[0].kind = materials::Pole::Kind::drude;
  m.constants.poles[0].strength = 30;
  m.constants.poles[0].gamma = 0.5;
  return m;
}

MaterialSpec wall() {
  MaterialSpec m;
  m.name = "wall";
  m.constants.perfect_conductor = true;
  return m;
}

BodySpec placed(const std::string& shape, const std::string& material, const Vec3& at, double radius) {
  BodySpec b = test::body(shape, material, at);
  b.radius = radius;
  return b;
}

/// Nothing about the conductor is symmetric: areas of its faces that are equal up to rounding are lent and
/// rounded either way. Bodies of every kind that overlap each other, about the middle of a domain of 24 x 20
/// cells.
Simulation flat_case(bool te, WallKind kind, bool with_metal) {
  Simulation s;
  s.size = {2.4, 2, 0};
  s.resolution = 1 / periodic_dx;
  s.te = te;
  s.courant = 0.5;
  s.precision = Precision::double_;
  s.walls = test::all_walls(kind);
  if (kind == WallKind::bloch) s.bloch = {0.13, 0.07, 0};
  s.materials = {test::constant("glass", 3), test::constant("dense", 9), metal(), wall()};
  const std::string third = with_metal ? "metal" : "glass";
  s.bodies = {placed("cylinder", "glass", {0.03, 0.02, 0}, 0.71),
              placed("box", "dense", {0.4, 0.1, 0}, 0),
              placed("ring", third, {-0.5, 0.4, 0}, 0.33),
              placed("prism", "dense", {-0.6, -0.5, 0}, 0),
              placed("ellipsoid", third, {0.63, -0.47, 0}, 0),
              placed("cylinder", "wall", {0.013, 0.557, 0}, 0.2637)};
  s.bodies[1].size = Vec3{0.45, 0.37, 0};
  s.bodies[1].rotation = 20;
  s.bodies[2].inner_radius = 0.15;
  s.bodies[3].vertices = {{-0.3, -0.2, 0}, {0.3, -0.1, 0}, {0, 0.25, 0}};
  s.bodies[4].size = Vec3{0.5, 0.33, 0};
  s.sources = {test::pulse(te ? Hz : Ez, {0.05 - 0.3, 0.05 - 0.2, 0}, 0.9, 0.4)};
  s.monitors = {test::monitor(Kind::series, {0.05 + 0.9, 0.05 + 0.7, 0}, {0, 0, 0})};
  if (!te) s.sources[0].center = {-0.3, -0.2, 0}, s.monitors[0].center = {0.9, 0.7, 0};
  s.monitors[0].fields = {te ? Hz : Ez};
  s.stop.steps = 700;
  return s;
}

double into(double x, double length) { return x - length * std::floor(x / length + 0.5); }

/// Everything moved by whole cells; what has to lie in the domain comes in at the other end.
Simulation moved(Simulation s, const Int3& cells) {
  for (int a = 0; a < 3; ++a) {
    const double by = cells[a] * periodic_dx;
    for (auto& b : s.bodies) b.center[a] += by;
    if (s.size[a] == 0) continue;
    for (auto& source : s.sources) source.center[a] = into(source.center[a] + by, s.size[a]);
    for (auto& m : s.monitors) m.center[a] = into(m.center[a] + by, s.size[a]);
  }
  return s;
}

/// Largest difference of the magnitudes over the largest magnitude: Bloch walls turn phases.
double difference_of_periodic_bodies(const Simulation& a, const Simulation& b) {
  const SeriesResult u = fdtd::run(a, umov::test::serial).of<SeriesResult>().at(0),
                     v = fdtd::run(b, umov::test::serial).of<SeriesResult>().at(0);
  double largest = 0, worst = 0;
  for (std::size_t i = 0; i < u.value.size(); ++i) {
    const auto size = [i](const SeriesResult& s) {
      return s.imag.empty() ? s.value[i] : std::hypot(s.value[i], s.imag[i]);
    };
    largest = std::max(largest, std::abs(size(u)));
    worst = std::max(worst, std::abs(size(u) - size(v)));
  }
  EXPECT_GT(largest, 0);
  return worst / largest;
}

// Positions of bodies are rounded, to 1e-16 of a unit, and fields of 700 steps with them.
constexpr double image_rounding = 1e-10;

}  // namespace

TEST(FdtdPeriodicBodies, MovedByWholeCellsAlongPeriodsTheyGiveTheSameFields) {
  for (const bool te : {false, true}) {
    const Simulation s = flat_case(te, WallKind::periodic, true);
    for (const Int3& by : {Int3{7, 5, 0}, Int3{12, 10, 0}, Int3{-31, 3, 0}})
      EXPECT_LT(difference_of_periodic_bodies(s, moved(s, by)), image_rounding) << te << " " << by[0];
  }
}

TEST(FdtdPeriodicBodies, MovedByWholeCellsBetweenBlochWallsTheyGiveTheSameMagnitudes) {
  for (const bool te : {false, true}) {
    const Simulation s = flat_case(te, WallKind::bloch, false);
    EXPECT_LT(difference_of_periodic_bodies(s, moved(s, {7, 5, 0})), image_rounding) << te;
    EXPECT_LT(difference_of_periodic_bodies(s, moved(s, {12, 10, 0})), image_rounding) << te;
  }
}

TEST(FdtdPeriodicBodies, InSpaceSpheresOfEveryMaterialMayPassTheWalls) {
  Simulation s;
  s.size = {1.2, 1.2, 1.2};
  s.resolution = 1 / periodic_dx;
  s.courant = 0.5;
  s.precision = Precision::double_;
  s.walls = test::all_walls(WallKind::periodic);
  s.materials = {test::constant("glass", 3), metal(), wall()};
  s.bodies = {placed("sphere", "glass", {0.113, 0.007, 0.017}, 0.4321),
              placed("sphere", "metal", {-0.213, 0.307, 0.111}, 0.2531),
              placed("sphere", "wall", {0.313, -0.287, 0.207}, 0.2137)};
  s.sources = {test::pulse(Ez, {-0.3, -0.3, -0.35}, 0.9, 0.4)};
  s.monitors = {test::monitor(Kind::series, {0.2, 0.5, 0.45}, {0, 0, 0})};
  s.monitors[0].fields = {Ez};
  s.stop.steps = 300;
  EXPECT_LT(difference_of_periodic_bodies(s, moved(s, {5, 6, -4})), image_rounding);
}

TEST(FdtdPeriodicBodies, OnACornerOfTheCellIsTheOneInItsMiddle) {
  Simulation s = flat_case(true, WallKind::periodic, true);
  s.bodies.resize(1);
  const auto share = [&](const Vec3& center) {
    s.bodies[0].center = center;
    const auto scene = make_scene(s);
    double sum = 0;
    for (int j = 0; j < 20; ++j)
      for (int i = 0; i < 24; ++i) {
        Mixture m;
        const Vec3 lo{-1.2 + periodic_dx * i, -1 + periodic_dx * j, 0};
        scene->shares(lo, lo + Vec3{periodic_dx, periodic_dx, 0}, m);
        for (const auto& part : m) sum += part.material == 0 ? 0 : part.fraction;
      }
    return sum * periodic_dx * periodic_dx;
  };
  // Surfaces are planes in each of the smallest boxes: the area of a circle is 2e-3 off and less.
  EXPECT_NEAR(share({0, 0, 0}), pi * 0.71 * 0.71, 2e-3);
  for (const Vec3& at : {Vec3{1.2, 1, 0}, Vec3{-1.2, 1, 0}, Vec3{3.6, -1, 0}, Vec3{0, 1, 0}})
    EXPECT_NEAR(share(at), share({0, 0, 0}), 1e-9);
}

TEST(FdtdPeriodicBodies, LaterOnesCoverTheImagesOfEarlierOnes) {
  Simulation s = flat_case(false, WallKind::periodic, false);
  s.bodies = {placed("cylinder", "glass", {1.2, 0, 0}, 0.4), placed("cylinder", "dense", {-1.2, 0, 0}, 0.2)};
  const auto scene = make_scene(s);
  const auto name = [&](double x) { return scene->materials()[scene->material_at({x, 0, 0})].name; };
  for (const double side : {-1.0, 1.0}) {
    EXPECT_EQ(name(side * 1.1), "dense");
    EXPECT_EQ(name(side * 0.9), "glass");
    EXPECT_EQ(name(side * 0.7), "vacuum");
  }
}

TEST(FdtdPeriodicBodies, WithoutEndAtAnAngleAreSaidAndTooLongOnesRefused) {
  Simulation s = flat_case(false, WallKind::periodic, false);
  const auto warned = [&] {
    const auto scene = make_scene(s);
    for (const auto& f : validate(s, *scene, make_grid(s, *scene)))
      if (f.message.find("at an angle and without end") != std::string::npos) return true;
    return false;
  };
  EXPECT_FALSE(warned());
  s.bodies = {placed("box", "glass", {0, 0, 0}, 0)};
  s.bodies[0].size = Vec3{0.3, INFINITY, 0};
  EXPECT_FALSE(warned());
  s.bodies[0].rotation = 30;
  EXPECT_TRUE(warned());
  s.bodies[0].size = Vec3{0.3, 1e6, 0};
  EXPECT_THROW(make_scene(s), BadInput);
}
