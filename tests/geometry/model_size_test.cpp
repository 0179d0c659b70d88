// The size of a model changes nothing of its mesh: geometries from micrometres to kilometres.
#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "mesh/tet_mesh.hpp"
#include "support/geometries.hpp"

namespace {

using namespace umov;
using namespace umov::mesh;
using namespace umov::test;

/// One part of every shape, conductors among them, and a plane of symmetry; lengths times `k`.
Geometry every_shape(double k) {
  Geometry g = air(2 * k, 0.8 * k);
  g.cut = {"y"};
  const auto add = [&](Part p, double x, double z) {
    p.center = {x * k, 0, z * k};
    g.parts.push_back(std::move(p));
  };
  auto box = part("plate", "box");
  box.size = {0.06 * k, 0.6 * k, 0.5 * k};
  box.conductor = true;
  add(box, -1.4, 1.2);
  add(ball("void", 0.3 * k), -0.5, 1.2);
  auto tube = rod("tube", 0.3 * k, 0.5 * k);
  tube.inner_radius = 0.2 * k;
  tube.fillet = 0.02 * k;
  add(tube, 0.5, 1.2);
  auto cone = part("cone", "cone");
  cone.radius = 0.3 * k, cone.top_radius = 0.1 * k, cone.height = 0.5 * k;
  add(cone, 1.4, 1.2);
  auto ring = part("ring", "torus");
  ring.radius = 0.3 * k, ring.top_radius = 0.08 * k;
  ring.conductor = true;
  add(ring, -1.4, -1.2);
  auto turned = part("turned", "revolution");
  turned.profile = {{0.1 * k, 0}, {0.3 * k, 0}, {0.2 * k, 0.4 * k}};
  add(turned, -0.5, -1.2);
  auto bar = part("bar", "extrusion");
  bar.profile = {{-0.2 * k, -0.2 * k}, {0.2 * k, -0.2 * k}, {0, 0.2 * k}};
  bar.height = 0.4 * k;
  add(bar, 0.5, -1.2);
  auto sheds = part("sheds", "sheds");
  sheds.radius = 0.1 * k, sheds.height = 0.6 * k, sheds.shed_count = 2;
  sheds.shed_radius = 0.3 * k, sheds.shed_thickness = 0.08 * k, sheds.shed_margin = 0.05 * k;
  add(sheds, 1.4, -1.2);
  auto film = rod("film", 0.1 * k, 0.4 * k, 0.05 * k);
  film.inner_radius = 0.09 * k;
  film.across = 1;
  film.copies = 2;
  film.shift = {0.6 * k, 0, 0};
  add(film, -0.3, 0);
  return g;
}

/// Powers of two scale every length exactly: the mesh is the same to the last bit.
TEST(ModelSize, ChangesNothingOfTheMesh) {
  NEEDS_GMSH
  const TetMesh metre = build_parts(every_shape(1));
  for (const int exponent : {-20, 7}) {  // 4 um and 512 m across
    const double k = std::ldexp(1.0, exponent);
    const TetMesh m = build_parts(every_shape(k));
    EXPECT_EQ(m.tets, metre.tets) << exponent;
    EXPECT_EQ(m.tet_group, metre.tet_group) << exponent;
    EXPECT_EQ(m.triangles, metre.triangles) << exponent;
    EXPECT_EQ(m.triangle_group, metre.triangle_group) << exponent;
    ASSERT_EQ(m.surfaces.size(), metre.surfaces.size()) << exponent;
    for (std::size_t i = 0; i < m.surfaces.size(); ++i)
      EXPECT_EQ(m.surfaces[i].name, metre.surfaces[i].name) << exponent;
    ASSERT_EQ(m.nodes.size(), metre.nodes.size());
    for (std::size_t i = 0; i < m.nodes.size(); ++i) ASSERT_EQ(m.nodes[i], k * metre.nodes[i]) << exponent;
  }
}

/// Other factors round the lengths, by 1e-16 of themselves: elements and groups stay the same, and nodes lie
/// where they lay within that and the 1e-13 to which lengths are rounded in units of the model.
TEST(ModelSize, ChangesNoElementAtDecimalScales) {
  NEEDS_GMSH
  const TetMesh metre = build_parts(every_shape(1));
  for (const double k : {1e-6, 2.54e-5, 1e-3, 0.01, 0.3, 100.0}) {
    const TetMesh m = build_parts(every_shape(k));
    EXPECT_EQ(m.tets, metre.tets) << k;
    EXPECT_EQ(m.tet_group, metre.tet_group) << k;
    EXPECT_EQ(m.triangles, metre.triangles) << k;
    EXPECT_EQ(m.triangle_group, metre.triangle_group) << k;
    ASSERT_EQ(m.nodes.size(), metre.nodes.size()) << k;
    double most = 0;
    for (std::size_t i = 0; i < m.nodes.size(); ++i)
      most = std::max(most, norm((1 / k) * m.nodes[i] - metre.nodes[i]));
    EXPECT_LT(most, 1e-10) << k;
  }
}

/// Polyhedra are meshed exactly, and the domain's faces lie where they were asked for.
TEST(ModelSize, KeepsVolumesAndGroupsFromAMicrometreToAHundredMetres) {
  NEEDS_GMSH
  for (const double k : {1e-6, 1e-5, 3e-5, 1e-3, 0.01, 1.0, 100.0}) {
    Geometry g = air(k / 2, k / 4);
    auto plate = part("plate", "box");
    plate.size = {0.03 * k, 0.4 * k, 0.5 * k};
    plate.conductor = true;
    auto slab = part("slab", "box");
    slab.size = {0.2 * k, 0.4 * k, 0.5 * k};
    slab.center = {0.3 * k, 0, 0};
    g.parts = {slab, plate};
    const TetMesh m = build_parts(g);
    auto v = volumes(m), a = areas(m);
    EXPECT_NEAR(v["slab"] / (k * k * k), 0.04, 1e-9) << k;
    EXPECT_NEAR(v["air"] / (k * k * k), 1 - 0.04 - 0.006, 1e-9) << k;
    EXPECT_NEAR(a["plate"] / (k * k), 2 * (0.012 + 0.015 + 0.2), 1e-9) << k;
    for (const char* face : {"x_min", "x_max", "y_min", "y_max", "z_min", "z_max"})
      EXPECT_NEAR(a[face] / (k * k), 1, 1e-9) << k << face;
    EXPECT_EQ(a.size(), 7u) << k;
    double low = 0, high = 0;
    for (const Vec3& x : m.nodes) low = std::min(low, x[0]), high = std::max(high, x[0]);
    EXPECT_EQ(low, g.low[0]) << k;
    EXPECT_EQ(high, g.high[0]) << k;
  }
}

TEST(ModelSize, APieceOutsideIsNamedInMetres) {
  NEEDS_GMSH
  Geometry g = air(5e-6, 2e-6);
  g.parts = {ball("drop", 1e-6)};
  g.parts[0].center = {4.5e-6, 0, 0};
  try {
    build_parts(g);
    ADD_FAILURE() << "accepted";
  } catch (const BadInput& e) {
    EXPECT_NE(std::string(e.what()).find("to (5.5e-06, 8.66025e-07, 8.66025e-07) m lies outside"),
              std::string::npos)
        << e.what();
  }
}

bool warned(const TetMesh& m, const std::string& words) {
  return std::ranges::any_of(m.warnings, [&](const auto& w) { return w.find(words) != std::string::npos; });
}

/// Four edges per turn: a circle of its corners has 2 / pi of the disk, a ball less.
TEST(ModelSize, ARoundRegionThatFacetsCutDownIsNamed) {
  NEEDS_GMSH
  Geometry g = air(1, 0.6);
  g.curvature = 4;
  g.parts = {ball("bead", 0.3, 0.6)};
  EXPECT_TRUE(warned(build_parts(g), "elements of region 'bead' fill"));
  g.curvature = 24;
  EXPECT_FALSE(warned(build_parts(g), "fill"));
}

TEST(ModelSize, AConductorThatNothingTouchesIsNamed) {
  NEEDS_GMSH
  Geometry g = air(1, 0.5);
  auto shell = ball("shell", 0.5), core = ball("core", 0.2);
  shell.conductor = core.conductor = true;
  g.parts = {shell, core};
  EXPECT_TRUE(warned(build_parts(g), "part 2 ('core', sphere) leaves no surface group"));
  g.parts.pop_back();
  EXPECT_FALSE(warned(build_parts(g), "leaves no surface group"));
}

}  // namespace
