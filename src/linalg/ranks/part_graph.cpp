#include "linalg/ranks/part_graph.hpp"

#ifdef UMOV_METIS
#include <metis.h>
#endif

#include <string>

#include "core/error.hpp"

namespace umov::ranks {

#ifdef UMOV_METIS

const bool can_part_graphs = true;

std::vector<int> part_graph(Graph graph, int parts) {
  static_assert(sizeof(idx_t) == sizeof(int), "this METIS has other numbers than int");
  idx_t options[METIS_NOPTIONS];
  METIS_SetDefaultOptions(options);
  options[METIS_OPTION_SEED] = 1;
  options[METIS_OPTION_NUMBERING] = 0;
  idx_t vertices = idx_t(graph.start.size()) - 1, constraints = 1, count = parts, cut = 0;
  const auto or_one = [](std::vector<int>& weight) { return weight.empty() ? nullptr : weight.data(); };
  std::vector<int> part(std::size_t(vertices), 0);
  const int answer = METIS_PartGraphKway(&vertices, &constraints, graph.start.data(), graph.neighbour.data(),
                                         or_one(graph.vertex_weight), nullptr, or_one(graph.edge_weight),
                                         &count, nullptr, nullptr, options, &cut, part.data());
  if (answer != METIS_OK)
    throw MachineFailure(
        "METIS could not cut " + std::to_string(vertices) + " vertices into " + std::to_string(parts) +
        " parts (" + (answer == METIS_ERROR_MEMORY ? "out of memory" : "it failed") + "); take fewer ranks");
  return part;
}

#else

const bool can_part_graphs = false;

std::vector<int> part_graph(Graph, int) {
  throw MachineFailure(
      "a graph cannot be cut into parts (umov was built without METIS); install libmetis-dev and build again "
      "(tools/setup.sh), or compute on one rank");
}

#endif

}  // namespace umov::ranks
