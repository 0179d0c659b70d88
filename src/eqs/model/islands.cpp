// Which charges nothing can carry away.
#include <algorithm>

#include "eqs/kernels/element.hpp"
#include "eqs/model/disjoint_sets.hpp"
#include "eqs/model/model_parts.hpp"

namespace umov::eqs {

namespace {

constexpr int alone = -2;  // Problem::island

bool insulates(const Material& m) { return !m.conductivity.nonlinear() && !(m.conductivity.value > 0); }

/// Set 0: everything that conducts to a fixed potential; set 1 + k: unknown k.
void unite_conducting(const Problem& p, DisjointSets& sets) {
  const int nodes = p.order == 1 ? 4 : 10;
  const auto set_of = [&](int node) { return p.unknown[node] < 0 ? 0 : p.unknown[node] + 1; };
#pragma omp parallel for schedule(static)
  for (std::size_t t = 0; t < p.mesh.tets.size(); ++t) {
    if (insulates(p.materials[p.material[t]])) continue;
    for (int k = 1; k < nodes; ++k) sets.unite(set_of(p.node(int(t), 0)), set_of(p.node(int(t), k)));
  }
}

/// Per unknown, whether it is a potential over a base: its row is part of the base's.
std::vector<char> held_unknowns(const Problem& p) {
  std::vector<char> held(std::size_t(p.unknowns), 0);
  for (std::size_t n = 0; n < p.base.size(); ++n)
    if (p.base[n] != no_unknown && p.unknown[n] >= 0 && p.base[n] != p.unknown[n])
      held[std::size_t(p.unknown[n])] = 1;
  return held;
}

}  // namespace

void find_islands(Problem& p) {
  p.island.clear();
  p.island_size.clear();
  if (!p.steady_state() || std::none_of(p.materials.begin(), p.materials.end(), insulates)) return;
  DisjointSets sets(p.unknowns + 1);
  unite_conducting(p, sets);
  const auto held = held_unknowns(p);
  std::vector<int> members(std::size_t(p.unknowns) + 1, 0), number(members.size(), -1);
  for (int n = 0; n < p.unknowns; ++n) members[std::size_t(sets.find(n + 1))] += !held[std::size_t(n)];
  for (std::size_t set = 1; set < members.size(); ++set) {
    if (members[set] < 2) {
      number[set] = alone;
      continue;
    }
    number[set] = int(p.island_size.size());
    p.island_size.push_back(members[set]);
  }
  p.island.assign(std::size_t(p.nodes), -1);
  for (int n = 0; n < p.nodes; ++n)
    if (const int u = p.unknown[n]; u >= 0 && !held[std::size_t(u)])
      p.island[n] = number[std::size_t(sets.find(u + 1))];
}

}  // namespace umov::eqs
