// One rank's share of a problem: what it owns, what it sees of others.
#pragma once

#include <memory>
#include <vector>

#include "linalg/ranks/ranked_csr.hpp"

namespace umov::eqs {

/// Where the ranks' own things lie in the whole problem: lists of all ranks, one behind another. Of rank 0.
struct WholeMap {
  std::vector<std::size_t> unknown_count, node_count, element_count;  ///< by rank
  std::vector<int> unknown, node, element;                            ///< numbers in the whole problem
  std::size_t unknowns = 0, nodes = 0, elements = 0;
};

/// In a problem that is a rank's share, unknowns [0, unknowns) are its own, [0, vertex_unknowns) of mesh
/// nodes among them, and those up to Problem::unknowns belong to others (ghosts); elements [0, elements) are
/// its own, the others are there because rows of its own unknowns need them. An electrode's unknown that the
/// rank does not see is Problem::unknowns or more.
struct RankShare {
  int rank = 0, ranks = 1;
  int unknowns = 0, vertex_unknowns = 0, elements = 0;
  std::vector<ranks::Owned> ghosts;         ///< owners of the ghosts, ascending
  std::vector<comm::Neighbour> neighbours;  ///< for the ghosts' values
  std::vector<int> own_node;                ///< space nodes whose values this rank reports
  std::vector<ranks::RankedCsr> nested;     ///< prolongations of the first levels
  bool bodies = false;                      ///< whether the whole problem has bases (Problem::base)
  std::vector<int>
      over;  ///< per floating electrode in a body, its base; else no_unknown (FloatingElectrodes)
  std::shared_ptr<const WholeMap> whole;  ///< rank 0's alone
};

}  // namespace umov::eqs
