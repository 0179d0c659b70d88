// The mesh' elements dealt out to ranks.
#ifdef UMOV_METIS
#include <metis.h>
#endif

#include <algorithm>
#include <utility>
#include <vector>

#include "comm/parts.hpp"
#include "core/error.hpp"
#include "eqs/ranks/cut.hpp"
#include "linalg/ranks/part_graph.hpp"
#include "mesh/place_order.hpp"

namespace umov::eqs {

#ifdef UMOV_METIS
namespace {

/// Meshes of more elements are cut along groups of neighbours: METIS takes a microsecond an element and more,
/// on one core.
constexpr std::size_t most_alone = 200000;
constexpr std::size_t groups_a_rank = 2000, fewest_groups = 50000;

[[noreturn]] void fail(int answer, int ranks) {
  throw MachineFailure("METIS could not cut the mesh into " + std::to_string(ranks) + " parts (" +
                       (answer == METIS_ERROR_MEMORY ? "out of memory" : "it failed") +
                       "); take fewer ranks or a coarser mesh");
}

/// A node that elements of a group have, and how many of them.
struct NodeOfGroup {
  int node, corners;
};
/// Of each group of `size` elements in this order.
std::vector<std::vector<NodeOfGroup>> nodes_of_groups(const mesh::TetMesh& mesh,
                                                      const std::vector<int>& order, std::size_t size,
                                                      std::size_t groups) {
  std::vector<std::vector<NodeOfGroup>> out(groups);
#pragma omp parallel
  {
    std::vector<int> place(mesh.nodes.size(), 0);  // in the list of the group that met it last
    std::vector<NodeOfGroup> list;
#pragma omp for schedule(dynamic, 64)
    for (std::size_t g = 0; g < groups; ++g) {
      list.clear();
      for (std::size_t i = g * size; i < std::min(order.size(), (g + 1) * size); ++i)
        for (const int n : mesh.tets[std::size_t(order[i])]) {
          int& at = place[std::size_t(n)];
          if (at >= int(list.size()) || list[std::size_t(at)].node != n) {
            at = int(list.size());
            list.push_back({n, 0});
          }
          ++list[std::size_t(at)].corners;
        }
      out[g] = list;
    }
  }
  return out;
}

/// Groups that share nodes, an edge for each pair, as heavy as the corners that one has in nodes of the
/// other.
ranks::Graph graph_of(const mesh::TetMesh& mesh, const std::vector<int>& order, std::size_t size,
                      std::size_t groups) {
  const std::size_t nodes = mesh.nodes.size();
  const auto nodes_of = nodes_of_groups(mesh, order, size, groups);
  // per node the groups that meet there, ascending
  std::vector<int> first(nodes + 1, 0);
  for (const auto& list : nodes_of)
    for (const NodeOfGroup& n : list) ++first[std::size_t(n.node) + 1];
  for (std::size_t n = 0; n < nodes; ++n) first[n + 1] += first[n];
  std::vector<int> at(first.begin(), first.end() - 1), meet(std::size_t(first.back()));
  for (std::size_t g = 0; g < groups; ++g)
    for (const NodeOfGroup& n : nodes_of[g]) meet[std::size_t(at[std::size_t(n.node)]++)] = int(g);

  std::vector<std::vector<std::pair<int, int>>> edges(groups);  // neighbour, weight
#pragma omp parallel
  {
    std::vector<int> weight(groups, 0), touched;
#pragma omp for schedule(dynamic, 64)
    for (std::size_t g = 0; g < groups; ++g) {
      for (const NodeOfGroup& n : nodes_of[g])
        for (int k = first[std::size_t(n.node)]; k < first[std::size_t(n.node) + 1]; ++k) {
          const int other = meet[std::size_t(k)];
          if (other == int(g)) continue;
          if (weight[std::size_t(other)] == 0) touched.push_back(other);
          weight[std::size_t(other)] += n.corners;
        }
      std::sort(touched.begin(), touched.end());
      for (const int other : touched)
        edges[g].emplace_back(other, std::exchange(weight[std::size_t(other)], 0));
      touched.clear();
    }
  }
  ranks::Graph out;
  for (std::size_t g = 0; g < groups; ++g) {
    for (const auto& [other, weight] : edges[g]) {
      // METIS wants the same weight both ways
      const auto& back = edges[std::size_t(other)];
      const auto found = std::lower_bound(back.begin(), back.end(), std::pair(int(g), 0));
      out.neighbour.push_back(other), out.edge_weight.push_back(weight + found->second);
    }
    out.start.push_back(int(out.neighbour.size()));
  }
  return out;
}

std::vector<int> part_groups(const mesh::TetMesh& mesh, int ranks) {
  const std::size_t count = mesh.tets.size();
  const std::size_t size =
      std::max<std::size_t>(1, count / std::max(fewest_groups, groups_a_rank * std::size_t(ranks)));
  const std::size_t groups = (count + size - 1) / size;
  const auto order = mesh::centroid_order(mesh.nodes, mesh.tets, mesh::bounding_box(mesh.nodes));
  ranks::Graph graph = graph_of(mesh, order, size, groups);
  graph.vertex_weight.assign(groups, int(size));
  graph.vertex_weight.back() = int(count - (groups - 1) * size);
  const auto of_group = ranks::part_graph(std::move(graph), ranks);
  std::vector<int> out(count);
  for (std::size_t i = 0; i < count; ++i) out[std::size_t(order[i])] = of_group[i / size];
  return out;
}

}  // namespace
#endif

std::vector<int> part_elements(const mesh::TetMesh& mesh, int ranks) {
  const index_t count = index_t(mesh.tets.size());
  std::vector<int> part(mesh.tets.size(), 0);
  if (ranks == 1) return part;
#ifdef UMOV_METIS
  if (count < 8 * ranks) {
    const auto borders = comm::even_parts(count, ranks);
    for (index_t e = 0; e < count; ++e) part[std::size_t(e)] = comm::rank_of(borders, e);
    return part;
  }
  if (mesh.tets.size() > most_alone) return part_groups(mesh, ranks);
  static_assert(sizeof(idx_t) == sizeof(int), "this METIS has other numbers than int");
  idx_t options[METIS_NOPTIONS];
  METIS_SetDefaultOptions(options);
  options[METIS_OPTION_SEED] = 1;
  options[METIS_OPTION_NUMBERING] = 0;
  idx_t elements = idx_t(count), nodes = idx_t(mesh.nodes.size()), common = 3, parts = ranks, cut = 0;
  std::vector<idx_t> start(mesh.tets.size() + 1), list;
  list.reserve(4 * mesh.tets.size());
  for (std::size_t e = 0; e < mesh.tets.size(); ++e) {
    start[e] = idx_t(list.size());
    list.insert(list.end(), mesh.tets[e].begin(), mesh.tets[e].end());
  }
  start.back() = idx_t(list.size());
  std::vector<idx_t> of_node(mesh.nodes.size());
  const int answer = METIS_PartMeshDual(&elements, &nodes, start.data(), list.data(), nullptr, nullptr,
                                        &common, &parts, nullptr, options, &cut, part.data(), of_node.data());
  if (answer != METIS_OK) fail(answer, ranks);
  return part;
#else
  throw MachineFailure(
      "several ranks need the mesh cut into parts (umov was built without METIS); install libmetis-dev "
      "and build again (tools/setup.sh), or compute on one rank");
#endif
}

}  // namespace umov::eqs
