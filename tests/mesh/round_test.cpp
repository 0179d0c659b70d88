// Refinement of round bodies: new nodes lie on their surfaces, wherever these are known from.
#include <gtest/gtest.h>

#include <random>

#include "mesh/geometry.hpp"
#include "mesh/round/fit.hpp"
#include "mesh/round/round_skin.hpp"
#include "support/mesh_facts.hpp"

namespace umov {
namespace {

using mesh::Geometry;
using mesh::RoundSkin;
using mesh::RoundSurface;
using mesh::TetMesh;

Geometry layered(const std::string& kind, double angle, int across, double thickness = 0.3) {
  Geometry g;
  g.name = g.kind = kind;
  g.inner_radius = 1;
  g.angle = angle;
  g.width = 0.5;
  g.layers = {{"a", thickness, 2, 1}, {"b", 1 - thickness, 3, 1}};
  g.elements_across = across;
  return g;
}

/// Refined, by what a geometry says (or null: what the mesh itself shows).
TetMesh refined(TetMesh m, const Geometry* g, int times, mesh::RoundReport* report = nullptr) {
  RoundSkin skin(m, g);
  for (int k = 0; k < times; ++k) {
    std::vector<mesh::Edge> middles;
    TetMesh fine = refine(m, &middles);
    skin.follow(m, middles, fine);
    m = fine;
  }
  if (report) *report = skin.report();
  return m;
}

std::set<int> nodes_of(const TetMesh& m, const std::string& surface) {
  std::set<int> out;
  for (std::size_t i = 0; i < m.triangles.size(); ++i)
    if (m.surfaces[m.triangle_group[i]].name == surface)
      out.insert(m.triangles[i].begin(), m.triangles[i].end());
  return out;
}

double radius(const Geometry& g, const Vec3& x) {
  return g.kind == "coaxial" ? std::hypot(x[0], x[1]) : norm(x);
}

TEST(RoundRefinement, PutsNodesOfCylindersAndSpheresOntoThem) {
  for (const char* kind : {"coaxial", "spherical"})
    for (const bool file : {false, true}) {
      const Geometry g = layered(kind, 60, 4);
      TetMesh m = refined(build_mesh(g), file ? nullptr : &g, 2);
      for (const auto& [surface, r] : {std::pair{"inner", 1.0}, {"outer", 2.0}})
        for (const int n : nodes_of(m, surface))
          EXPECT_NEAR(radius(g, m.nodes[n]), r, file ? 1e-9 : 1e-13) << kind << ", " << surface;
      EXPECT_NO_THROW(mesh::check(m)) << kind;
    }
}

TEST(RoundRefinement, BringsVolumesFourTimesNearerAtEveryLevel) {
  for (const char* kind : {"coaxial", "spherical"}) {
    const Geometry g = layered(kind, 60, 4);
    const double s = std::sin(pi / 6);
    const double exact = kind == std::string("coaxial") ? 0.5 * (1.3 * 1.3 - 1) * pi / 6
                                                        : (std::pow(1.3, 3) - 1) / 3 * 4 * std::asin(s * s);
    double before = 0;
    for (int times = 0; times < 3; ++times) {
      const double off = std::abs(test::volume(refined(build_mesh(g), &g, times), "a") - exact);
      if (times > 0) {
        EXPECT_GT(before / off, 3.7) << kind;  // of second order in the facets
      }
      before = off;
    }
  }
}

TEST(RoundRefinement, LeavesNodesOfPlanesInThem) {
  const Geometry g =
      layered("spherical", 60, 4, 0.02);  // facets cut off 0.0086: beside them inner nodes follow
  for (const bool file : {false, true}) {
    const TetMesh m = refined(build_mesh(g), file ? nullptr : &g, 1);
    const double slope = std::tan(pi / 6);
    std::size_t on = 0;
    const TetMesh flat = refine(build_mesh(g));
    for (std::size_t n = 0; n < flat.nodes.size(); ++n)
      for (const int axis : {0, 1})
        for (const double side : {-1.0, 1.0})
          if (std::abs(flat.nodes[n][axis] - side * slope * flat.nodes[n][2]) < 1e-12) {
            ++on;
            EXPECT_NEAR(m.nodes[n][axis], side * slope * m.nodes[n][2], 1e-9);
          }
    EXPECT_GT(on, 100u);
  }
}

/// Facets that cut off more than a layer is thick: its inner nodes must go along.
TEST(RoundRefinement, KeepsThinLayersThick) {
  const Geometry g = layered("coaxial", 90, 6, 0.004);  // 0.0086 are cut off
  mesh::RoundReport report;
  TetMesh m = refined(build_mesh(g), &g, 2, &report);
  EXPECT_EQ(report.short_of, 0u);
  EXPECT_NO_THROW(mesh::check(m));
  const double exact = 0.5 * (1.004 * 1.004 - 1) * pi / 4;
  EXPECT_NEAR(test::volume(m, "a"), exact, exact * std::pow(pi / 48, 2) / 6 * 1.01);
  EXPECT_EQ(mesh::round_warning("m", report), "");
}

TEST(RoundRefinement, LeavesFlatBodiesAndMeantEdgesAlone) {
  Geometry g;
  g.kind = "layers";
  g.width = 2;
  g.layers = {{"a", 2, 2, 1}, {"b", 1, 2, 1}};
  g.elements_across = 2;
  EXPECT_TRUE(RoundSkin(build_mesh(g), &g).flat());
  EXPECT_TRUE(RoundSkin(build_mesh(g), nullptr).flat());
  const Geometry prism = layered("coaxial", 360, 8);  // of a file: eight faces that turn by 45 degrees
  EXPECT_TRUE(RoundSkin(build_mesh(prism), nullptr).flat());
  EXPECT_FALSE(RoundSkin(build_mesh(prism), &prism).flat());
}

/// An ellipsoid is none of the surfaces in closed form: its normals come from its nodes.
TEST(RoundRefinement, ComesCloseToOtherSmoothSurfacesOfFiles) {
  const auto stretched = [](Vec3 x) { return Vec3{1.3 * x[0], x[1], 0.8 * x[2]}; };
  double before = 0;
  for (const int across : {4, 8}) {
    const Geometry g = layered("spherical", 80, across);
    TetMesh m = build_mesh(g);
    for (Vec3& x : m.nodes) x = stretched(x);
    const auto off = [&](const TetMesh& mesh) {
      double sum = 0;
      std::size_t count = 0;
      for (const int n : nodes_of(mesh, "outer")) {
        const Vec3& x = mesh.nodes[n];
        const double e = norm({x[0] / 1.3, x[1], x[2] / 0.8}) - 2;
        sum += e * e, ++count;
      }
      return std::sqrt(sum / double(count));
    };
    const double flat = off(refine(m)), bent = off(refined(m, nullptr, 1));
    EXPECT_LT(bent, flat / 8) << across;
    // flat facets have second order; the arcs between fitted normals three and more
    if (before > 0) {
      EXPECT_GT(std::log2(before / bent), 2.6);
    }
    before = bent;
  }
}

/// A flat element on a round surface, which the moved nodes would push through: it holds them back.
TEST(RoundRefinement, StaysShortWhereAnElementWouldBeInverted) {
  const Geometry g = layered("coaxial", 90, 4, 0.3);
  TetMesh m = build_mesh(g);
  // nodes inside of layer a come close to the inner surface, where new nodes move outwards by 0.019
  for (Vec3& x : m.nodes)
    if (std::abs(std::hypot(x[0], x[1]) - 1.15) < 1e-9) {
      const double a = std::atan2(x[1], x[0]), r = 1 - 0.9 * (1 - std::cos(pi / 16)) + 0.03;
      const bool corner = std::abs(std::remainder(a, pi / 4)) < 1e-9;
      x[0] = (corner ? 1.002 : r) * std::cos(a), x[1] = (corner ? 1.002 : r) * std::sin(a);
    }
  TetMesh plain = refine(m);
  ASSERT_NO_THROW(mesh::check(plain));
  RoundSkin skin(m, &g);
  std::vector<mesh::Edge> middles;
  TetMesh fine = refine(m, &middles);
  skin.follow(m, middles, fine);
  EXPECT_NO_THROW(mesh::check(fine));
  EXPECT_GT(skin.report().short_of, 0u);
  EXPECT_LT(skin.report().short_of, skin.report().moved / 2);
  EXPECT_TRUE(test::says(mesh::round_warning("m.msh", skin.report()),
                         "m.msh: refinement left 18 of 108 new nodes short"));
}

TEST(RoundFit, FindsSpheresCylindersConesAndToriByTheirPoints) {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> u(-1, 1);
  for (int trial = 0; trial < 40; ++trial) {
    RoundSurface s;
    s.origin = {u(random), u(random), u(random)};
    s.axis = {u(random), u(random), u(random)};
    s.axis = (1 / norm(s.axis)) * s.axis;
    const int kind = trial % 4;
    if (kind == 0) s = mesh::sphere(s.origin, 1.5);
    if (kind == 1) s = mesh::cylinder(s.origin, s.axis, 0.7);
    if (kind == 2) s.at = {1, 0}, s.along = {0.6, 0.8};
    if (kind == 3) s.arc = true, s.at = {2, 0}, s.radius = 0.6;
    const Vec3 any = std::abs(s.axis[0]) < 0.7 ? Vec3{1, 0, 0} : Vec3{0, 1, 0};
    Vec3 e = any - dot(any, s.axis) * s.axis;
    e = (1 / norm(e)) * e;
    std::vector<Vec3> points, normals;
    for (int k = 0; k < 24; ++k) {
      const Vec3 near = s.origin + (kind == 3 ? 2.6 : 1.0) * e + 0.4 * Vec3{u(random), u(random), u(random)};
      points.push_back(s.closest(near));
      // as normals of a triangulation are: a little off
      Vec3 n = s.normal(near) + 0.003 * Vec3{u(random), u(random), u(random)};
      normals.push_back((1 / norm(n)) * n);
    }
    const auto found = mesh::fit_round(points, normals, 1e-7);
    ASSERT_TRUE(found) << kind;
    const Vec3 beside = s.closest(s.origin + (kind == 3 ? 2.6 : 1.0) * e + 0.3 * s.axis);
    EXPECT_NEAR(norm(found->closest(beside) - beside), 0, 1e-6) << kind;
    points[3] = points[3] + 0.01 * s.normal(points[3]);
    EXPECT_FALSE(mesh::fit_round(points, normals, 1e-7)) << kind;
  }
}

}  // namespace
}  // namespace umov
