#include <gtest/gtest.h>

#include "mesh/geometry.hpp"
#include "support/mesh_facts.hpp"

namespace umov {
namespace {

using mesh::Geometry;
using mesh::TetMesh;
using test::says;

Geometry column() {
  Geometry g;
  g.name = "column";
  g.kind = "layers";
  g.layers = {{"varistor", 0.002, 3, 1}, {"oil", 0.003, 4, 2}, {"varistor", 0.001, 1, 1}};
  g.width = 0.005;
  g.elements_across = 2;
  return g;
}

Geometry cable() {
  Geometry g;
  g.name = "cable";
  g.kind = "coaxial";
  g.inner_radius = 0.015;
  g.layers = {{"layer", 0.002, 2, 1}, {"xlpe", 0.023, 5, 4}};
  g.width = 0.01;
  g.angle = 30;
  g.elements_across = 3;
  return g;
}

Geometry shell(int elements) {
  Geometry g;
  g.name = "shell";
  g.kind = "spherical";
  g.inner_radius = 1;
  g.layers = {{"inside", 0.5, elements, 1}, {"outside", 1, elements, 1}};
  g.angle = 60;
  g.elements_across = elements;
  return g;
}

double radius_xy(const Vec3& p) { return std::hypot(p[0], p[1]); }

TEST(Layers, FillTheColumnExactly) {
  const TetMesh m = build_mesh(column());
  // Sums of products of a few roundings each.
  EXPECT_NEAR(test::volume(m, "varistor"), 0.003 * 25e-6, 1e-20);
  EXPECT_NEAR(test::volume(m, "oil"), 0.003 * 25e-6, 1e-20);
  for (const char* end : {"bottom", "top"}) EXPECT_NEAR(test::area(m, end), 25e-6, 1e-18) << end;
  for (const char* side : {"x_min", "x_max", "y_min", "y_max"})
    EXPECT_NEAR(test::area(m, side), 0.006 * 0.005, 1e-18) << side;
  EXPECT_EQ(m.nodes.size(), 9u * 3 * 3);
  EXPECT_EQ(m.tets.size(), 6u * 8 * 2 * 2);
  EXPECT_EQ(m.volumes.size(), 2u) << "layers of one region share a group";
  EXPECT_EQ(test::euler(m), 1);
  EXPECT_NEAR(test::boundary_area(m), 2 * 25e-6 + 4 * 0.006 * 0.005, 1e-17);
}

TEST(Layers, GradingIsTheRatioOfTheLastCellToTheFirst) {
  const TetMesh m = build_mesh(column());
  std::set<double> z;
  for (const Vec3& p : m.nodes) z.insert(p[2]);
  const std::vector<double> at(z.begin(), z.end());
  ASSERT_EQ(at.size(), 9u);
  EXPECT_EQ(at[3], 0.002);
  EXPECT_NEAR((at[7] - at[6]) / (at[4] - at[3]), 2, 1e-12);
  EXPECT_NEAR((at[5] - at[4]) / (at[4] - at[3]), std::cbrt(2), 1e-12);
}

TEST(Layers, SurfacesAreFacesOfElements) {
  TetMesh m = build_mesh(column());
  EXPECT_NO_THROW(mesh::check(m));
}

TEST(Coaxial, NodesLieOnTheRadiiAndElementsFillThePolygon) {
  const TetMesh m = build_mesh(cable());
  double least = 1, most = 0;
  for (std::size_t i = 0; i < m.tets.size(); ++i)
    for (const int n : m.tets[i]) {
      const double r = radius_xy(m.nodes[n]);
      const bool layer = m.volumes[m.tet_group[i]].name == "layer";
      EXPECT_TRUE(layer ? r < 0.017 * (1 + 1e-15) : r > 0.017 * (1 - 1e-15)) << r;
      least = std::min(least, r);
      most = std::max(most, r);
    }
  EXPECT_NEAR(least, 0.015, 1e-17);
  EXPECT_NEAR(most, 0.04, 1e-17);
  // Chords: three trapezoids of 10 degrees.
  const auto polygon = [](double a, double b) {
    return 3 * 0.5 * std::sin(pi / 18) * (b * b - a * a) * 0.01;
  };
  EXPECT_NEAR(test::volume(m, "layer"), polygon(0.015, 0.017), 1e-18);
  EXPECT_NEAR(test::volume(m, "xlpe"), polygon(0.017, 0.04), 1e-17);
  EXPECT_NEAR(test::area(m, "inner"), 3 * 2 * 0.015 * std::sin(pi / 36) * 0.01, 1e-17);
  EXPECT_NEAR(test::area(m, "outer"), 3 * 2 * 0.040 * std::sin(pi / 36) * 0.01, 1e-17);
  EXPECT_EQ(test::euler(m), 1);
  EXPECT_GT(test::worst_quality(m), 0);
}

TEST(Coaxial, TheWholeTurnIsClosed) {
  Geometry g = cable();
  g.angle = 360;
  g.elements_across = 8;
  TetMesh m = build_mesh(g);
  EXPECT_EQ(test::euler(m), 0) << "a ring";
  // The boundary is inner, outer and the two rings at the ends: no wall is left where the turn closes.
  const double ends = 2 * 8 * 0.5 * std::sin(pi / 4) * (0.04 * 0.04 - 0.015 * 0.015);
  EXPECT_NEAR(test::boundary_area(m), test::area(m, "inner") + test::area(m, "outer") + ends, 1e-15);
  EXPECT_NO_THROW(mesh::check(m));
}

TEST(Spherical, VolumeApproachesTheSolidAngleWithSecondOrder) {
  const double solid = 4 * std::asin(std::pow(std::sin(pi / 6), 2));
  const double exact = solid * (std::pow(2.5, 3) - 1) / 3;
  const double coarse = std::abs(test::volume(build_mesh(shell(3))) - exact),
               fine = std::abs(test::volume(build_mesh(shell(6))) - exact);
  EXPECT_NEAR(coarse / fine, 4, 0.2) << "chords fall short by the square of their length";
  // Facets of angle d lie d^2 / 6 inside on average, which is half of d^2 in the volume: 1.5 %.
  EXPECT_NEAR(fine, 0.5 * std::pow(pi / 18, 2) * exact, 0.1 * fine);
}

TEST(Spherical, NodesLieOnTheRadiiAndWallsOnPlanesThroughTheOrigin) {
  TetMesh m = build_mesh(shell(3));
  for (std::size_t i = 0; i < m.triangles.size(); ++i)
    for (const int n : m.triangles[i])
      EXPECT_NEAR(norm(m.nodes[n]), m.surfaces[m.triangle_group[i]].name == "inner" ? 1 : 2.5, 1e-15);
  double steepest = 0;
  for (const Vec3& p : m.nodes) steepest = std::max(steepest, std::abs(p[0] / p[2]));
  EXPECT_NEAR(steepest, std::tan(pi / 6), 1e-15);
  EXPECT_EQ(test::euler(m), 1);
  EXPECT_NO_THROW(mesh::check(m));
}

std::string refused(Geometry g) {
  return test::refusal([&] { build_mesh(g); });
}

TEST(Structured, BadGeometriesAreNamed) {
  Geometry g = column();
  g.kind = "layer";
  EXPECT_TRUE(
      says(refused(g),
           "unknown kind 'layer' (there are parts, layers, coaxial, spherical); did you mean 'layers'?"));
  g = column();
  g.layers.clear();
  EXPECT_TRUE(says(refused(g), "geometry 'column': no layers"));
  g = column();
  g.layers[1].thickness = -1;
  EXPECT_TRUE(says(refused(g), "layer 2 ('oil') is -1 m thick"));
  g = column();
  g.layers[1].elements = 0;
  EXPECT_TRUE(says(refused(g), "layer 2 ('oil') has 0 elements"));
  g = column();
  g.layers[0].region.clear();
  EXPECT_TRUE(says(refused(g), "layer 1 has no region"));
  g = column();
  g.layers[2].grading = 0;
  EXPECT_TRUE(says(refused(g), "grading 0"));
  g = column();
  g.width = NAN;
  EXPECT_TRUE(says(refused(g), "width is nan m"));
  g = column();
  g.elements_across = 10000;
  EXPECT_TRUE(says(refused(g), "8e+08 cells"));
  g = cable();
  g.angle = 400;
  EXPECT_TRUE(says(refused(g), "angle is 400 degrees"));
  g = cable();
  g.angle = 360;
  EXPECT_TRUE(says(refused(g), "set elements_across to 6 or more"));
  g = cable();
  g.inner_radius = 0;
  EXPECT_TRUE(says(refused(g), "inner_radius is 0 m"));
  g = shell(2);
  g.angle = 120;
  EXPECT_TRUE(says(refused(g), "angle is 120 degrees"));
}

}  // namespace
}  // namespace umov
