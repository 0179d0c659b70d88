// Bodies of one material that touch or overlap are painted as their union, whatever their shapes and order.
#include "support/united_bodies.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace umov::fdtd {
namespace {

using namespace test::united;
using test::body;

void expect_same(const std::vector<BodySpec>& parts, const std::vector<BodySpec>& whole, double share,
                 double normal, const Vec3& size = {2, 2, 2}) {
  for (int order = 0; order < 2; ++order) {
    auto bodies = parts;
    if (order == 1) std::ranges::reverse(bodies);
    const Difference d = difference(scene_of(bodies, size), scene_of(whole, size));
    EXPECT_LE(d.share, share) << order;
    EXPECT_LE(d.normal, normal) << order;
    EXPECT_GT(d.mixed, 30);
  }
}

TEST(FdtdUnitedBodies, BoxesSideBySideAreOneBox) {
  expect_same(pieces({{{0.017}, {}, {}}}), {box(low, high)}, 1e-9, 1e-9);
}
TEST(FdtdUnitedBodies, BoxesThatOverlapOrMeetInRowsAndCornersAreOneBox) {
  auto overlap = pieces({{{0.017}, {}, {}}});
  overlap[0] = box(low, with(high, 0, 0.093));
  expect_same(overlap, {box(low, high)}, 1e-9, 1e-9);
  expect_same(pieces({{{-0.05, 0.017}, {}, {}}}), {box(low, high)}, 1e-9, 1e-9);
  expect_same(pieces({{{0.017}, {0.05}, {}}}), {box(low, high)}, 1e-9, 1e-9);
  expect_same(pieces({{{0.017}, {0.05}, {0.03}}}), {box(low, high)}, 1e-9, 1e-9);
  // slabs of less than a cell, and bricks of a cell
  expect_same(pieces({{{-0.31, -0.25, -0.19, -0.13, -0.07, -0.01, 0.05}, {}, {}}}), {box(low, high)}, 1e-9,
              1e-9);
  expect_same(pieces({{{-0.07, 0.03, 0.13, 0.23}, {-0.04, 0.06}, {}}}), {box(low, high)}, 1e-9, 1e-9);
}

TEST(FdtdUnitedBodies, ThePlaneTooHasOneRectangle) {
  const Vec3 flat{2, 2, 0};
  for (const auto& cuts : std::vector<std::array<std::vector<double>, 3>>{
           {{{0.017}, {}, {}}}, {{{}, {0.05}, {}}}, {{{-0.05, 0.017}, {0.05}, {}}}})
    expect_same(pieces(cuts), {box(low, high)}, 1e-9, 1e-9, flat);
}

/// A ridge on a half space beyond x, cut from it, overlapping it, and as rows along x; its edges lie between
/// nodes or, with `on_nodes`, on them.
std::array<std::vector<BodySpec>, 3> ridges(double x, bool on_nodes) {
  const double h = on_nodes ? 0.2 : 0.23, top = x - (on_nodes ? 0.3 : 0.34), far = 5;
  const auto cut = [&](double x0, double x1, double y0, double y1) {
    return box({x0, y0, -far}, {x1, y1, far});
  };
  const BodySpec base = cut(x, far, -far, far);
  return {std::vector{base, cut(top, x, -h, h)},
          {base, cut(top, x + 0.24, -h, h)},
          {cut(x, far, -far, -h), cut(top, far, -h, h), cut(x, far, h, far)}};
}

// Sums and differences of lengths of order 1 round at 1e-16; a share is a sum over a few hundred boxes.
TEST(FdtdUnitedBodies, ASeamOnNodesOrHalfwayBetweenThemIsNone) {
  for (const Vec3& size : {Vec3{2, 2, 0}, Vec3{2, 2, 0.6}})
    for (const double x : {0.0, 0.05})
      for (const bool on_nodes : {false, true}) {
        const auto [touch, overlap, rows] = ridges(x, on_nodes);
        SCOPED_TRACE(x);
        expect_same(touch, overlap, 1e-9, 1e-9, size);
        expect_same(touch, rows, 1e-9, 1e-9, size);
      }
}

/// Largest difference between the normals' dyads at a point and at its image in y = 0, or with `turned` in
/// the plane x = y, where a scene looks the same.
double asymmetry(const std::vector<BodySpec>& bodies, bool turned) {
  const auto scene = make_scene(scene_of(bodies, {2, 2, 0}));
  double largest = 0;
  for (int j = -16; j <= 16; ++j)
    for (int i = -16; i <= 16; ++i) {
      const Vec3 p = 0.5 * dx * Vec3{double(i), double(j), 0};
      const auto image = [&](const Vec3& v) { return turned ? Vec3{v[1], v[0], 0} : Vec3{v[0], -v[1], 0}; };
      const Vec3 u = image(scene->normal(p)), v = scene->normal(image(p));
      for (int c = 0; c < 2; ++c)
        for (int e = 0; e < 2; ++e) largest = std::max(largest, std::fabs(u[c] * u[e] - v[c] * v[e]));
    }
  return largest;
}

TEST(FdtdUnitedBodies, ASeamOnTheGridKeepsTheMirrorSymmetryOfWhatItDivides) {
  for (const double x : {0.0, 0.05, 0.017})
    for (const bool on_nodes : {false, true})
      for (const auto& bodies : ridges(x, on_nodes)) EXPECT_LE(asymmetry(bodies, false), 1e-9) << x;
}

// No face is nearer than another, and the field has no direction to jump in.
TEST(FdtdUnitedBodies, WhereOnlyEdgesTouchThereIsNoNormal) {
  const std::vector<BodySpec> squares{box({-0.3, 0, -5}, {0, 0.3, 5}), box({0, -0.3, -5}, {0.3, 0, 5})};
  for (auto bodies : {squares, {squares[1], squares[0]}}) {
    EXPECT_EQ(make_scene(scene_of(bodies, {2, 2, 0}))->normal({0, 0, 0}), (Vec3{0, 0, 0}));
    EXPECT_LE(asymmetry(bodies, true), 1e-9);
  }
}

// Sides of pieces are walked around the same corners, whose coordinates round at 1e-16.
TEST(FdtdUnitedBodies, ARidgeAtAnAngleToTheGridHasNoSeam) {
  for (const auto& bodies : ridges(0.013, false)) {
    auto turned = [](std::vector<BodySpec> all) {
      for (auto& b : all) {
        const double c = std::cos(0.3), s = std::sin(0.3);
        b.center = {c * b.center[0] - s * b.center[1], s * b.center[0] + c * b.center[1], 0};
        b.rotation = 0.3 * 180 / pi;
      }
      return all;
    };
    expect_same(turned(bodies), turned(ridges(0.013, false)[1]), 1e-9, 1e-9, {2, 2, 0});
  }
}

/// A cube without one octant, as the seven others, or as three slabs that overlap.
std::array<std::vector<BodySpec>, 2> hollow_corner(const Vec3& at) {
  const Vec3 from{-0.43, -0.37, -0.33}, to{0.41, 0.46, 0.52};
  std::array<std::vector<BodySpec>, 2> all;
  for (int octant = 0; octant < 7; ++octant) {
    Vec3 lo = from, hi = to;
    for (int a = 0; a < 3; ++a) ((octant >> a) & 1 ? lo : hi)[a] = at[a];
    all[0].push_back(box(lo, hi));
  }
  for (int a = 0; a < 3; ++a) all[1].push_back(box(from, with(to, a, at[a])));
  return all;
}

TEST(FdtdUnitedBodies, WithinAHollowCornerTheNearestPlaceIsAnEdgeOrTheCorner) {
  for (const Vec3& at : {Vec3{0, 0, 0}, Vec3{0.05, 0.05, 0.1}, Vec3{0.013, -0.021, 0.037}}) {
    const auto [octants, slabs] = hollow_corner(at);
    expect_same(octants, slabs, 1e-9, 1e-9);
    const double c = 0.02, root = std::sqrt(3.0);
    const Vec3 n = make_scene(scene_of(octants))->normal(at - Vec3{c, c, c});
    for (int a = 0; a < 3; ++a) EXPECT_NEAR(n[a], 1 / root, 1e-9);
  }
}

// Places on edges of curved faces are found by Newton's steps, to a tenth of a millionth of a cell.
TEST(FdtdUnitedBodies, ADiscOnAPlateHidesASeamOfThePlate) {
  auto disc = body("cylinder", "glass", {0.03, 0.27, 0});
  disc.radius = 0.3;
  const auto halves = pieces({{{0.017}, {}, {}}});
  expect_same({halves[0], disc, halves[1]}, {disc, box(low, high)}, 1e-9, 1e-6, {2, 2, 0});
  disc.height = 0.6;
  expect_same({halves[0], disc, halves[1]}, {disc, box(low, high)}, 1e-9, 1e-6);
}

/// A sector of a circle as layout tools write it, whole or with its corner in the middle.
BodySpec drawn_sector(const Vec3& center, double radius, int corners, double height, double from = 0,
                      double angle = 2 * pi) {
  auto b = body("prism", "glass", center);
  const bool whole = angle == 2 * pi;
  if (!whole) b.vertices.push_back({0, 0, 0});
  for (int i = 0; i < corners; ++i) {
    const double at = from + angle * i / (whole ? corners : corners - 1);
    b.vertices.push_back({radius * std::cos(at), radius * std::sin(at), 0});
  }
  b.height = height;
  return b;
}

// Of n corners sides turn by 2 pi / n, which the normals differ by at most. A round face that deviates from a
// plane by a tenth of a box's edge at one of its eight corners is taken for one (cut_box.cpp).
TEST(FdtdUnitedBodies, APolygonOfThousandsOfCornersMeetsOthersAsACircleDoes) {
  // nodes lie behind the corners of the seams, where neither face is the nearest
  const Vec3 at{0.06, 0.0346, 0};
  for (const double height : {0.0, 0.31})
    for (const int corners : {500, 2000}) {
      auto disc = body("cylinder", "glass", at);
      disc.radius = 0.3, disc.height = height;
      const BodySpec arm = box({0.01, -0.1154, -0.2}, {0.51, 0.1846, 0.1});
      const Vec3 size{2, 2, height > 0 ? 2.0 : 0.0};
      SCOPED_TRACE(corners);
      expect_same({drawn_sector(at, 0.3, corners, height), arm}, {disc, arm}, 0.1 / 8, 2 * pi / corners,
                  size);
      expect_same(
          {drawn_sector(at, 0.3, corners, height, 0.3, 1.7), drawn_sector(at, 0.3, corners, height, 2.0, 2.3),
           drawn_sector(at, 0.3, corners, height, 4.3, 2 * pi - 4), arm},
          {disc, arm}, 0.1 / 8, 2 * pi / corners, size);
    }
}

TEST(FdtdUnitedBodies, CellsAtEdgesAndCornersHaveTheirVolume) {
  const auto scene = make_scene(scene_of({box(low, high)}));
  Mixture m;
  for (int corner = 0; corner < 8; ++corner)
    for (const double out : {-0.031, 0.004, 0.022}) {
      Vec3 center{0, 0, 0};
      double share = 1;
      for (int a = 0; a < 3; ++a) {
        const bool upper = (corner >> a) & 1;
        center[a] = upper ? high[a] + out : low[a] - out, share *= 0.5 - out / dx;
      }
      scene->shares(center - 0.5 * dx * Vec3{1, 1, 1}, center + 0.5 * dx * Vec3{1, 1, 1}, m);
      EXPECT_NEAR(share_of(m, 1), share, 1e-12);
    }
}

/// Two prisms that meet in a plane at an angle, and what they make together.
std::pair<std::vector<BodySpec>, std::vector<BodySpec>> cut_aslant(double turn) {
  const std::vector<Vec3> left{{-0.4, -0.25}, {0.1, -0.25}, {-0.1, 0.25}, {-0.4, 0.25}},
      right{{0.4, 0.25}, {-0.1, 0.25}, {0.1, -0.25}, {0.4, -0.25}},
      whole{{-0.4, -0.25}, {0.4, -0.25}, {0.4, 0.25}, {-0.4, 0.25}};
  std::pair both{std::vector{prism(left, 0.37), prism(right, 0.37)}, std::vector{prism(whole, 0.37)}};
  for (auto* list : {&both.first, &both.second})
    for (auto& b : *list) b.axis = {turn > 0 ? 0.3 : 0, turn > 0 ? 0.2 : 0, 0.9}, b.rotation = turn;
  return both;
}

TEST(FdtdUnitedBodies, ASeamAtAnAngleIsNone) {
  const auto [parts, whole] = cut_aslant(0);
  expect_same(parts, whole, 1e-9, 1e-9);
}

// Turned against the grid, cells at the body's own edges are divided down to an eighth of a cell's edge: the
// last boxes, 1/512 of a cell each, are estimated.
TEST(FdtdUnitedBodies, ASeamAtAnAngleToTheGridTooIsNone) {
  const auto [parts, whole] = cut_aslant(31);
  EXPECT_LE(difference(scene_of(parts), scene_of(whole)).share, 1.0 / 512);
}

// Surfaces are looked for a millionth of a cell from the place: so far do normals of balls turn.
TEST(FdtdUnitedBodies, ABallInsideAnotherIsNotSeen) {
  auto ball = body("sphere", "glass", {0.013, 0.02, -0.03}), core = ball;
  ball.radius = 0.4, core.radius = 0.33;
  core.center[0] += 0.02;
  expect_same({core, ball}, {ball}, 1e-9, 1e-6);
}

// A surface that deviates from a plane by a tenth of a box's edge at one of its eight corners is taken for
// one (cut_box.cpp): by the mean of that two estimates of a curved surface differ.
TEST(FdtdUnitedBodies, CylindersEndToEndAreOneCylinder) {
  auto rod = body("cylinder", "glass", {0.013, 0.02, 0}), lower = rod, upper = rod;
  rod.radius = lower.radius = upper.radius = 0.33;
  rod.height = 0.6, lower.height = 0.25, lower.center[2] = -0.175, upper.height = 0.35,
  upper.center[2] = 0.125;
  expect_same({lower, upper}, {rod}, 0.1 / 8, 1e-6);
}

// Its cells at the box's edges are divided down to an eighth: 8 boxes of 1/512 in a row, half of each.
TEST(FdtdUnitedBodies, AGapOfLessThanAThousandthOfACellChangesNoMoreThanItsVolume) {
  for (const double gap : {1e-10, 1e-7, 1e-6, 1e-5, 1e-4}) {
    auto parts = pieces({{{0.017}, {}, {}}});
    parts[0].center[0] -= gap / 2, (*parts[0].size)[0] -= gap;
    const Difference d = difference(scene_of(parts), scene_of({box(low, high)}));
    EXPECT_LE(d.share, gap / dx + 4.0 / 512);
    EXPECT_LE(d.normal, 2 * gap / dx + 1e-9);
  }
}

TEST(FdtdUnitedBodies, MetalsPolesAndNoAveragingAreOneToo) {
  const auto parts = pieces({{{0.017}, {0.05}, {}}});
  for (int kind = 0; kind < 3; ++kind) {
    Simulation two = scene_of(parts), one = scene_of({box(low, high)});
    for (Simulation* s : {&two, &one}) {
      if (kind == 0) s->averaging = false;
      if (kind == 1) s->materials[0].constants.perfect_conductor = true;
      if (kind == 2) s->materials[0].constants.sigma = {0.3, 0.3, 0.3};
    }
    SCOPED_TRACE(kind);
    expect_painted_alike(two, one);
  }
}

// Between the parts of a body another lies on top: only what is left of them is surface.
TEST(FdtdUnitedBodies, BodiesOfOtherMaterialsBetweenThemKeepTheirPlace) {
  const auto halves = pieces({{{0.017}, {}, {}}});
  const BodySpec island = box({-0.8, 0.5, -0.1}, {-0.5, 0.8, 0.3}, "other"),
                 plug = box({0.22, -0.1, -0.3}, {0.33, 0.1, 0.3}, "other");
  expect_same({halves[0], island, halves[1]}, {box(low, high), island}, 1e-9, 1e-9);
  const Difference d = difference(scene_of({halves[0], halves[1], plug}), scene_of({box(low, high), plug}));
  EXPECT_LE(d.share, 1e-9);
  EXPECT_LE(d.normal, 1e-9);
}

// Halfway between two balls half a cell apart both surfaces are equally near, and the field that jumps is
// along the line between them, not along the plane that separates them.
TEST(FdtdUnitedBodies, BetweenTwoBallsTheNormalIsAcrossTheGap) {
  auto left = body("sphere", "glass", {-0.325, 0, 0}), right = body("sphere", "glass", {0.325, 0, 0});
  left.radius = right.radius = 0.3;
  const auto scene = make_scene(scene_of({left, right}));
  for (const double y : {0.0, 0.01, 0.03, 0.05}) {
    const Vec3 n = scene->normal({0, y, 0});
    EXPECT_NEAR(std::fabs(n[0]), 1, 1e-6) << y;
  }
}

}  // namespace
}  // namespace umov::fdtd
