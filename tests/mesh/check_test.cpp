#include <gtest/gtest.h>
#include <omp.h>

#include <array>

#include "mesh/geometry.hpp"
#include "support/mesh_facts.hpp"

namespace umov {
namespace {

using mesh::MeshReport;
using mesh::TetMesh;
using test::says;

const std::vector<Vec3> corner{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}};

/// Two elements side by side.
TetMesh pair() { return test::small_mesh(corner, {{0, 1, 2, 3}, {1, 2, 3, 4}}); }

std::string refused(TetMesh m) {
  return test::refusal([&] { check(m); });
}

TEST(Check, MeasuresARegularElement) {
  // Edges sqrt(8), volume 8/3.
  TetMesh m = test::small_mesh({{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}}, {{0, 2, 1, 3}});
  if (test::volume_of(m, m.tets[0]) < 0) std::swap(m.tets[0][0], m.tets[0][1]);
  const MeshReport r = check(m);
  EXPECT_NEAR(r.volume, 8.0 / 3, 1e-15);
  EXPECT_NEAR(r.worst_quality, 1, 1e-14);
  EXPECT_NEAR(r.shortest_edge, std::sqrt(8), 1e-15);
  EXPECT_NEAR(r.longest_edge, std::sqrt(8), 1e-15);
  EXPECT_EQ(r.low, (Vec3{-1, -1, -1}));
  EXPECT_EQ(r.high, (Vec3{1, 1, 1}));
  EXPECT_TRUE(r.warnings.empty());
}

/// Where squares of volumes leave the range of doubles, a quality that is no number once passed for a good
/// one.
TEST(Check, RefusesFlatElementsOfEverySize) {
  for (const double scale : {1e-70, 1.0, 1e70, 1e200}) {
    TetMesh m =
        test::small_mesh({{0, 0, 0}, {scale, 0, 0}, {0, scale, 0}, {scale, scale, 0}}, {{0, 1, 2, 3}});
    EXPECT_TRUE(says(refused(m), scale > 1e50 ? "nothing is computed beyond 1e+50 m" : "is flat")) << scale;
  }
}

TEST(Check, SumsElementsAndAgreesWithTheSlowQuality) {
  TetMesh m = pair();
  const MeshReport r = check(m);
  EXPECT_NEAR(r.volume, 1.0 / 6 + 1.0 / 3, 1e-15);
  EXPECT_NEAR(r.smallest, 1.0 / 6, 1e-16);
  EXPECT_NEAR(r.largest, 1.0 / 3, 1e-16);
  EXPECT_NEAR(r.worst_quality, test::worst_quality(m), 1e-14);
}

TEST(Check, TurnsAMirroredMeshAbout) {
  TetMesh m = pair();
  for (mesh::Tet& t : m.tets) std::swap(t[0], t[1]);
  const MeshReport r = check(m);
  EXPECT_NEAR(r.volume, 0.5, 1e-15);
  for (const mesh::Tet& t : m.tets) EXPECT_GT(test::volume_of(m, t), 0);
}

/// The order of an element's nodes says nothing: files hold any, also by turns.
TEST(Check, TurnsAnElementAmongOthers) {
  TetMesh m = pair();
  std::swap(m.tets[1][0], m.tets[1][1]);
  const MeshReport r = check(m);
  EXPECT_NEAR(r.volume, 0.5, 1e-15);
  for (const mesh::Tet& t : m.tets) EXPECT_GT(test::volume_of(m, t), 0);
}

/// A node that was moved through the face between two elements: both lie on one side of it.
TEST(Check, NamesAnElementTurnedInsideOutByAMovedNode) {
  TetMesh m = pair();
  m.nodes[4] = {-0.5, -0.5, -0.5};
  const std::string text = refused(m);
  EXPECT_TRUE(says(text,
                   "small.msh: tetrahedron 1 of volume 'v' at (0.25, 0.25, 0.25) m lies in tetrahedron "
                   "2 of volume 'v'"))
      << text;
  EXPECT_TRUE(says(text, "mesh again without moving nodes of the mesh")) << text;
}

/// Three elements on a face in any order of nodes.
TEST(Check, NamesAThirdElementOnAFace) {
  TetMesh m = pair();
  m.nodes.push_back({0.9, 0.9, 0.9});
  m.tets.push_back({5, 2, 1, 3});
  m.tet_group.push_back(0);
  for (int turn = 0; turn < 2; ++turn, std::swap(m.tets[2][0], m.tets[2][1]))
    EXPECT_TRUE(says(refused(m), "lies in tetrahedron 3 of volume 'v'")) << refused(m);
}

TEST(Check, NamesFlatElements) {
  TetMesh m = test::small_mesh(corner, {{0, 1, 2, 3}});
  m.nodes[3] = {0.3, 0.3, 0};
  EXPECT_TRUE(says(refused(m), "tetrahedron 1 of volume 'v' at (0.325, 0.325, 0) m is flat"));
  m.nodes[3] = {1, 0, 0};  // two nodes in one place
  EXPECT_TRUE(says(refused(m), "is flat"));
  m.nodes[3] = {0.3, 0.3, 1e-11};  // quality is proportional to height squared: far below 1e-10
  EXPECT_TRUE(says(refused(m), "is flat"));
}

TEST(Check, WarnsOfVeryFlatElements) {
  TetMesh m = test::small_mesh(corner, {{0, 1, 2, 3}});
  m.nodes[3] = {0.3, 0.3, 1e-3};
  const MeshReport r = check(m);
  ASSERT_EQ(r.warnings.size(), 1u);
  EXPECT_TRUE(says(r.warnings[0], "1 of 1 elements are very flat, the worst is tetrahedron 1 of volume 'v'"));
}

TEST(Check, NamesRepeatedNodesAndWrongOnes) {
  TetMesh m = pair();
  m.tets[1][2] = 1;
  EXPECT_TRUE(says(refused(m), "has node 2 twice (it has no volume)"));
  m = pair();
  m.tets[0][3] = 17;
  EXPECT_TRUE(says(refused(m), "tetrahedron 1 has node 18 (there are 5)"));
}

TEST(Check, NamesNodesThatAreNotFinite) {
  for (const double bad : {double(NAN), double(INFINITY)}) {
    TetMesh m = pair();
    m.nodes[4][1] = bad;
    EXPECT_TRUE(says(refused(m), "small.msh: node 5 is at (1, "));
  }
}

TEST(Check, NamesAnElementThatIsThereTwice) {
  TetMesh m = pair();
  m.volumes.push_back({"w", 2});
  m.tets.push_back({2, 0, 1, 3});  // the first again, turned evenly
  m.tet_group.push_back(1);
  EXPECT_TRUE(says(refused(m),
                   "tetrahedron 3 of volume 'w' at (0.25, 0.25, 0.25) m has the nodes of tetrahedron "
                   "1 of volume 'v'"));
}

/// A cube of `size` with its lowest corner at (at, at, at).
TetMesh cube(double at, double size, int cells) {
  mesh::Geometry g;
  g.kind = "layers";
  g.width = size;
  g.elements_across = cells;
  g.layers.resize(1);
  g.layers[0].region = "v";
  g.layers[0].thickness = size;
  g.layers[0].elements = cells;
  TetMesh m = mesh::build_mesh(g);
  for (Vec3& x : m.nodes) x = x + Vec3{at, at, at};
  return m;
}

/// Two meshes that share no nodes.
TetMesh both(TetMesh a, const TetMesh& b) {
  const int first = int(a.nodes.size());
  a.nodes.insert(a.nodes.end(), b.nodes.begin(), b.nodes.end());
  a.volumes.push_back({"w", 77});
  a.triangles.clear();
  a.triangle_group.clear();
  for (mesh::Tet t : b.tets) {
    for (int& n : t) n += first;
    a.tets.push_back(t);
    a.tet_group.push_back(int(a.volumes.size()) - 1);
  }
  return a;
}

/// What is there twice used to count twice, in silence.
TEST(Check, RefusesVolumesThatShareSpace) {
  for (const auto& [at, size, cells] :
       {std::tuple{0.25, 0.5, 1}, {0.25, 0.5, 3}, {0.7, 0.5, 2}, {-1.0, 3.0, 1}, {0.0, 1.0, 3}})
    EXPECT_TRUE(
        says(refused(both(cube(0, 1, 4), cube(at, size, cells))), "(what is there twice would count twice)"))
        << at;
  // beside each other, and in a hole
  EXPECT_EQ(refused(both(cube(0, 1, 4), cube(1, 1, 2))), "(no error)");
  EXPECT_EQ(refused(both(cube(0, 1, 4), cube(1.01, 0.5, 2))), "(no error)");
  // two elements on one side of a face, three on a face
  TetMesh m = pair();
  m.nodes.push_back({2, 1, 1});
  m.tets.push_back({1, 2, 3, 5});
  m.tet_group.push_back(0);
  EXPECT_TRUE(says(refused(m), "(what is there twice would count twice)"));
}

/// Many elements in many blocks of them: what is found first is the lowest, whoever finds it.
TEST(Check, IsTheSameForAnyNumberOfThreads) {
  TetMesh beside = cube(0, 1, 20);
  for (Vec3& x : beside.nodes) x[0] += 1;
  const TetMesh split = both(cube(0, 1, 20), beside);  // touching, not joined: nodes that lie on others
  TetMesh twice = split;
  for (const std::size_t t : {5u, 40000u, 70000u}) {
    twice.tets.push_back(twice.tets[t]);
    twice.tet_group.push_back(0);
  }
  const TetMesh inside = both(cube(0, 1, 20), cube(0.3, 0.31, 7));
  const int before = omp_get_max_threads();
  omp_set_num_threads(1);
  const auto wanted = std::array{refused(twice), refused(inside)};
  EXPECT_TRUE(says(wanted[0], "has the nodes of tetrahedron 6 of volume 'v'")) << wanted[0];
  EXPECT_TRUE(says(wanted[1], "(what is there twice would count twice)")) << wanted[1];
  TetMesh one = split;
  const MeshReport report = check(one);
  ASSERT_EQ(report.warnings.size(), 1u);
  EXPECT_TRUE(says(report.warnings[0], ": 441 nodes lie on others")) << report.warnings[0];
  for (const int threads : {2, 3, 7}) {
    omp_set_num_threads(threads);
    EXPECT_EQ(refused(twice), wanted[0]);
    EXPECT_EQ(refused(inside), wanted[1]);
    TetMesh many = split;
    const MeshReport found = check(many);
    EXPECT_EQ(found.warnings, report.warnings);
    EXPECT_EQ(found.volume, report.volume);
    EXPECT_EQ(found.low, report.low);
    EXPECT_EQ(found.high, report.high);
    EXPECT_EQ(many.nodes, one.nodes);
  }
  omp_set_num_threads(before);
}

TEST(Check, NamesATriangleThatIsNoFace) {
  TetMesh m = pair();
  m.surfaces = {{"rod", 1}, {"plate", 2}};
  m.triangles = {{3, 2, 1}, {0, 1, 4}};
  m.triangle_group = {0, 1};
  EXPECT_TRUE(says(refused(m), "triangle 2 of surface 'plate' at (0, 0, 0) m is no face of an element"));
  m.triangles.pop_back();
  m.triangle_group.pop_back();
  EXPECT_EQ(refused(m), "(no error)") << "the face between the two";
}

TEST(Check, LeavesOutNodesThatNothingUses) {
  TetMesh m =
      test::small_mesh({{9, 9, 9}, {0, 0, 0}, {7, 7, 7}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {{1, 3, 4, 5}});
  m.surfaces = {{"s", 1}};
  m.triangles = {{3, 4, 5}};
  m.triangle_group = {0};
  const MeshReport r = check(m);
  EXPECT_EQ(m.nodes, (std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}));
  EXPECT_EQ(m.tets[0], (mesh::Tet{0, 1, 2, 3}));
  EXPECT_EQ(m.triangles[0], (mesh::Tri{1, 2, 3}));
  EXPECT_EQ(r.high, (Vec3{1, 1, 1}));
}

TEST(Check, SuggestsTheUnitOfAMeshInMillimetres) {
  TetMesh m = pair();
  for (Vec3& x : m.nodes) x = 7000.0 * x;
  const MeshReport r = check(m);
  ASSERT_EQ(r.warnings.size(), 1u);
  EXPECT_EQ(r.warnings[0],
            "small.msh: 7000 x 7000 x 7000 m (drawn in millimetres, it would be 7 m across); set "
            "unit = \"mm\" if it was");
}

TEST(Check, WarnsOfVolumesThatTouchWithoutBeingJoined) {
  // The second element has its own copies of the nodes of the face between, one of them off by rounding.
  TetMesh m = pair();
  for (const int n : {1, 2, 3}) m.nodes.push_back(m.nodes[n]);
  m.nodes[6][0] += 1e-15;
  m.tets[1] = {5, 6, 7, 4};
  const MeshReport r = check(m);
  ASSERT_EQ(r.warnings.size(), 1u);
  EXPECT_TRUE(says(r.warnings[0],
                   "small.msh: 3 nodes lie on others, the first at (1, 0, 0) m (volumes that touch "
                   "there are not joined"));
  // Two nodes a millionth of the extent apart are two.
  m = pair();
  for (const Vec3& x : {Vec3{1, 1, 1 + 1e-6}, {3, 1, 2}, {1, 3, 2}, {1, 1, 4}}) m.nodes.push_back(x);
  m.tets.push_back({5, 6, 7, 8});
  m.tet_group.push_back(0);
  EXPECT_TRUE(check(m).warnings.empty());
}

TEST(Check, RefusesAnEmptyMesh) {
  EXPECT_TRUE(says(refused(test::small_mesh(corner, {})), "small.msh: no tetrahedra"));
}

TEST(Check, PassesOnTheReadersWarnings) {
  TetMesh m = pair();
  m.warnings = {"curved"};
  EXPECT_EQ(check(m).warnings, std::vector<std::string>{"curved"});
}

}  // namespace
}  // namespace umov
