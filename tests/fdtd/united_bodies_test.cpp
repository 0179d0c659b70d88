// Bodies of one material that touch or overlap are painted as their union, whatever their shapes and order.
#include <gtest/gtest.h>

#include <algorithm>

#include "fdtd/scene.hpp"
#include "support/fdtd_cases.hpp"
#include "support/fdtd_runs.hpp"

namespace umov::fdtd {
namespace {

using test::body;

constexpr double dx = 0.1;

BodySpec box(const Vec3& low, const Vec3& high, const std::string& material = "glass") {
  auto b = body("box", material, 0.5 * (low + high));
  b.size = high - low;
  return b;
}

BodySpec prism(const std::vector<Vec3>& vertices, double height) {
  auto b = body("prism", "glass", {0.013, 0.007, 0.004});
  b.vertices = vertices;
  b.height = height;
  return b;
}

Simulation scene_of(const std::vector<BodySpec>& bodies, const Vec3& size = {2, 2, 2}) {
  Simulation s = test::checked_case(size, 1 / dx);
  s.materials = {test::constant("glass", 6.25), test::constant("other", 2)};
  s.bodies = bodies;
  return s;
}

double share_of(const Mixture& m, int material) {
  double sum = 0;
  for (const auto& s : m) sum += s.material == material ? s.fraction : 0;
  return sum;
}

/// What two scenes say differently in boxes of a cell's size around the places of components and nodes.
struct Difference {
  double share = 0;   ///< largest of a cell
  double normal = 0;  ///< largest, of its entry of eps^-1: weighted by what the cell's mixture makes of it
  int mixed = 0;      ///< cells that hold both
};
Difference difference(const Simulation& one, const Simulation& other) {
  const auto a = make_scene(one), b = make_scene(other);
  const int n = 32, flat = one.size[2] == 0;
  Difference d;
  Mixture m;
  for (int k = flat ? 0 : -n / 2; k <= (flat ? 0 : n / 2); ++k)
    for (int j = -n / 2; j <= n / 2; ++j)
      for (int i = -n / 2; i <= n / 2; ++i) {
        const Vec3 p = 0.5 * dx * Vec3{double(i), double(j), double(k)};
        const Vec3 half = 0.5 * dx * Vec3{1, 1, flat ? 0.0 : 1.0};
        a->shares(p - half, p + half, m);
        const double share = share_of(m, 1);
        b->shares(p - half, p + half, m);
        d.share = std::max(d.share, std::fabs(share - share_of(m, 1)));
        if (std::min(share, 1 - share) < 1e-9) continue;
        ++d.mixed;
        const Vec3 u = a->normal(p), v = b->normal(p);
        for (int c = 0; c < 3; ++c)
          for (int e = c; e < 3; ++e)
            d.normal = std::max(d.normal, 4 * share * (1 - share) * std::fabs(u[c] * u[e] - v[c] * v[e]));
      }
  return d;
}

const Vec3 low{-0.37, -0.24, -0.163}, high{0.46, 0.27, 0.207};

Vec3 with(Vec3 v, int axis, double x) {
  v[axis] = x;
  return v;
}

/// A box cut along axes at these places.
std::vector<BodySpec> pieces(const std::array<std::vector<double>, 3>& cuts) {
  std::vector<std::pair<Vec3, Vec3>> all{{low, high}};
  for (int a = 0; a < 3; ++a) {
    std::vector<std::pair<Vec3, Vec3>> next;
    for (const auto& [lo, hi] : all) {
      double from = lo[a];
      for (const double x : cuts[a]) next.push_back({with(lo, a, from), with(hi, a, x)}), from = x;
      next.push_back({with(lo, a, from), hi});
    }
    all = next;
  }
  std::vector<BodySpec> bodies;
  for (const auto& [lo, hi] : all) bodies.push_back(box(lo, hi));
  return bodies;
}

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
  expect_same(pieces({{{-0.27, -0.17, -0.07, 0.03, 0.13, 0.23, 0.33}, {-0.14, -0.04, 0.06, 0.16}, {}}}),
              {box(low, high)}, 1e-9, 1e-9);
}

TEST(FdtdUnitedBodies, ThePlaneTooHasOneRectangle) {
  const Vec3 flat{2, 2, 0};
  for (const auto& cuts : std::vector<std::array<std::vector<double>, 3>>{
           {{{0.017}, {}, {}}}, {{{}, {0.05}, {}}}, {{{-0.05, 0.017}, {0.05}, {}}}})
    expect_same(pieces(cuts), {box(low, high)}, 1e-9, 1e-9, flat);
}

TEST(FdtdUnitedBodies, ASeamAtAnAngleIsNone) {
  const std::vector<Vec3> left{{-0.4, -0.25}, {0.1, -0.25}, {-0.1, 0.25}, {-0.4, 0.25}},
      right{{0.4, 0.25}, {-0.1, 0.25}, {0.1, -0.25}, {0.4, -0.25}},
      whole{{-0.4, -0.25}, {0.4, -0.25}, {0.4, 0.25}, {-0.4, 0.25}};
  for (const double turn : {0.0, 31.0}) {
    auto parts = std::vector{prism(left, 0.37), prism(right, 0.37)};
    auto one = std::vector{prism(whole, 0.37)};
    for (auto* list : {&parts, &one})
      for (auto& b : *list) b.axis = {0.3, 0.2, 0.9}, b.rotation = turn;
    expect_same(parts, one, 1e-6, 1e-6);
  }
}

TEST(FdtdUnitedBodies, ABodyInsideAnotherIsNotSeen) {
  auto ball = body("sphere", "glass", {0.013, 0.02, -0.03}), core = ball;
  ball.radius = 0.4, core.radius = 0.33;
  core.center[0] += 0.02;
  expect_same({core, ball}, {ball}, 1e-9, 1e-9);
  auto rod = body("cylinder", "glass", {0.013, 0.02, 0}), lower = rod, upper = rod;
  rod.radius = lower.radius = upper.radius = 0.33;
  rod.height = 0.6, lower.height = 0.25, lower.center[2] = -0.175, upper.height = 0.35,
  upper.center[2] = 0.125;
  expect_same({lower, upper}, {rod}, 1e-9, 1e-9);
}

TEST(FdtdUnitedBodies, AGapOfLessThanAThousandthOfACellChangesNoMoreThanItsVolume) {
  for (const double gap : {1e-10, 1e-7, 1e-6, 1e-5, 1e-4}) {
    auto parts = pieces({{{0.017}, {}, {}}});
    parts[0].center[0] += gap / 2, (*parts[0].size)[0] -= gap;
    const Difference d = difference(scene_of(parts), scene_of({box(low, high)}));
    printf("%g %g %g\n", gap, d.share, d.normal);
    EXPECT_LE(d.share, 0.02);
    EXPECT_LE(d.normal, 2 * gap / dx + 1e-9);
  }
}

}  // namespace
}  // namespace umov::fdtd
