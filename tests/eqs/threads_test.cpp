// What the host prepares does not depend on how many threads do it.
#include <gtest/gtest.h>
#include <omp.h>

#include <algorithm>
#include <random>

#include "eqs/model/disjoint_sets.hpp"
#include "eqs/model/pattern.hpp"
#include "eqs/run/prepare.hpp"
#include "eqs/solve/row_sum_plan.hpp"
#include "eqs/solve/solver_choice.hpp"
#include "support/eqs_block.hpp"

namespace umov::eqs::test {
namespace {

/// f(threads) by one thread and by several.
template <class F>
void with_threads(const F& f) {
  const int before = omp_get_max_threads();
  for (const int threads : {1, 2, 3, 7}) {
    omp_set_num_threads(threads);
    f(threads);
  }
  omp_set_num_threads(before);
}

/// The definition: element by element, place by place.
std::vector<std::vector<index_t>> places_of(const Problem& p, int order) {
  std::vector<std::vector<index_t>> rows(order == 1 ? p.vertex_unknowns : p.unknowns);
  const int nodes = order == 1 ? 4 : 10;
  for (int t = 0; t < int(p.mesh.tets.size()); ++t)
    for (int k = 0; k < nodes; ++k) {
      const NodeFunctions both = functions(p, t, k);
      for (const int n : {both.first, both.second})
        if (n >= 0) rows[n].push_back(index_t(t) * nodes + k);
    }
  return rows;
}

TEST(EqsThreads, RowsHaveTheirElementsInAscendingOrder) {
  for (const int order : {1, 2}) {
    Simulation s = block(order, true, false, 5);  // with a floating conductor: a long row
    const Problem p = make_problem(s);
    const auto wanted = places_of(p, order);
    with_threads([&](int threads) {
      const auto found = touching_elements(p, order);
      ASSERT_EQ(found.start.size(), wanted.size() + 1);
      for (std::size_t r = 0; r < wanted.size(); ++r) {
        const std::vector<index_t> row(found.list.begin() + found.start[r],
                                       found.list.begin() + found.start[r + 1]);
        ASSERT_EQ(row, wanted[r]) << "row " << r << ", " << threads << " threads";
      }
    });
  }
}

// The definition: from the first node on, with one number for all nodes of a floating electrode.
TEST(EqsThreads, NodesAreNumberedInTheirOrder) {
  for (const int order : {1, 2}) {
    const Problem first = make_problem(block(order, true, false, 8));
    std::vector<int> wanted, floating(first.electrodes.size(), -1);
    int next = 0, of_vertices = 0;
    for (int n = 0; n < first.nodes; ++n) {
      if (n == int(first.mesh.nodes.size())) of_vertices = next;
      const int e = first.node_electrode[n];
      if (e >= 0 && first.electrodes[e].kind != ElectrodeSpec::Kind::floating) {
        wanted.push_back(-1 - e);
      } else if (e >= 0) {
        if (floating[e] < 0) floating[e] = next++;
        wanted.push_back(floating[e]);
      } else {
        wanted.push_back(next++);
      }
    }
    if (order == 1) of_vertices = next;
    EXPECT_GT(*std::max_element(floating.begin(), floating.end()), 0) << "there is a floating electrode";
    with_threads([&](int threads) {
      const Problem p = make_problem(block(order, true, false, 8));
      EXPECT_EQ(p.unknown, wanted) << threads;
      EXPECT_EQ(p.unknowns, next);
      EXPECT_EQ(p.vertex_unknowns, of_vertices);
      for (std::size_t e = 0; e < floating.size(); ++e) EXPECT_EQ(p.electrodes[e].unknown, floating[e]);
      EXPECT_EQ(p.mesh.tets, first.mesh.tets);
      EXPECT_EQ(p.mesh.nodes, first.mesh.nodes);
      EXPECT_EQ(p.edges.ends, first.edges.ends);
      EXPECT_EQ(p.material, first.material);
      EXPECT_EQ(p.warnings, first.warnings);
    });
  }
}

TEST(EqsThreads, PatternsAndPartsAreTheSame) {
  const Problem p = make_problem(block(2, true, false, 8));
  Pattern pattern;
  NonlinearPart part;
  RowSumPlan plan;
  std::vector<int> at_electrodes, parents;
  int per_edge = 0;
  with_threads([&](int threads) {
    const Pattern a = make_pattern(p, 2);
    const NonlinearPart b = nonlinear_part(p, 2);
    const RowSumPlan c = make_row_sum_plan(touching_elements(p, 2));
    const auto d = elements_at_electrodes(p), e = edge_parents(p, per_edge);
    if (threads == 1) {
      pattern = a, part = b, plan = c, at_electrodes = d, parents = e;
      EXPECT_FALSE(part.element.empty());
      EXPECT_FALSE(plan.chunk_row.empty());
      EXPECT_FALSE(at_electrodes.empty());
      return;
    }
    EXPECT_EQ(a.start, pattern.start);
    EXPECT_EQ(a.column, pattern.column);
    EXPECT_EQ(a.touching.list, pattern.touching.list);
    EXPECT_EQ(a.fixed_electrode, pattern.fixed_electrode);
    EXPECT_EQ(b.row, part.row);
    EXPECT_EQ(b.element, part.element);
    EXPECT_EQ(b.touching.start, part.touching.start);
    EXPECT_EQ(b.touching.list, part.touching.list);
    EXPECT_EQ(c.start, plan.start);
    EXPECT_EQ(c.list, plan.list);
    EXPECT_EQ(c.chunk_list, plan.chunk_list);
    EXPECT_EQ(c.chunk_row, plan.chunk_row);
    EXPECT_EQ(c.chunk_start, plan.chunk_start);
    EXPECT_EQ(d, at_electrodes);
    EXPECT_EQ(e, parents);
  });
}

/// A row of the plan is the row's places, those of a long one in chunks.
TEST(EqsThreads, APlanHoldsEveryPlaceOnce) {
  const Problem p = make_problem(block(2, true, false, 8));
  const auto all = touching_elements(p, 2);
  const RowSumPlan plan = make_row_sum_plan(all);
  for (std::size_t r = 0; r + 1 < all.start.size(); ++r) {
    std::vector<int> found;
    for (int k = plan.start[r]; k < plan.start[r + 1]; ++k) {
      if (plan.list[k] >= 0) {
        found.push_back(plan.list[k]);
        continue;
      }
      const int c = -1 - plan.list[k];
      EXPECT_EQ(plan.chunk_row[c], int(r));
      found.insert(found.end(), plan.chunk_list.begin() + plan.chunk_start[c],
                   plan.chunk_list.begin() + plan.chunk_start[c + 1]);
    }
    const std::vector<int> wanted(all.list.begin() + all.start[r], all.list.begin() + all.start[r + 1]);
    ASSERT_EQ(found, wanted) << r;
  }
}

TEST(EqsThreads, SetsAreNamedByTheirSmallestMember) {
  constexpr int n = 20000;
  std::mt19937 random(5);
  std::vector<std::array<int, 2>> pairs(n - n / 10);
  for (auto& p : pairs) p = {int(random() % n), int(random() % n)};
  std::vector<int> names(n);  // by search through the graph
  std::vector<std::vector<int>> beside(n);
  for (const auto& [a, b] : pairs) beside[a].push_back(b), beside[b].push_back(a);
  std::vector<char> seen(n, 0);
  for (int first = 0; first < n; ++first) {
    std::vector<int> waiting;
    if (!seen[first]) waiting.push_back(first);
    while (!waiting.empty()) {
      const int at = waiting.back();
      waiting.pop_back();
      if (std::exchange(seen[at], 1)) continue;
      names[at] = first;
      waiting.insert(waiting.end(), beside[at].begin(), beside[at].end());
    }
  }
  with_threads([&](int threads) {
    DisjointSets sets(n);
#pragma omp parallel for schedule(static, 1)
    for (std::size_t k = 0; k < pairs.size(); ++k) sets.unite(pairs[k][0], pairs[k][1]);
    for (int a = 0; a < n; ++a) ASSERT_EQ(sets.find(a), names[a]) << threads;
  });
}

TEST(EqsThreads, SummariesAreTheSameToTheBit) {
  const Simulation s = block(1, true, false, 24);  // several blocks of elements
  ModelSummary one;
  with_threads([&](int threads) {
    run::Journal journal{run::Observer{}};
    const ModelSummary m = prepare(s, {}, journal).summary;
    if (threads == 1) one = m;
    EXPECT_EQ(m.shortest_edge, one.shortest_edge);
    EXPECT_EQ(m.longest_edge, one.longest_edge);
    for (std::size_t k = 0; k < m.regions.size(); ++k) {
      EXPECT_EQ(m.regions[k].elements, one.regions[k].elements);
      EXPECT_EQ(m.regions[k].volume, one.regions[k].volume);
    }
  });
}

TEST(EqsThreads, SmallModelsTakeOneUnlessMoreAreAskedFor) {
  Problem p = make_problem(block(1, false, false, 3));
  ASSERT_LT(p.unknowns, 1000);
  EXPECT_EQ(threads_of(p, 0), 1);
  EXPECT_EQ(threads_of(p, 2), 2);
  EXPECT_EQ(make_engine(p, {"cpu", 0, 0})->device().rfind("1 thread(s)", 0), 0u);
  p.unknowns = 100000;
  EXPECT_EQ(threads_of(p, 0), 0) << "all";
}

}  // namespace
}  // namespace umov::eqs::test
