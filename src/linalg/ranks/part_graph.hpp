// Graphs cut into parts of equal weight with few edges between them.
#pragma once

#include <vector>

namespace umov::ranks {

/// Neighbours of vertex v: neighbour[start[v] .. start[v + 1]], without v; each edge stands with both its
/// ends, and has the same weight there.
struct Graph {
  std::vector<int> start{0}, neighbour;
  std::vector<int> vertex_weight, edge_weight;  ///< empty: all weigh 1
};

/// Whether umov was built with METIS.
extern const bool can_part_graphs;

/// The part of each vertex: METIS (Karypis and Kumar 1998, SIAM J. Sci. Comput. 20, 359), always the same for
/// the same graph. Throws MachineFailure where METIS gives up or is not there.
std::vector<int> part_graph(Graph graph, int parts);

}  // namespace umov::ranks
