// What is left of bodies that others hide or cut: the same shares and normals as of bodies drawn so.
#include "fdtd/monitors/flux.hpp"
#include "support/machines.hpp"
#include "support/united_bodies.hpp"

namespace umov::fdtd {
namespace {

using namespace test::united;

void expect_equal(const std::vector<BodySpec>& one, const std::vector<BodySpec>& other, const Vec3& size) {
  const Difference d = difference(scene_of(one, size), scene_of(other, size));
  EXPECT_LE(d.share, 1e-9);
  EXPECT_LE(d.normal, 1e-9);
  EXPECT_GT(d.mixed, 30);
}

// Coordinates of order 1 round at 1e-16; the air is as wide as the body, or wider and longer by parts of
// cells.
TEST(FdtdVisibleBodies, WhatTheBackgroundsMediumCutsOffABodyIsNoneOfIt) {
  const Vec3 longer{0.63, high[1], high[2]};
  for (const Vec3& size : {Vec3{2, 2, 2}, Vec3{2, 2, 0}})
    for (const double wider : {0.0, 0.03, 0.13}) {
      SCOPED_TRACE(wider);
      const Vec3 more{wider, wider, wider};
      const auto air = box(with(low, 0, high[0]) - with(more, 0, 0), longer + more, "air");
      expect_equal({box(low, longer), air}, {box(low, high)}, size);
      const auto left = box(low - more, with(high, 0, -0.11) + with(more, 0, 0), "air");
      expect_equal({box(low, longer), air, left}, {box(with(low, 0, -0.11), high)}, size);
    }
}
TEST(FdtdVisibleBodies, AHoleOfTheBackgroundsMediumIsWhatBodiesAroundItLeaveFree) {
  const Vec3 flat{2, 2, 0};
  const auto cut = [](double x0, double x1, double y0, double y1, const std::string& of = "glass") {
    return box({x0, y0, -1}, {x1, y1, 1}, of);
  };
  const double l = -0.44, a = -0.17, b = 0.13, h = 0.53;
  expect_equal({cut(l, h, l, h), cut(a, b, a, b, "air")},
               {cut(l, h, l, a), cut(l, h, b, h), cut(l, a, a, b), cut(b, h, a, b)}, flat);
  expect_equal({cut(l, h, l, h), cut(a, b, a, b, "air"), cut(a, 0, a, 0)},
               {cut(l, h, l, a), cut(l, h, b, h), cut(l, a, a, b), cut(b, h, a, b), cut(a, 0, a, 0)}, flat);
}
TEST(FdtdVisibleBodies, AnAcuteCornerLeftOfABoxIsThatOfATriangle) {
  auto triangle = prism({{-0.4, -0.3}, {0.5, -0.3}, {-0.4, 0.1}}, 0.4),
       air = prism({{0.95, -0.5}, {0.95, 0.5}, {-0.85, 0.5}, {-0.85, 0.3}}, 0.5);
  air.material = "air";
  auto whole = box({-0.4, -0.3, -0.2}, {0.6, 0.3, 0.2});
  whole.center = whole.center + triangle.center;
  expect_equal({whole, air}, {triangle}, {2, 2, 0});
}

// Materials that are the same but for their names have no surface between them.
TEST(FdtdVisibleBodies, OneMediumUnderTwoNamesIsOne) {
  auto halves = pieces({{{0.017}, {}, {}}});
  Simulation two = scene_of(halves);
  two.materials.push_back(test::constant("glass again", 6.25));
  two.bodies[1].material = "glass again";
  const Difference d = difference(two, scene_of({box(low, high)}));
  EXPECT_LE(d.share, 1e-9);
  EXPECT_LE(d.normal, 1e-9);
}

// Strips of half a cell at an angle, each thinner than what a cell can tell.
TEST(FdtdVisibleBodies, StripsOfAConductorAreAsThickAsTogether) {
  const auto turned = [](std::vector<BodySpec> all) {
    for (auto& b : all) {
      const double c = std::cos(0.4), s = std::sin(0.4);
      b.center = {c * b.center[0] - s * b.center[1], s * b.center[0] + c * b.center[1], 0};
      b.rotation = 0.4 * 180 / pi;
    }
    return all;
  };
  std::vector<double> cuts;
  for (double x = low[0] + 0.057; x < high[0] - 0.03; x += 0.057) cuts.push_back(x);
  for (const bool te : {true, false}) {
    Simulation strips = scene_of(turned(pieces({{cuts, {}, {}}})), {2, 2, 0}),
               one = scene_of(turned({box(low, high)}), {2, 2, 0});
    for (Simulation* s : {&strips, &one}) s->te = te, s->materials[0].constants.perfect_conductor = true;
    EXPECT_EQ(test::painted(one).conductors.thin, 0);
    EXPECT_EQ(test::painted(strips).conductors.thin, 0);
    expect_painted_alike(strips, one);
  }
}

/// A rectangle of these materials below and above its diagonal, and what it absorbs of light with H along it.
double absorbed(const std::string& below, const std::string& above) {
  Simulation s = test::checked_case({3, 3, 0}, 20, 1e-6);
  s.te = true;
  for (const double strength : {66.7, 66.7 * 1.002}) {
    MaterialSpec m;
    m.name = s.materials.empty() ? "metal" : "nearly";
    m.constants.poles = {{.kind = materials::Pole::Kind::drude, .strength = strength, .gamma = 0.8}};
    s.materials.push_back(m);
  }
  for (const bool upper : {false, true}) {
    auto b = test::body("prism", upper ? above : below, {0, 0, 0});
    b.vertices = {{0.6, -0.4}, {-0.6, 0.4}, upper ? Vec3{0.6, 0.4} : Vec3{-0.6, -0.4}};
    s.bodies.push_back(b);
  }
  s.sources = {test::plane_wave(test::pulse(0.55, 0.25), 0, {1.8, 1.8, 0})};
  s.monitors = {test::flux_through("absorbed", {0, 0, 0}, {1.5, 1.1, 0}, {0.55}, true)};
  return fdtd::run(s, umov::test::one_thread).of<FluxResult>()[0].flux[0];
}

// Perturbation theory: to first order in the difference each half adds its part of what changing both does.
TEST(FdtdVisibleBodies, ASeamBetweenNearlyEqualMetalsChangesNoMoreThanTheirDifference) {
  const double one = absorbed("metal", "metal"), other = absorbed("nearly", "nearly"),
               both = absorbed("metal", "nearly"), turned = absorbed("nearly", "metal");
  EXPECT_LT(one, 0);
  const double room = 2 * std::abs(other - one);
  EXPECT_NEAR(both, one, room);
  EXPECT_NEAR(turned, one, room);
}

}  // namespace
}  // namespace umov::fdtd
