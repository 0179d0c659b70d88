// A problem cut into shares of ranks: elements by a graph partitioner, unknowns with their elements.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "comm/communicator.hpp"
#include "eqs/model/rank_share.hpp"
#include "eqs/problem.hpp"

namespace umov::eqs {

/// The rank of each element: METIS (Karypis and Kumar 1998, SIAM J. Sci. Comput. 20, 359) on the graph of
/// elements that share a face, of equal shares and little surface, always the same for the same mesh. Of more
/// than 200,000 elements groups of neighbours along a Morton curve are dealt out, by the graph of groups that
/// share nodes. With fewer than eight elements a rank, stretches of the elements in their order. Throws
/// MachineFailure where umov was built without METIS.
std::vector<int> part_elements(const mesh::TetMesh&, int ranks);

/// Whole problem and parts -> what each rank gets.
class Cut {
 public:
  Cut(const Problem& whole, std::vector<int> rank_of_element, int ranks);

  /// The share of a rank, but for its neighbours, which take() finds.
  Problem share(int rank) const;
  const std::shared_ptr<const WholeMap>& map() const { return map_; }
  /// Elements that a rank has, those of others that its rows need among them.
  std::size_t elements(int rank) const {
    return own_elements_[std::size_t(rank)].size() + more_elements_[std::size_t(rank)].size();
  }
  int unknowns(int rank) const { return int(own_unknowns_[std::size_t(rank)].size()); }

 private:
  void find_owners();
  void deal_out();
  void cut_nested(RankShare&) const;

  const Problem& whole_;
  int ranks_;
  std::vector<int> rank_of_element_, owner_, index_;  // of unknowns: rank, and number there
  std::vector<std::vector<int>> own_unknowns_, own_elements_, own_nodes_, more_elements_;
  std::vector<sparse::HostCsr> nested_;
  std::vector<std::vector<int>> level_owner_;  // of the unknowns of the level below each of these
  std::shared_ptr<const WholeMap> map_;
};

/// The rank's share of rank 0's problem (nullptr elsewhere). Of every rank.
Problem take_share(comm::Communicator&, const Problem* whole);

}  // namespace umov::eqs
