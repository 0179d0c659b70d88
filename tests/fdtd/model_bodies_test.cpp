// Bodies: where they end, which way their surfaces face, and what they refuse.
#include <gtest/gtest.h>

#include <functional>
#include <random>

#include "core/error.hpp"
#include "fdtd/model/bodies.hpp"
#include "shapes/body.hpp"

namespace umov::shapes {
namespace {

/// Checks `inside` at random points of [-2, 2]^3 against a formula that is positive inside, away from the
/// surface.
void expect_inside(const Body& body, const std::function<double(const Vec3&)>& formula) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> place(-2, 2);
  int inside = 0;
  for (int i = 0; i < 4000; ++i) {
    const Vec3 p{place(random), place(random), place(random)};
    const double f = formula(p);
    if (std::fabs(f) < 1e-9) continue;
    inside += f > 0;
    ASSERT_EQ(body.inside(p), f > 0) << p[0] << ' ' << p[1] << ' ' << p[2];
  }
  EXPECT_GT(inside, 20);
}

/// The contract of Body: the distance changes by at most the distance moved.
void expect_lipschitz(const Body& body) {
  std::mt19937 random(8);
  std::uniform_real_distribution<double> place(-2, 2);
  for (int i = 0; i < 4000; ++i) {
    const Vec3 p{place(random), place(random), place(random)}, q{place(random), place(random), place(random)};
    ASSERT_LE(std::fabs(body.probe(p).distance - body.probe(q).distance), norm(p - q) + 1e-12);
  }
}

/// The gradient is that of the distance, by differences, where the surface is smooth.
void expect_gradient(const Body& body, const Vec3& p) {
  const double h = 1e-6;
  for (int a = 0; a < 3; ++a) {
    Vec3 low = p, high = p;
    low[a] -= h, high[a] += h;
    EXPECT_NEAR(body.probe(p).gradient[a], (body.probe(high).distance - body.probe(low).distance) / (2 * h),
                1e-8);
  }
}

TEST(FdtdBodies, BoxTurnedByThirtyDegreesHoldsThePointsItShould) {
  const auto b = box(turned({0.2, 0.1, 0}, {0, 0, 1}, 30), {1.5, 1, 2});
  const double c = std::cos(pi / 6), s = std::sin(pi / 6);
  expect_inside(*b, [&](const Vec3& p) {
    const double x = p[0] - 0.2, y = p[1] - 0.1;
    return std::min({0.75 - std::fabs(c * x + s * y), 0.5 - std::fabs(-s * x + c * y), 1 - std::fabs(p[2])});
  });
  expect_lipschitz(*b);
  expect_gradient(*b, {0.9, 0.4, 0.1});
}

TEST(FdtdBodies, SphereAndEllipsoidHoldThePointsTheyShould) {
  const auto ball = sphere({0.3, -0.2, 0.1}, 0.8);
  expect_inside(*ball, [](const Vec3& p) { return 0.8 - norm(p - Vec3{0.3, -0.2, 0.1}); });
  EXPECT_NEAR(ball->probe({1.3, -0.2, 0.1}).distance, 0.2, 1e-14);
  const auto egg = ellipsoid(turned({0, 0, 0}, {0, 0, 1}, 90), {1, 2, 3});
  expect_inside(*egg,
                [](const Vec3& p) { return 1 - (p[0] * p[0] + p[1] * p[1] / 0.25 + p[2] * p[2] / 2.25); });
  expect_lipschitz(*egg);
  expect_gradient(*egg, {0.9, 0.3, 0.4});
}

TEST(FdtdBodies, CylinderAlongAnObliqueAxisHoldsThePointsItShould) {
  const Vec3 axis{1, 2, 2};
  const auto c = cylinder(along({0.1, 0.2, 0.3}, axis, 0), 0.6, 1.4);
  expect_inside(*c, [&](const Vec3& p) {
    const Vec3 r = p - Vec3{0.1, 0.2, 0.3};
    const double z = dot(r, axis) / 3;
    return std::min(0.6 - norm(r - (z / 3) * axis), 0.7 - std::fabs(z));
  });
  expect_lipschitz(*c);
  expect_gradient(*c, {0.7, 0.1, 0.2});
}

TEST(FdtdBodies, RingHoldsThePointsBetweenItsRadii) {
  const auto r = ring(along({0, 0, 0}, {0, 0, 1}, 0), 0.7, 1.2, unbounded);
  expect_inside(*r, [](const Vec3& p) {
    const double rho = std::hypot(p[0], p[1]);
    return std::min(rho - 0.7, 1.2 - rho);
  });
  expect_lipschitz(*r);
  expect_gradient(*r, {0.5, 0.6, 0.2});
}

TEST(FdtdBodies, PrismOverANonConvexPolygonHoldsThePointsItShould) {
  // An L, clockwise, of height 1.
  const std::vector<Vec3> corners{{-1, -1, 0}, {-1, 1, 0}, {0, 1, 0}, {0, 0, 0}, {1, 0, 0}, {1, -1, 0}};
  const auto b = prism(along({0, 0, 0.2}, {0, 0, 1}, 0), corners, 1);
  expect_inside(*b, [](const Vec3& p) {
    const double foot = std::min(1 - std::fabs(p[0]), 1 - std::fabs(p[1])), notch = std::max(-p[0], -p[1]);
    return std::min({foot, notch, 0.5 - std::fabs(p[2] - 0.2)});
  });
  expect_lipschitz(*b);
  expect_gradient(*b, {0.5, 0.1, 0.2});
  EXPECT_NEAR(b->probe({0.5, 0, 0.2}).gradient[1], 1, 1e-12);  // on the surface itself
}

TEST(FdtdBodies, BoundsEncloseABodyTightly) {
  const auto e = ellipsoid(turned({1, 0, 0}, {0, 0, 1}, 45), {2, 4, 6});
  // A rotated ellipse's half width is the root of the sum of squares of its projected semi-axes.
  const double half = std::sqrt((1 + 4) / 2.0);
  EXPECT_NEAR(e->bounds().low[0], 1 - half, 1e-12);
  EXPECT_NEAR(e->bounds().high[1], half, 1e-12);
  const auto b = box(turned({0, 0, 0}, {0, 0, 1}, 45), {2, 2, unbounded});
  EXPECT_NEAR(b->bounds().high[0], std::sqrt(2.0), 1e-12);
  EXPECT_GT(b->bounds().high[2], 1e20);
}

std::string refusal_of_model_bodies(const fdtd::BodySpec& spec) {
  fdtd::Simulation s;
  s.size = {4, 4, 4};
  s.bodies = {fdtd::BodySpec{}, spec};
  try {
    fdtd::make_body(s, 1);
  } catch (const BadInput& e) {
    return e.what();
  }
  return "accepted";
}

void expect_refused(const fdtd::BodySpec& spec, const std::string& part) {
  const std::string text = refusal_of_model_bodies(spec);
  EXPECT_NE(text.find("body 2 (" + spec.shape + ")"), std::string::npos) << text;
  EXPECT_NE(text.find(part), std::string::npos) << text;
}

// On rims two surfaces are equally near: the same one counts wherever the body stands.
TEST(FdtdBodies, RimsBelongToTheSameSurfaceWhateverTheRounding) {
  const std::vector<Vec3> square{{-0.3, -0.3, 0}, {0.3, -0.3, 0}, {0.3, 0.3, 0}, {-0.3, 0.3, 0}};
  for (int kind = 0; kind < 4; ++kind) {
    Vec3 first{0, 0, 0};
    for (int cells = 0; cells < 200; ++cells) {
      Frame frame;
      frame.center = {0.1 * cells, 0.1 * (cells % 7), -0.1 * (cells % 11)};
      const auto body = kind == 0   ? cylinder(frame, 0.3, 0.6)
                        : kind == 1 ? ring(frame, 0.1, 0.3, 0.6)
                        : kind == 2 ? prism(frame, square, 0.6)
                                    : box(frame, {0.6, 0.6, 0.6});
      const Vec3 gradient = body->probe(frame.center + Vec3{0.35, 0, 0.35}).gradient;
      if (cells == 0) first = gradient;
      EXPECT_NEAR(norm(gradient - first), 0, 1e-9) << kind << " " << cells;
    }
  }
}

TEST(FdtdBodies, DegenerateBodiesAreRefusedByNumberAndReason) {
  fdtd::BodySpec b;
  b.shape = "sphere";
  expect_refused(b, "radius is 0");
  b.shape = "cylinder";
  expect_refused(b, "radius is 0");
  b.radius = 1;
  b.axis = {0, 0, 0};
  expect_refused(b, "axis has no direction");
  b.axis = {0, 0, 1};
  b.height = -1;
  expect_refused(b, "height is -1");
  b.height = 0;
  b.shape = "ring";
  b.inner_radius = 1.5;
  expect_refused(b, "not below its radius");
  b.shape = "spere";
  expect_refused(b, "did you mean 'sphere'");
  b.shape = "box";
  b.size = Vec3{1, -1, 0};
  expect_refused(b, "size along y is -1");
  b.size.reset();
  b.center[0] = std::nan("");
  expect_refused(b, "not a finite number");
  b.center[0] = 0;
  b.shape = "ellipsoid";
  expect_refused(b, "no size");
}

TEST(FdtdBodies, BadPolygonsAreRefused) {
  fdtd::BodySpec b;
  b.shape = "prism";
  b.vertices = {{0, 0, 0}, {1, 0, 0}};
  expect_refused(b, "2 vertices");
  b.vertices = {{0, 0, 0}, {1, 1, 0}, {1, 0, 0}, {0, 1, 0}};
  expect_refused(b, "edges 1 and 3 cross");
  b.vertices = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}};
  expect_refused(b, "no area");
}

}  // namespace
}  // namespace umov::shapes
