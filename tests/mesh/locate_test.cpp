#include "mesh/locate.hpp"

#include <gtest/gtest.h>

#include <random>

#include "mesh/geometry.hpp"
#include "support/mesh_facts.hpp"

namespace umov {
namespace {

using mesh::Locator;
using mesh::Place;
using mesh::TetMesh;

/// Elements of very different sizes: 1 um next to 1 m.
TetMesh graded() {
  mesh::Geometry g;
  g.kind = "coaxial";
  g.inner_radius = 0.1;
  g.angle = 90;
  g.width = 0.5;
  g.layers = {{"thin", 3e-6, 3, 1}, {"air", 1, 6, 50}};
  g.elements_across = 5;
  TetMesh m = build_mesh(g);
  sort_by_place(m);
  return m;
}

Vec3 at(const TetMesh& m, int tet, const std::array<double, 4>& w) {
  Vec3 p{0, 0, 0};
  for (int k = 0; k < 4; ++k) p = p + w[k] * m.nodes[m.tets[tet][k]];
  return p;
}

TEST(Locator, FindsTheElementAndTheWeightsOfPointsInside) {
  const TetMesh m = graded();
  const Locator locator(m);
  std::mt19937_64 random(11);
  std::uniform_real_distribution<double> u(0.05, 1);
  for (int tet = 0; tet < int(m.tets.size()); ++tet) {
    std::array<double, 4> w{u(random), u(random), u(random), u(random)};
    const double sum = w[0] + w[1] + w[2] + w[3];
    for (double& x : w) x /= sum;
    const auto place = locator.find(at(m, tet, w));
    ASSERT_TRUE(place) << tet;
    EXPECT_EQ(place->tet, tet);
    // Heights of 1e-7 m at 1 m from the origin: coordinates themselves are good to 1e-16 / 1e-7.
    for (int k = 0; k < 4; ++k) EXPECT_NEAR(place->weight[k], w[k], 1e-8);
  }
}

TEST(Locator, GivesTheLowestElementOnFacesEdgesAndNodes) {
  const TetMesh m = graded();
  const Locator locator(m);
  std::vector<int> lowest(m.nodes.size(), INT32_MAX);
  for (int t = int(m.tets.size()) - 1; t >= 0; --t)
    for (const int n : m.tets[t]) lowest[n] = t;
  for (std::size_t n = 0; n < m.nodes.size(); ++n) {
    const auto place = locator.find(m.nodes[n]);
    ASSERT_TRUE(place) << n;
    EXPECT_EQ(place->tet, lowest[n]) << n;
  }
  for (int t = 0; t < int(m.tets.size()); ++t)
    for (const auto& w : {std::array{0.5, 0.5, 0.0, 0.0}, std::array{0.25, 0.25, 0.5, 0.0}}) {
      const auto place = locator.find(at(m, t, w));
      ASSERT_TRUE(place) << t;
      EXPECT_LE(place->tet, t);
    }
}

TEST(Locator, FindsNothingOutside) {
  const TetMesh m = graded();
  const Locator locator(m);
  EXPECT_FALSE(locator.find({0, 0, 0.2}));
  EXPECT_FALSE(locator.find({0.5, 0.5, -1e-6}));
  EXPECT_FALSE(locator.find({0.5, 0.5, 0.5 + 1e-6}));
  EXPECT_FALSE(locator.find({-1e-3, 0.5, 0.2}));
  EXPECT_FALSE(locator.find({50, 50, 50}));
  EXPECT_FALSE(locator.find({NAN, 0.5, 0.2}));
  EXPECT_FALSE(Locator(TetMesh{}).find({0, 0, 0}));
}

TEST(Locator, AgreesWithASearchThroughAllElements) {
  TetMesh m = graded();
  const Locator locator(m);
  std::mt19937_64 random(4);
  std::uniform_real_distribution<double> u(-0.1, 1.2);
  int inside = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const Vec3 p{u(random), u(random), u(random)};
    int found = -1;
    for (int t = 0; t < int(m.tets.size()) && found < 0; ++t) {
      bool in = true;
      for (int k = 0; k < 4; ++k) {
        TetMesh moved = test::small_mesh({}, {{0, 1, 2, 3}});
        for (const int n : m.tets[t]) moved.nodes.push_back(m.nodes[n]);
        moved.nodes[k] = p;
        in = in && test::volume_of(moved, moved.tets[0]) >= 0;
      }
      if (in) found = t;
    }
    const auto place = locator.find(p);
    EXPECT_EQ(place ? place->tet : -1, found);
    inside += found >= 0;
  }
  EXPECT_GT(inside, 50);
  EXPECT_LT(inside, 250);
}

}  // namespace
}  // namespace umov
