// Polygons as layout tools write them: the same bodies as plain ones, the same grids, and what stays refused.
#include <gtest/gtest.h>

#include <csignal>
#include <random>

#include "core/error.hpp"
#include "core/signals.hpp"
#include "fdtd/scene.hpp"
#include "shapes/body.hpp"
#include "shapes/edge_tree.hpp"

namespace umov::fdtd {
namespace {

using shapes::Point2;
using Corners = std::vector<Point2>;

std::vector<Vec3> raised(const Corners& corners) {
  std::vector<Vec3> v;
  for (const auto& c : corners) v.push_back({c[0], c[1], 0});
  return v;
}

const Corners plain{{-0.6, -0.5}, {0.7, -0.5}, {0.6, 0.4}, {-0.6, 0.6}};

/// Calls f at points of [-1, 1]^2 and of the lines x = y and y = 0.
template <class F>
void at_points(const F& f) {
  std::mt19937 random(4);
  std::uniform_real_distribution<double> place(-1, 1);
  for (int i = 0; i < 3000; ++i) {
    const double x = place(random), y = place(random);
    f(Point2{x, y});
    if (i % 10 == 0) f(Point2{x, x});
    if (i % 10 == 1) f(Point2{x, 0});
  }
}

TEST(FdtdPolygons, RepeatedCornersAndSpikesLeaveTheSameBodyToTheLastBit) {
  const auto [a, b, c, d] = std::array{plain[0], plain[1], plain[2], plain[3]};
  const Point2 far{1.4, -0.5}, within{0.1, 0.1};
  const auto expected = shapes::prism({}, raised(plain), 1);
  for (const Corners& corners :
       {Corners{a, b, c, d, a}, Corners{a, a, b, b, b, c, d}, Corners{a, b, c, d, a, a},
        Corners{a, b, far, b, c, d}, Corners{a, b, c, within, c, d}, Corners{a, b, c, {0.6, -2}, c, d},
        Corners{a, b, c, within, far, within, c, d}}) {
    const auto body = shapes::prism({}, raised(corners), 1);
    at_points([&](const Point2& p) {
      const auto one = expected->probe({p[0], p[1], 0.1}), other = body->probe({p[0], p[1], 0.1});
      ASSERT_EQ(one.distance, other.distance);
      ASSERT_EQ(one.gradient, other.gradient);
    });
  }
}

// Beyond edges the distance is that of the edge; coordinates of order 1 round at 1e-16.
TEST(FdtdPolygons, ABoxIsThePrismOfItsRectangle) {
  const auto frame = shapes::turned({0.1, 0.2, -0.1}, {0.2, 0.1, 1}, 31);
  const auto one = shapes::box(frame, {0.9, 0.5, 0.7});
  const auto other =
      shapes::prism(frame, raised({{-0.45, -0.25}, {0.45, -0.25}, {0.45, 0.25}, {-0.45, 0.25}}), 0.7);
  std::mt19937 random(5);
  std::uniform_real_distribution<double> place(-1.2, 1.2);
  for (int i = 0; i < 3000; ++i) {
    const Vec3 p{place(random), place(random), place(random)};
    const auto u = one->probe(p), v = other->probe(p);
    ASSERT_NEAR(u.distance, v.distance, 1e-14);
    ASSERT_NEAR(norm(u.gradient - v.gradient), 0, 1e-12);
    ASSERT_NEAR(norm(u.gradient), 1, 1e-14);
  }
}

// The distance to a rim is that of its circle.
TEST(FdtdPolygons, BeyondTheRimOfACylinderTheDistanceIsThatOfTheRim) {
  const auto body = shapes::cylinder({}, 0.5, 0.6);
  const auto at = body->probe({0.8, 0, 0.7});
  EXPECT_NEAR(at.distance, 0.5, 1e-15);
  EXPECT_NEAR(norm(at.gradient - Vec3{0.6, 0, 0.8}), 0, 1e-15);
}

// The base comes along with the shortest turn that takes z to the axis.
TEST(FdtdPolygons, TheBaseOfAPrismAlongXHasItsFirstCoordinateAgainstZAndOneAlongYItsSecond) {
  const Corners base{{0, 0}, {0.9, 0}, {0, 0.3}};
  const auto inside = [&](const Vec3& axis, double degrees, const Vec3& p) {
    return shapes::prism(shapes::along({0, 0, 0}, axis, degrees), raised(base), 1)->inside(p);
  };
  const double u = 0.6, v = 0.05;  // inside the base, not with the two exchanged or of other signs
  EXPECT_TRUE(inside({0, 0, 1}, 0, {u, v, 0}));
  EXPECT_TRUE(inside({1, 0, 0}, 0, {0, v, -u}));
  EXPECT_TRUE(inside({0, 1, 0}, 0, {u, 0, -v}));
  EXPECT_TRUE(inside({0, 0, -1}, 0, {u, -v, 0}));
  // turned about the axis the coordinates are those that follow it
  EXPECT_TRUE(inside({1, 0, 0}, 90, {0, u, v}));
  EXPECT_TRUE(inside({0, 1, 0}, -90, {v, 0, u}));
  for (const Vec3& other : {Vec3{0, u, v}, Vec3{0, v, u}, Vec3{0, u, -v}})
    EXPECT_FALSE(inside({1, 0, 0}, 0, other));
}

TEST(FdtdPolygons, CornersOnAnEdgeChangeNothing) {
  const auto expected = shapes::prism({}, raised(plain), 1);
  const auto body =
      shapes::prism({}, raised({plain[0], {0, -0.5}, {0.3, -0.5}, plain[1], plain[2], plain[3]}), 1);
  at_points([&](const Point2& p) {
    ASSERT_NEAR(expected->probe({p[0], p[1], 0}).distance, body->probe({p[0], p[1], 0}).distance, 1e-15);
  });
}

double square(const Point2& p, double half) {
  const double x = std::fabs(p[0]) - half, y = std::fabs(p[1]) - half;
  return x > 0 && y > 0 ? std::hypot(x, y) : std::max(x, y);
}

/// A square of half edge 0.8 with a hole of 0.4, by several ways to write it as one line.
const std::vector<Corners> keyholes{
    // from a corner
    {{-0.8, -0.8},
     {0.8, -0.8},
     {0.8, 0.8},
     {-0.8, 0.8},
     {-0.8, -0.8},
     {-0.4, -0.4},
     {-0.4, 0.4},
     {0.4, 0.4},
     {0.4, -0.4},
     {-0.4, -0.4}},
    // clockwise, from within an edge to within an edge
    {{0, -0.8},
     {-0.8, -0.8},
     {-0.8, 0.8},
     {0.8, 0.8},
     {0.8, -0.8},
     {0, -0.8},
     {0, -0.4},
     {0.4, -0.4},
     {0.4, 0.4},
     {-0.4, 0.4},
     {-0.4, -0.4},
     {0, -0.4}},
    // the way there in one step and back in three, which rounding leaves next to it
    {{-0.8, -0.8},
     {0.8, -0.8},
     {0.8, 0.8},
     {-0.8, 0.8},
     {-0.8, -0.8},
     {-0.4, -0.4},
     {-0.4, 0.4},
     {0.4, 0.4},
     {0.4, -0.4},
     {-0.4, -0.4},
     {-0.8 + 0.1, -0.8 + 0.1},
     {-0.8 + 0.3, -0.8 + 0.3}},
    // onto an edge without a corner there
    {{-0.8, -0.8},
     {0.8, -0.8},
     {0.8, 0.8},
     {-0.8, 0.8},
     {-0.8, 0},
     {-0.4, 0},
     {-0.4, 0.4},
     {0.4, 0.4},
     {0.4, -0.4},
     {-0.4, -0.4},
     {-0.4, 0},
     {-0.8, 0}}};

TEST(FdtdPolygons, TheSlitOfAKeyholeIsNoBoundary) {
  for (const Corners& corners : keyholes) {
    const auto body = shapes::prism({}, raised(corners), 1);
    at_points([&](const Point2& p) {
      const double outer = square(p, 0.8), inner = square(p, 0.4);
      ASSERT_NEAR(body->probe({p[0], p[1], 0}).distance, std::max(outer, -inner), 1e-12)
          << p[0] << ' ' << p[1];
    });
  }
}

TEST(FdtdPolygons, PartsThatTouchInACornerOrAreJoinedByALineAreBoth) {
  // two triangles that meet in 0, and two squares with a line between them
  for (const Corners& corners :
       {Corners{{0, 0}, {0.8, -0.5}, {0.8, 0.5}, {0, 0}, {-0.8, 0.5}, {-0.8, -0.5}}, Corners{{-0.8, -0.3},
                                                                                             {-0.2, -0.3},
                                                                                             {-0.2, 0},
                                                                                             {0.2, 0},
                                                                                             {0.2, -0.3},
                                                                                             {0.8, -0.3},
                                                                                             {0.8, 0.3},
                                                                                             {0.2, 0.3},
                                                                                             {0.2, 0},
                                                                                             {-0.2, 0},
                                                                                             {-0.2, 0.3},
                                                                                             {-0.8, 0.3}}}) {
    const auto body = shapes::prism({}, raised(corners), 1);
    EXPECT_TRUE(body->inside({0.7, 0.1, 0}));
    EXPECT_TRUE(body->inside({-0.7, 0.1, 0}));
    EXPECT_FALSE(body->inside({0, 0.1, 0}));
    EXPECT_GT(body->probe({0.1, 0, 0}).distance + 0.1, 0);
    EXPECT_FALSE(body->inside({0, -0.1, 0}));
  }
}

std::string refusal_of_model_polygons(const Corners& corners) {
  try {
    shapes::prism({}, raised(corners), 1);
  } catch (const BadInput& e) {
    return e.what();
  }
  return "accepted";
}

TEST(FdtdPolygons, LinesThatCrossOrRunAroundTwiceAreRefused) {
  const auto expect = [](const Corners& corners, const std::string& words) {
    EXPECT_NE(refusal_of_model_polygons(corners).find(words), std::string::npos)
        << refusal_of_model_polygons(corners);
  };
  const std::string rounds = "runs twice around";
  expect({{0, 0}, {1, 1}, {1, 0}, {0, 1}}, "edges 1 and 3 cross");
  expect({{0, 0}, {1, 1}, {1, 0}, {0, 1}, {0, 0}}, "edges 1 and 3 cross");
  expect({{0, 0}, {2, 0}, {2, 1}, {1, -1}, {0, 1}}, "edges 1 and 3 cross");
  // the same bow with a corner where it crosses; a square twice; a hole in the sense of the outline
  expect({{0, 0}, {0.5, 0.5}, {1, 1}, {1, 0}, {0.5, 0.5}, {0, 1}}, rounds);
  expect({{0, 0}, {1, 0}, {1, 1}, {0, 1}, {0, 0}, {1, 0}, {1, 1}, {0, 1}}, rounds);
  expect({{0, 0}, {4, 0}, {4, 4}, {0, 4}, {0, 0}, {1, 1}, {3, 1}, {3, 3}, {1, 3}, {1, 1}}, rounds);
  expect({{0, 0}, {1, 0}, {2, 0}, {1, 0}}, "no area");
  expect({{1, 1}, {1, 1}, {1, 1}}, "no area");
  expect({{0, 0}, {1, 0}, {0, std::nan("")}}, "vertex 3 is not finite");
}

/// The tree against the plain sum over edges: a wavy ring of 400 corners with a hole, slit open.
TEST(FdtdPolygons, TheTreeOfEdgesFindsWhatAllEdgesSay) {
  Corners corners;
  const auto add = [&](double radius, int i, int n) {
    const double a = 2 * pi * i / n;
    corners.push_back({radius * std::cos(a), radius * std::sin(a)});
  };
  for (int i = 0; i <= 300; ++i) add(0.8 + 0.1 * std::cos(2 * pi * 7 * i / 300), i, 300);
  for (int i = 100; i >= 0; --i) add(0.4, i, 100);
  const shapes::Outline outline = shapes::outline_of(corners);
  ASSERT_EQ(outline.size(), 2u);
  const shapes::EdgeTree tree(outline);
  at_points([&](const Point2& p) {
    double nearest = 1e300;
    bool inside = false;
    for (const auto& loop : outline)
      for (std::size_t i = 0; i < loop.size(); ++i) {
        const Point2 &a = loop[i], &b = loop[(i + 1) % loop.size()];
        const Point2 e{b[0] - a[0], b[1] - a[1]}, r{p[0] - a[0], p[1] - a[1]};
        const double t = std::clamp((r[0] * e[0] + r[1] * e[1]) / (e[0] * e[0] + e[1] * e[1]), 0.0, 1.0);
        nearest = std::min(nearest, std::hypot(r[0] - t * e[0], r[1] - t * e[1]));
        if ((a[1] > p[1]) != (b[1] > p[1]) && r[0] < r[1] * e[0] / e[1]) inside = !inside;
      }
    ASSERT_NEAR(tree.nearest(p, 0)->distance, inside ? -nearest : nearest, 1e-14);
    ASSERT_EQ(tree.inside(p), inside);
    for (const double within : {0.01, 0.1})
      ASSERT_EQ(tree.nearest(p, 0, within).has_value(), nearest <= within);
  });
}

Simulation model(const std::vector<BodySpec>& bodies, const Vec3& size) {
  Simulation s;
  s.size = size;
  s.resolution = 20;
  s.te = size[2] == 0;
  materials::Material glass;
  glass.eps = {6, 6, 6};
  MaterialSpec spec;
  spec.name = "g";
  spec.constants = glass;
  s.materials = {spec};
  s.bodies = bodies;
  return s;
}

BodySpec prism(const Corners& corners) {
  BodySpec b;
  b.shape = "prism";
  b.material = "g";
  b.vertices = raised(corners);
  return b;
}

BodySpec box(double half, const std::string& material) {
  BodySpec b;
  b.material = material;
  b.size = Vec3{2 * half, 2 * half, 0};
  return b;
}

Problem painted_grid(const Simulation& s) {
  const auto scene = make_scene(s);
  Problem p;
  p.grid = make_grid(s, *scene);
  set_walls(s, p);
  paint(s, *scene, p);
  return p;
}

TEST(FdtdPolygons, AClosedPolygonPaintsTheSameGrid) {
  Corners closed = plain;
  closed.push_back(plain[0]);
  closed.insert(closed.begin() + 1, plain[0]);
  const Problem one = painted_grid(model({prism(plain)}, {3, 3, 0})),
                other = painted_grid(model({prism(closed)}, {3, 3, 0}));
  EXPECT_EQ(one.material, other.material);
  ASSERT_EQ(one.coefficients.size(), other.coefficients.size());
  for (std::size_t i = 0; i < one.coefficients.size(); ++i)
    EXPECT_EQ(one.coefficients[i].drive, other.coefficients[i].drive);
}

/// Of each edge along x what drives it: 1/eps, averaged.
TEST(FdtdPolygons, AKeyholePaintsTheGridOfTwoBoxes) {
  const Problem boxes = painted_grid(model({box(0.8, "g"), box(0.4, "vacuum")}, {3, 3, 0}));
  for (const Corners& corners : keyholes) {
    const Problem ring = painted_grid(model({prism(corners)}, {3, 3, 0}));
    const Layout layout(ring.grid);
    for (int j = 0; j < ring.grid.cells[1]; ++j)
      for (int i = 0; i < ring.grid.cells[0]; ++i) {
        const Vec3 p = ring.grid.position(Ex, {i, j, 0});
        // beside corners boxes and prisms know the distance differently
        const auto beside = [&](double half) {
          return std::fabs(std::fabs(p[0]) - half) < 0.1 && std::fabs(std::fabs(p[1]) - half) < 0.1;
        };
        if (beside(0.8) || beside(0.4)) continue;
        const auto drive = [&](const Problem& q) {
          return q.coefficients[q.material[Ex][layout.at({i, j, 0})]].drive;
        };
        ASSERT_NEAR(drive(ring), drive(boxes), 1e-6 * drive(boxes)) << p[0] << ' ' << p[1];
      }
  }
}

/// Whole boxes of samples get the values that each would get.
TEST(FdtdPolygons, SampledPermittivityIsThatOfEveryPoint) {
  BodySpec b = prism(plain);
  b.height = 0.6;
  b.rotation = 20;
  const Simulation s = model({b}, {2, 2, 1});
  const auto scene = make_scene(s);
  const Grid g = make_grid(s, *scene);
  for (const std::size_t most : {std::size_t(4000000), g.cell_count() / 20}) {
    const FieldBlock block = sample_permittivity(*scene, g, 1, most);
    const int stride = (g.cells[0] + block.size[0] - 1) / block.size[0];
    std::size_t at = 0;
    for (int k = 0; k < block.size[2]; ++k)
      for (int j = 0; j < block.size[1]; ++j)
        for (int i = 0; i < block.size[0]; ++i, ++at) {
          double sum = 0;
          for (int corner = 0; corner < 8; ++corner) {
            const Int3 ijk{i, j, k};
            Vec3 p = g.origin;
            for (int a = 0; a < 3; ++a)
              p[a] += g.dx * (stride * ijk[a] + 0.5 + ((corner >> a) & 1 ? 1e-5 : -1e-5));
            sum += scene->material_at(p) == 0 ? 1 : 6;
          }
          ASSERT_NEAR(block.real[at], sum / 8, 1e-12) << i << ' ' << j << ' ' << k;
        }
  }
}

TEST(FdtdPolygons, ASignalEndsPainting) {
  const Simulation s = model({prism(plain)}, {3, 3, 0});
  const auto scene = make_scene(s);
  Problem p;
  p.grid = make_grid(s, *scene);
  set_walls(s, p);
  try {
    const SignalGuard guard;
    std::raise(SIGTERM);
    paint(s, *scene, p);
    FAIL() << "painted to the end";
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), Exit::interrupted);
    EXPECT_NE(std::string(e.what()).find("while bodies were painted"), std::string::npos);
  }
  const SignalGuard forgets;  // the signal, for the tests that follow
}

}  // namespace
}  // namespace umov::fdtd
