#include <gtest/gtest.h>
#include <omp.h>

#include <random>

#include "mesh/geometry.hpp"
#include "support/mesh_facts.hpp"

namespace umov {
namespace {

using mesh::EdgeList;
using mesh::Tet;
using mesh::TetMesh;

/// A box of elements whose nodes are numbered at random.
TetMesh shuffled() {
  mesh::Geometry g;
  g.kind = "layers";
  g.width = 1;
  g.layers = {{"a", 1, 5, 1}};
  g.elements_across = 4;
  TetMesh m = build_mesh(g);
  std::vector<int> number(m.nodes.size());
  for (std::size_t i = 0; i < number.size(); ++i) number[i] = int(i);
  std::shuffle(number.begin(), number.end(), std::mt19937(3));
  const std::vector<Vec3> old = m.nodes;
  for (std::size_t i = 0; i < number.size(); ++i) m.nodes[number[i]] = old[i];
  for (Tet& t : m.tets)
    for (int& n : t) n = number[n];
  for (mesh::Tri& t : m.triangles)
    for (int& n : t) n = number[n];
  return m;
}

/// Many elements around the axis from node 0 to 1: node 0 is the lower end of n + 1 edges.
TetMesh fan(int n) {
  TetMesh m = test::small_mesh({{0, 0, 0}, {0, 0, 1}}, {});
  for (int i = 0; i < n; ++i) m.nodes.push_back({std::cos(2 * pi * i / n), std::sin(2 * pi * i / n), 0});
  for (int i = 0; i < n; ++i) m.tets.push_back({0, 2 + i, 2 + (i + 1) % n, 1});
  m.tet_group.assign(n, 0);
  return m;
}

void expect_right(const TetMesh& m) {
  const EdgeList list = find_edges(m);
  const auto all = test::edges(m);
  EXPECT_EQ(list.ends, std::vector<mesh::Edge>(all.begin(), all.end())) << "each once, sorted";
  ASSERT_EQ(list.of_tet.size(), m.tets.size());
  for (std::size_t t = 0; t < m.tets.size(); ++t)
    for (int e = 0; e < 6; ++e) {
      mesh::Edge wanted{m.tets[t][mesh::tet_edges[e][0]], m.tets[t][mesh::tet_edges[e][1]]};
      std::sort(wanted.begin(), wanted.end());
      EXPECT_EQ(list.ends[list.of_tet[t][e]], wanted);
    }
}

TEST(Edges, AreThoseOfASlowSearch) { expect_right(shuffled()); }

TEST(Edges, OfANodeWithManyNeighboursAreAllThere) {
  for (const int n : {3, 15, 16, 17, 32, 33, 100}) expect_right(fan(n));
}

TEST(Edges, OfNoElementsAreNone) { EXPECT_TRUE(find_edges(TetMesh{}).ends.empty()); }

TEST(Edges, AreTheSameForAnyNumberOfThreads) {
  const TetMesh m = shuffled();
  const int before = omp_get_max_threads();
  omp_set_num_threads(1);
  const EdgeList one = find_edges(m);
  for (const int threads : {2, 3, 7}) {
    omp_set_num_threads(threads);
    const EdgeList many = find_edges(m);
    EXPECT_EQ(one.ends, many.ends);
    EXPECT_EQ(one.of_tet, many.of_tet);
  }
  omp_set_num_threads(before);
}

/// Mean distance of the numbers of an element's nodes.
double spread(const TetMesh& m) {
  double sum = 0;
  for (const Tet& t : m.tets)
    sum += *std::max_element(t.begin(), t.end()) - *std::min_element(t.begin(), t.end());
  return sum / double(m.tets.size());
}

TEST(SortByPlace, BringsNeighboursTogetherAndLeavesTheModel) {
  const TetMesh before = refine(shuffled());
  TetMesh m = before;
  sort_by_place(m);
  EXPECT_LT(spread(m), 0.3 * spread(before));
  EXPECT_NEAR(test::volume(m), 1, 1e-13);
  EXPECT_EQ(test::euler(m), 1);
  for (const auto& s : m.surfaces) EXPECT_NEAR(test::area(m, s.name), 1, 1e-13) << s.name;
  EXPECT_NO_THROW(mesh::check(m));
  // The next element is near: on a Morton curve steps across half the box are rare.
  double step = 0;
  for (std::size_t i = 1; i < m.tets.size(); ++i)
    step += norm(m.nodes[m.tets[i][0]] - m.nodes[m.tets[i - 1][0]]);
  EXPECT_LT(step / double(m.tets.size()), 0.25);
}

TEST(SortByPlace, DoesNothingTheSecondTime) {
  TetMesh m = shuffled();
  sort_by_place(m);
  const TetMesh once = m;
  sort_by_place(m);
  EXPECT_EQ(m.tets, once.tets);
  EXPECT_EQ(m.nodes, once.nodes);
  EXPECT_EQ(m.triangles, once.triangles);
}

TEST(SortByPlace, IsTheSameForAnyNumberOfThreads) {
  const TetMesh before = refine(shuffled());
  const int threads_before = omp_get_max_threads();
  omp_set_num_threads(1);
  TetMesh one = before;
  const auto order = sort_by_place(one);
  for (const int threads : {2, 3, 7}) {
    omp_set_num_threads(threads);
    TetMesh many = before;
    EXPECT_EQ(sort_by_place(many), order);
    EXPECT_EQ(many.tets, one.tets);
    EXPECT_EQ(many.nodes, one.nodes);
  }
  omp_set_num_threads(threads_before);
}

}  // namespace
}  // namespace umov
