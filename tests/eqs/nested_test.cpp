// Interpolation between the meshes that a refined one came from.
#include "eqs/model/nested.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "support/eqs_cases.hpp"

namespace umov::eqs::test {
namespace {

Simulation refined(int times, int order) {
  Simulation s = column(
      {layer("a", 1e-3, 2), layer("b", 2e-3, 2)},
      {material("a", constant(5), constant(1e-9)), material("b", constant(1), constant(1e-9))}, sine(1));
  s.mesh.refine = times, s.mesh.order = order;
  return s;
}

TEST(NestedProlongations, TakeLinearFunctionsFromMeshToMesh) {
  for (const int order : {1, 2}) {
    const Problem p = make_problem(refined(2, order));
    const auto nested = nested_prolongations(p);
    ASSERT_TRUE(nested);
    ASSERT_EQ(nested->size(), 2u);
    const auto& line = p.lineage;
    // places of the unknowns of mesh l, in the order of the finest mesh's
    const auto places = [&](std::size_t l) {
      std::map<int, Vec3> at;
      for (int i = 0; i < line.nodes[l]; ++i)
        if (const int u = p.unknown[line.number[i]]; u >= 0) at[u] = p.mesh.nodes[line.number[i]];
      std::vector<Vec3> out;
      for (const auto& [u, x] : at) out.push_back(x);
      return out;
    };
    for (std::size_t l = 2; l > 0; --l) {
      const auto& m = (*nested)[2 - l];
      const auto fine = places(l), coarse = places(l - 1);
      ASSERT_EQ(m.rows, int(fine.size()));
      ASSERT_EQ(m.columns, int(coarse.size()));
      int inner = 0;
      for (int i = 0; i < m.rows; ++i) {
        Vec3 x{0, 0, 0};
        double sum = 0;
        for (int k = m.start[i]; k < m.start[i + 1]; ++k)
          x = x + m.value[k] * coarse[m.column[k]], sum += m.value[k];
        EXPECT_TRUE(std::is_sorted(&m.column[m.start[i]], &m.column[0] + m.start[i + 1]));
        if (sum < 0.99) continue;  // beside an electrode
        ++inner;
        for (int c = 0; c < 3; ++c) EXPECT_NEAR(x[c], fine[i][c], 1e-15);
      }
      EXPECT_GT(inner, m.rows / 2);
    }
  }
}

TEST(NestedProlongations, AreNoneWithoutRefinement) {
  EXPECT_FALSE(nested_prolongations(make_problem(refined(0, 1))));
}

TEST(NestedProlongations, AreNoneWhereBodiesHaveBases) {
  Simulation s = refined(1, 1);
  s.materials[0].conductivity.value = 1e6;
  const Problem p = make_problem(s);
  ASSERT_FALSE(p.base.empty());
  EXPECT_FALSE(nested_prolongations(p));
}

TEST(NestedProlongations, ChangeNoResult) {
  for (const int order : {1, 2}) {
    const Problem nested = make_problem(refined(2, order));
    Problem aggregates = nested;
    aggregates.lineage = {};
    const auto a = make_engine(nested, on("cpu")), b = make_engine(aggregates, on("cpu"));
    for (Engine* e : {a.get(), b.get()}) {
      ASSERT_TRUE(e->start(0).converged);
      march(*e, 5e-3, 2);
    }
    const Observation x = a->observe(), y = b->observe();
    // both solve to 1e-12
    for (std::size_t k = 0; k < x.charge.size(); ++k)
      EXPECT_NEAR(x.charge[k], y.charge[k], 1e-9 * std::abs(y.charge[k]));
    EXPECT_NEAR(x.energy, y.energy, 1e-9 * y.energy);
  }
}

}  // namespace
}  // namespace umov::eqs::test
