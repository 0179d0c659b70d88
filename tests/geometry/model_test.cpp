// Parts that meet: who covers whom, what is cut out, and what surfaces are called.
#include <omp.h>

#include <cstring>

#include "core/error.hpp"
#include "core/signals.hpp"
#include "eqs/run/run.hpp"
#include "mesh/size_estimate.hpp"
#include "mesh/tet_mesh.hpp"
#include "support/geometries.hpp"
#include "support/machines.hpp"

namespace {

using namespace umov;
using namespace umov::mesh;
using namespace umov::test;

/// A rod with a thin layer, sheds and fittings, as in the examples.
Geometry insulator() {
  auto g = air(0.5, 0.25);
  g.growth = 0.8;
  auto housing = part("housing", "sheds");
  housing.radius = 0.05;
  housing.height = 0.6;
  housing.shed_count = 3;
  housing.shed_radius = 0.12;
  housing.shed_thickness = 0.03;
  housing.shed_slope = 10;
  housing.mesh_size = 0.04;
  auto layer = rod("layer", 0.041, 0.6, 0.02);
  layer.inner_radius = 0.04;
  layer.across = 1;
  layer.stretch = 2;
  auto top = rod("top", 0.06, 0.1);
  top.conductor = true;
  top.center = {0, 0, 0.35};
  auto bottom = top;
  bottom.region = "bottom";
  bottom.center = {0, 0, -0.35};
  g.parts = {housing, layer, rod("rod", 0.04, 0.6), top, bottom};
  return g;
}

TEST(Model, LaterPartsCoverEarlierOnes) {
  NEEDS_GMSH
  auto g = air(1, 0.5);
  auto drop = ball("drop", 0.1, 0.02);
  auto block = part("block", "box");
  block.size = {0.8, 0.8, 0.2};
  block.center = {0, 0, -0.1};
  g.parts = {drop, block};  // a half sphere that lies on the block
  const auto v = volumes(build_parts(g));
  const double half = 2 / 3.0 * pi * 1e-3;
  EXPECT_NEAR(v.at("drop"), half, half * std::pow(1.5 * 0.02 / 0.1, 2) / 3);
  EXPECT_NEAR(v.at("block"), 0.8 * 0.8 * 0.2, 1e-13);
}

TEST(Model, ConductorsAreCutOutAndNamed) {
  NEEDS_GMSH
  auto g = air(1, 0.4);
  auto ball_ = ball("sphere", 0.3, 0.06);
  ball_.conductor = true;
  auto plate = part("plate", "box");
  plate.size = {2, 2, 0.1};
  plate.center = {0, 0, -0.95};
  plate.conductor = true;
  auto slab = part("slab", "box");
  slab.size = {2, 2, 0.2};
  slab.center = {0, 0, -0.8};
  slab.surface_group = true;
  g.parts = {ball_, plate, slab};
  const TetMesh m = build_parts(g);
  const auto v = volumes(m);
  EXPECT_EQ(v.size(), 2u);
  EXPECT_NEAR(v.at("slab"), 0.8, 1e-12);
  const auto a = areas(m);
  const double facets = std::pow(1.5 * 0.06 / 0.3, 2) / 3;
  EXPECT_NEAR(a.at("sphere"), 4 * pi * 0.09, 4 * pi * 0.09 * facets);
  EXPECT_NEAR(8 - 0.4 - v.at("air") - v.at("slab"), 4 / 3.0 * pi * 0.027, 4 / 3.0 * pi * 0.027 * facets);
  EXPECT_NEAR(a.at("plate"), 4, 1e-12);                       // its upper side: the sides lie in the domain's
  EXPECT_NEAR(a.at("slab_surface"), 4 + 4 + 4 * 0.4, 1e-12);  // all of it
  EXPECT_EQ(a.count("z_min"), 0u);                            // covered by the plate
  EXPECT_NEAR(a.at("x_min"), 2 * 1.9, 1e-12);
  EXPECT_NEAR(a.at("z_max"), 4, 1e-12);
}

/// Faces in a plane of symmetry are no surface of the whole body.
TEST(Model, ASurfaceLeavesOutPlanesOfSymmetry) {
  NEEDS_GMSH
  auto g = air(1, 0.4);
  g.cut = {"x", "y"};
  auto block = part("block", "box");
  block.size = {1, 1, 0.5};
  block.surface_group = true;
  g.parts = {block};
  // a quarter of two faces of 1 x 1 and four of 1 x 0.5
  EXPECT_NEAR(areas(build_parts(g)).at("block_surface"), (2 * 1 + 4 * 0.5) / 4, 1e-12);
}

TEST(Model, PlanesOfSymmetryHalve) {
  NEEDS_GMSH
  auto g = insulator();
  const auto whole = volumes(build_parts(g));
  const char* planes[] = {"x", "y"};
  double share = 1;
  for (const char* plane : planes) {
    g.cut.push_back(plane);
    share /= 2;
    const TetMesh m = build_parts(g);
    double all = 0;
    for (const auto& [name, volume] : volumes(m)) {
      all += volume;
      // Both have facets of their own: twelve a turn at least, (1.5 * 2 pi / 12)^2 / 6.
      EXPECT_NEAR(volume, share * whole.at(name), share * whole.at(name) * 0.103) << name << " " << plane;
    }
    EXPECT_LT(all, share);
    const auto a = areas(m);
    for (const auto& cut : g.cut) EXPECT_GT(a.at("symmetry_" + cut), 0.9 * (g.cut.size() == 1 ? 1 : 0.5));
    EXPECT_EQ(a.count("x_min"), 0u);
  }
}

TEST(Model, BodiesAcrossAPlaneOfSymmetryAreCutThere) {
  NEEDS_GMSH
  auto g = air(1, 0.4);
  g.cut = {"x", "z"};
  auto beam = part("beam", "box");  // turned, so that its ends slant
  beam.size = {1, 0.2, 0.2};
  beam.copies = 2;
  beam.turn = 30;
  auto off = ball("ball", 0.2, 0.05);  // centre beside the plane
  off.center = {-0.1, 0.6, 0.3};
  g.parts = {beam, off};
  const TetMesh m = build_parts(g);
  for (const auto& x : m.nodes) {
    EXPECT_GE(x[0], -1e-9);
    EXPECT_GE(x[2], -1e-9);
  }
  const double cap = pi * 0.01 * (3 * 0.2 - 0.1) / 3;  // pi h^2 (3 r - h) / 3 with h = 0.1
  EXPECT_NEAR(volumes(m).at("ball"), cap, cap * 2 * std::pow(1.5 * 0.05 / 0.2, 2) / 3);
}

TEST(Model, MeshIsConformingAndSound) {
  NEEDS_GMSH
  for (const bool quarter : {false, true}) {
    auto g = insulator();
    if (quarter) g.cut = {"x", "y"};
    TetMesh m = build_parts(g);
    const auto faces = count_faces(m);
    EXPECT_FALSE(faces.crowded);
    // Every outer face has a name here, and one only.
    EXPECT_EQ(faces.single, m.triangles.size());
    const MeshReport report = check(m);
    // The thin layer's elements are the flattest: 1 x 16 x 40 mm have 3 r_in / r_out = 0.06 and more.
    EXPECT_GT(report.worst_quality, 0.02);
  }
}

TEST(Model, ThinTubesAreGrids) {
  NEEDS_GMSH
  auto g = insulator();
  g.cut = {"x", "y"};
  const TetMesh m = build_parts(g);
  std::size_t elements = 0;
  for (const int group : m.tet_group) elements += m.volumes[group].name == "layer";
  // ceil(pi/2 41 mm / 20 mm) = 4 around, 600 mm / 40 mm = 15 along, six tetrahedra in each.
  EXPECT_EQ(elements, 6u * 4 * 15);
  const double exact = pi / 4 * (0.041 * 0.041 - 0.04 * 0.04) * 0.6;
  const double turn = pi / 8;  // of an element; a grid's facets are those of the circle exactly
  EXPECT_NEAR(volumes(m).at("layer"), exact * std::sin(turn) / turn, 1e-9 * exact);
}

TEST(Model, EdgesKeepToTheirSizeAndGrow) {
  NEEDS_GMSH
  auto g = air(2, 1);
  g.growth = 0.3;
  g.parts = {ball("ball", 0.2, 0.05)};
  const TetMesh m = build_parts(g);
  // Gmsh takes edges up to about 1.5 times the size before it splits them, and a face's neighbour may be
  // larger.
  EXPECT_LT(longest_edge(m, "ball"), 2 * 0.05);
  for (const auto& t : m.tets)
    for (const auto& e : tet_edges) {
      const Vec3 &a = m.nodes[t[e[0]]], &b = m.nodes[t[e[1]]];
      const double away = std::max({norm(a) - 0.2, norm(b) - 0.2, 0.0});
      EXPECT_LT(norm(a - b), 2 * (0.05 + 0.3 * away)) << norm(a);
    }
}

TEST(Model, CylindricalDomainHasASide) {
  NEEDS_GMSH
  auto g = air(1, 0.3);
  g.domain_shape = "cylinder";
  g.cut = {"y"};
  g.parts = {ball("ball", 0.2)};
  const auto a = areas(build_parts(g));
  EXPECT_NEAR(a.at("side"), 2 * pi, 2 * pi * std::pow(1.5 * 0.3, 2) / 6);
  EXPECT_NEAR(a.at("symmetry_y"), 4, 1e-12);
  EXPECT_EQ(a.count("y_max"), 0u);
  EXPECT_EQ(a.count("z_min") + a.count("z_max"), 2u);
}

TEST(Model, SameBitsEveryTime) {
  NEEDS_GMSH
  auto g = insulator();
  g.cut = {"y"};
  const TetMesh a = build_parts(g);
  auto other = air(1, 0.5);
  other.parts = {ball("ball", 0.3)};
  build_parts(other);  // what was meshed before leaves no trace
  const TetMesh b = build_parts(g);
  ASSERT_EQ(a.nodes.size(), b.nodes.size());
  EXPECT_EQ(std::memcmp(a.nodes.data(), b.nodes.data(), a.nodes.size() * sizeof(Vec3)), 0);
  EXPECT_EQ(a.tets, b.tets);
  EXPECT_EQ(a.tet_group, b.tet_group);
  EXPECT_EQ(a.triangles, b.triangles);
}

TEST(Model, SaysNothing) {
  NEEDS_GMSH
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  auto g = insulator();
  g.cut = {"x", "y"};
  build_parts(g);
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST(Model, StopsWhenAskedAndStartsAgain) {
  NEEDS_GMSH
  auto g = insulator();
  {
    const SignalGuard guard;
    raise(SIGINT);
    try {
      build_parts(g);
      FAIL() << "went on";
    } catch (const Error& e) {
      EXPECT_EQ(e.code(), Exit::interrupted);
    }
  }
  const SignalGuard fresh;  // forgets the signal
  EXPECT_GT(build_parts(g).tets.size(), 1000u);
}

TEST(Model, ElementsAreCountedBeforeMeshingWithinAFactorOfTwo) {
  NEEDS_GMSH
  auto even = air(0.2, 0.02), fine = air(1, 0.3);
  fine.parts = {ball("sphere", 0.1, 0.02), rod("rod", 0.05, 0.4, 0.015)};
  for (const Geometry& g : {even, fine, insulator()}) {
    const double found = double(build_parts(g).tets.size()), expected = estimate_elements(g);
    EXPECT_LT(expected, 2 * found);
    EXPECT_GT(expected, found / 2);
  }
}

TEST(Model, TooManyElementsAreRefusedTooFewWarnedOf) {
  auto g = air(0.2, 1e-5);
  EXPECT_GT(estimate_elements(g), 1e12);
  std::vector<std::string> warnings;
  EXPECT_THROW(check_element_count(g, warnings), BadInput);
  check_element_count(air(0.2, 0.2), warnings);
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_NE(warnings[0].find("too few for a field"), std::string::npos) << warnings[0];
}

/// Gmsh sets the number of OpenMP's threads to its own, which is one here.
TEST(Model, PartsAreComputedOnAsManyThreadsAsBeforeTheirMeshing) {
  NEEDS_GMSH
  const int before = omp_get_max_threads();
  omp_set_num_threads(3);
  eqs::Simulation s;
  auto g = air(0.1, 0.012);
  g.parts = {ball("sphere", 0.03, 0.03)};
  g.parts[0].conductor = true;
  s.mesh.geometry = g;
  s.analysis = eqs::Analysis::electrostatic;
  s.materials.resize(1);
  s.materials[0].name = "air";
  s.electrodes.resize(2);
  s.electrodes[0].name = "sphere";
  s.electrodes[0].waveform.amplitude = 1000;
  s.electrodes[1].name = "x_min";
  s.electrodes[1].kind = eqs::ElectrodeSpec::Kind::ground;
  s.outputs.pictures = false;
  const auto outcome = eqs::run(s, test::on("cpu"));
  ASSERT_GT(outcome.model.unknowns, 2000u) << "smaller ones are left to one thread";
  EXPECT_EQ(omp_get_max_threads(), 3);
  EXPECT_NE(outcome.device.find("3 thread"), std::string::npos) << outcome.device;
  omp_set_num_threads(before);
}

}  // namespace
