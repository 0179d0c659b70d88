#include <gtest/gtest.h>

#include <random>

#include "mesh/geometry.hpp"
#include "support/mesh_facts.hpp"

namespace umov {
namespace {

using mesh::Geometry;
using mesh::Tet;
using mesh::TetMesh;
using mesh::Tri;

TetMesh two_layers(const std::string& kind) {
  Geometry g;
  g.name = kind;
  g.kind = kind;
  g.inner_radius = 1;
  g.angle = 45;
  g.width = 1;
  g.layers = {{"a", 0.3, 1, 1}, {"b", 0.9, 3, 2}};
  g.elements_across = 2;
  return build_mesh(g);
}

TEST(Refine, MakesEightConformingElementsOfEach) {
  for (const char* kind : {"layers", "coaxial", "spherical"}) {
    const TetMesh coarse = two_layers(kind);
    TetMesh fine = refine(coarse);
    EXPECT_EQ(fine.nodes.size(), coarse.nodes.size() + test::edges(coarse).size()) << kind;
    EXPECT_EQ(fine.tets.size(), 8 * coarse.tets.size()) << kind;
    EXPECT_EQ(fine.triangles.size(), 4 * coarse.triangles.size()) << kind;
    EXPECT_EQ(test::euler(fine), 1) << kind;
    for (const auto& [face, count] : test::faces(fine)) EXPECT_LE(count, 2) << kind;
    EXPECT_NEAR(test::boundary_area(fine), test::boundary_area(coarse), 1e-13) << kind;
    EXPECT_NO_THROW(mesh::check(fine)) << kind;
  }
}

TEST(Refine, KeepsVolumesGroupsAndSurfaces) {
  const TetMesh coarse = two_layers("coaxial"), fine = refine(coarse);
  for (const char* region : {"a", "b"})
    EXPECT_NEAR(test::volume(fine, region), test::volume(coarse, region), 1e-14) << region;
  for (const char* surface : {"inner", "outer"})
    EXPECT_NEAR(test::area(fine, surface), test::area(coarse, surface), 1e-14) << surface;
  for (std::size_t i = 0; i < fine.tets.size(); ++i) {
    EXPECT_EQ(fine.tet_group[i], coarse.tet_group[i / 8]);
    EXPECT_NEAR(test::volume_of(fine, fine.tets[i]), test::volume_of(coarse, coarse.tets[i / 8]) / 8, 1e-15);
  }
}

TEST(Refine, CutsTheOctahedronAlongItsShortestDiagonal) {
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> u(-1, 1);
  for (int trial = 0; trial < 50; ++trial) {
    std::vector<Vec3> x(4);
    for (Vec3& p : x) p = {u(random), u(random), u(random)};
    TetMesh m = test::small_mesh(x, {{0, 1, 2, 3}});
    if (test::volume_of(m, m.tets[0]) < 0) std::swap(m.tets[0][0], m.tets[0][1]);
    const double pairs[3] = {norm(x[0] + x[1] - x[2] - x[3]) / 2, norm(x[0] + x[2] - x[1] - x[3]) / 2,
                             norm(x[0] + x[3] - x[1] - x[2]) / 2};
    const TetMesh fine = refine(m);
    // The one edge between middles of opposite edges is that diagonal: it is shared by four children.
    std::map<mesh::Edge, int> count;
    for (const Tet& t : fine.tets)
      for (int a = 0; a < 4; ++a)
        for (int b = 0; b < 4; ++b)
          if (t[a] < t[b]) ++count[{t[a], t[b]}];
    int inner = 0;
    for (const auto& [edge, n] : count)
      if (n == 4) {
        ++inner;
        EXPECT_NEAR(norm(fine.nodes[edge[0]] - fine.nodes[edge[1]]), *std::min_element(pairs, pairs + 3),
                    1e-14);
      }
    EXPECT_EQ(inner, 1);
    EXPECT_GT(test::worst_quality(fine), 0);
  }
}

TEST(Refine, LeavesCubesCutByKuhnInOneClassOfShapes) {
  Geometry g;
  g.kind = "layers";
  g.width = 2;
  g.layers = {{"a", 2, 2, 1}};
  g.elements_across = 2;
  TetMesh m = build_mesh(g);
  const double quality = test::worst_quality(m);
  for (int level = 0; level < 2; ++level) {
    m = refine(m);
    EXPECT_NEAR(test::worst_quality(m), quality, 1e-12);
  }
}

/// A long needle, a sliver, a wedge and a cap, cut six times.
TEST(Refine, KeepsTheQualityOfAwkwardElementsBounded) {
  const std::vector<std::vector<Vec3>> shapes{{{0, 0, 0}, {1, 0, 0}, {0.5, 0.02, 0}, {0.4, 0.01, 0.03}},
                                              {{0, 0, 0}, {1, 0, 0.02}, {1, 1, 0}, {0, 1, 0.02}},
                                              {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0.02, 0.01, 0.3}},
                                              {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0.3, 0.3, 0.02}}};
  for (const auto& x : shapes) {
    TetMesh m = test::small_mesh(x, {{0, 1, 2, 3}});
    if (test::volume_of(m, m.tets[0]) < 0) std::swap(m.tets[0][0], m.tets[0][1]);
    std::vector<double> quality;
    for (int level = 0; level < 6; ++level) {
      quality.push_back(test::worst_quality(m));
      m = refine(m);
    }
    // All classes of shapes have appeared after a few levels; further ones bring none that is worse.
    EXPECT_NEAR(quality[5], quality[3], 1e-9 * quality[3]);
  }
}

TEST(Refine, NamesATriangleThatHasNoElement) {
  TetMesh m = test::small_mesh({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {5, 5, 5}}, {{0, 1, 2, 3}});
  m.surfaces = {{"electrode", 4}};
  m.triangles = {{0, 1, 4}};
  m.triangle_group = {0};
  EXPECT_EQ(
      test::refusal([&] { refine(m); }),
      "small.msh: triangle 1 of surface 'electrode' is no face of an element (its edge is none of theirs); "
      "mesh volumes and surfaces together");
}

}  // namespace
}  // namespace umov
