// Meshes of single parts fill what they should.
#include "support/geometries.hpp"

namespace {

using namespace umov;
using namespace umov::mesh;
using namespace umov::test;

/// The flat facets of a surface with n edges per turn lie inside of the curve: a sector's area is short by
/// 1 - sin(2 pi / n) / (2 pi / n) = (2 pi / n)^2 / 6, where Gmsh's edges may be half as long again as asked.
double facets(double n) { return std::pow(1.5 * 2 * pi / n, 2) / 6; }

double volume_of(const Part& p, double half = 1, double size = 0.5) {
  auto g = air(half, size);
  g.parts = {p};
  const auto v = volumes(build_parts(g));
  // Whatever the part's facets cost it, the air gains: the box is filled.
  double all = 0;
  for (const auto& [name, volume] : v) all += volume;
  EXPECT_NEAR(all, 8 * half * half * half, 1e-12 * 8 * half * half * half);
  return v.at(p.region);
}

/// Convex bodies lose volume to their facets, never gain.
void expect_faceted(double volume, double exact, double loss) {
  EXPECT_LE(volume, exact * (1 + 1e-12));
  EXPECT_GE(volume, exact * (1 - loss));
}

TEST(Shapes, BoxAndExtrusionAreExact) {
  NEEDS_GMSH
  auto box = part("block", "box");
  box.size = {0.2, 0.3, 0.4};
  box.center = {0.1, -0.2, 0.3};
  EXPECT_NEAR(volume_of(box), 0.024, 1e-14);
  auto angle = part("profile", "extrusion");  // an L, given clockwise
  angle.profile = {{0, 0}, {0, 0.3}, {0.1, 0.3}, {0.1, 0.1}, {0.3, 0.1}, {0.3, 0}};
  angle.height = 0.5;
  angle.axis = {1, 2, 2};
  EXPECT_NEAR(volume_of(angle), 0.05 * 0.5, 1e-14);
  angle.profile.insert(angle.profile.begin() + 2, angle.profile[1]);  // as layout tools write it
  angle.profile.push_back(angle.profile[0]);
  EXPECT_NEAR(volume_of(angle), 0.025, 1e-14);
}

TEST(Shapes, RoundBodiesFillTheirVolumeButForFacets) {
  NEEDS_GMSH
  const double n = 24;
  const auto size = [&](double radius) { return 2 * pi * radius / n; };
  expect_faceted(volume_of(rod("rod", 0.2, 0.6, size(0.2))), pi * 0.04 * 0.6, facets(n));
  // A sphere has facets in two directions: twice the loss of one.
  expect_faceted(volume_of(ball("ball", 0.3, size(0.3))), 4 / 3.0 * pi * 0.027, 2 * facets(n));
  auto cone = part("cone", "cone");
  cone.radius = 0.3;
  cone.top_radius = 0.1;
  cone.height = 0.5;
  cone.axis = {0, 1, 1};
  cone.mesh_size = size(0.3);
  expect_faceted(volume_of(cone), pi * 0.5 / 3 * (0.09 + 0.03 + 0.01), facets(n) * 4);
  cone.top_radius = 0;
  expect_faceted(volume_of(cone), pi * 0.5 / 3 * 0.09, facets(n) * 4);
  auto shell = ball("shell", 0.3, size(0.3));
  shell.inner_radius = 0.2;
  EXPECT_NEAR(volume_of(shell), 4 / 3.0 * pi * (0.027 - 0.008), 4 / 3.0 * pi * 0.027 * 2 * facets(n));
  auto ring = part("ring", "torus");
  ring.radius = 0.4;
  ring.top_radius = 0.1;
  ring.mesh_size = size(0.1);
  EXPECT_NEAR(volume_of(ring), 2 * pi * pi * 0.4 * 0.01, 2 * pi * pi * 0.4 * 0.01 * 2 * facets(n));
}

TEST(Shapes, FacetsOfASphereVanishWithTheSquareOfTheSize) {
  NEEDS_GMSH
  const double exact = 4 / 3.0 * pi * 0.027;
  const double coarse = exact - volume_of(ball("ball", 0.3, 0.1)),
               fine = exact - volume_of(ball("ball", 0.3, 0.05));
  EXPECT_GT(coarse / fine, 2.8);  // 4 with edges of exactly half the length
  EXPECT_LT(coarse / fine, 5.7);
}

TEST(Shapes, ACylinderRoundedToItsRadiusIsASphere) {
  NEEDS_GMSH
  auto pill = rod("pill", 0.3, 0.6, 2 * pi * 0.3 / 24);
  pill.fillet = 0.3;
  expect_faceted(volume_of(pill), 4 / 3.0 * pi * 0.027, 2 * facets(24));
}

TEST(Shapes, RevolutionFollowsPappus) {
  NEEDS_GMSH
  auto body = part("body", "revolution");
  body.profile = {{0.1, 0}, {0.4, 0}, {0.4, 0.1}, {0.2, 0.3}, {0.1, 0.3}};
  body.mesh_size = 0.05;
  // Integral of r over the profile: the box up to r = 0.2, and the slope's r dr (0.1 + (0.4 - r)) beyond.
  const double moment = 0.3 * (0.04 - 0.01) / 2 + (0.5 * (0.16 - 0.04) / 2 - (0.064 - 0.008) / 3);
  for (const double angle : {360.0, 140.0}) {
    body.angle = angle;
    body.start = 30;
    const double exact = angle * pi / 180 * moment;
    EXPECT_NEAR(volume_of(body), exact, facets(2 * pi * 0.1 / 0.05) * exact);
  }
}

TEST(Shapes, ShedsAddWhatTheirTrapezesSweep) {
  NEEDS_GMSH
  auto housing = part("housing", "sheds");
  housing.radius = 0.1;
  housing.inner_radius = 0.05;
  housing.height = 1;
  housing.shed_count = 4;
  housing.shed_radius = 0.25;
  housing.shed_radius_small = 0.2;
  housing.shed_thickness = 0.06;
  housing.shed_tip = 0.03;
  housing.shed_slope = 15;
  housing.shed_margin = 0.05;
  housing.mesh_size = 0.03;
  const auto shed = [](double outer) {  // thickness falls from 0.06 to 0.03 between r = 0.1 and the rim
    const double w = outer - 0.1, mean = 0.1 * w + w * w / 2, slope = 0.03 / w;
    return 2 * pi * (0.06 * mean - slope * (0.1 * w * w / 2 + w * w * w / 3));
  };
  const double exact = pi * (0.01 - 0.0025) + 2 * shed(0.25) + 2 * shed(0.2);
  EXPECT_NEAR(volume_of(housing), exact, facets(2 * pi * 0.1 / 0.03) * exact);
}

TEST(Shapes, CopiesAreMovedAndTurned) {
  NEEDS_GMSH
  auto bead = ball("bead", 0.1, 2 * pi * 0.1 / 24);
  bead.center = {0.5, 0, -0.2};
  bead.copies = 4;
  bead.turn = 90;
  bead.shift = {0, 0, 0.1};
  auto g = air(1, 0.4);
  g.parts = {bead};
  const TetMesh m = build_parts(g);
  expect_faceted(volumes(m).at("bead"), 4 * 4 / 3.0 * pi * 0.001, 2 * facets(24));
  Vec3 middle[4] = {};
  double volume[4] = {};
  for (std::size_t i = 0; i < m.tets.size(); ++i) {
    if (m.volumes[m.tet_group[i]].name != "bead") continue;
    Vec3 c{0, 0, 0};
    for (const int node : m.tets[i]) c = c + 0.25 * m.nodes[node];
    const int k = std::abs(c[0]) > std::abs(c[1]) ? (c[0] > 0 ? 0 : 2) : (c[1] > 0 ? 1 : 3);
    const auto& t = m.tets[i];
    const Vec3 a = m.nodes[t[0]];
    const double v = dot(m.nodes[t[1]] - a, cross(m.nodes[t[2]] - a, m.nodes[t[3]] - a)) / 6;
    middle[k] = middle[k] + v * c;
    volume[k] += v;
  }
  for (int k = 0; k < 4; ++k) {
    const Vec3 wanted{0.5 * std::cos(k * pi / 2), 0.5 * std::sin(k * pi / 2), -0.2 + 0.1 * k};
    // The centre of an irregular polyhedron in the sphere is off by a part of its facets' depth.
    EXPECT_LT(norm((1 / volume[k]) * middle[k] - wanted), 0.1 * facets(24));
  }
}

}  // namespace
