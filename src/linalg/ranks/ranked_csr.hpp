// Rows of a sparse matrix that lie with several ranks, in host memory: transposes and products across them.
#pragma once

#include <compare>
#include <vector>

#include "comm/collect.hpp"
#include "comm/halo.hpp"
#include "linalg/sparse/csr.hpp"

namespace umov::ranks {

/// Row or column `index` of rank `rank`.
struct Owned {
  int rank = 0, index = 0;
  auto operator<=>(const Owned&) const = default;
};

/// This rank's rows. Columns [0, own_columns) are this rank's own, column own_columns + g is ghosts[g] of
/// another one; ascending in each row.
struct RankedCsr {
  sparse::HostCsr rows;
  int own_columns = 0;
  std::vector<Owned> ghosts;                ///< ascending
  std::vector<comm::Neighbour> neighbours;  ///< what a vector of the columns exchanges for them, by rank
};

/// Who sends what so that every rank gets the values at its `ghosts` (ascending, none of its own). Of every
/// rank.
std::vector<comm::Neighbour> find_neighbours(comm::Communicator&, const std::vector<Owned>& ghosts);

/// The neighbours' values at the ghosts. Of every rank.
template <class T>
std::vector<T> at_ghosts(comm::Communicator& comm, const std::vector<comm::Neighbour>& neighbours,
                         const std::vector<T>& own) {
  std::vector<std::vector<T>> sent;
  std::size_t count = 0;
  for (const auto& n : neighbours) {
    auto& list = sent.emplace_back();
    for (const int i : n.sent) list.push_back(own[std::size_t(i)]);
    count += std::size_t(n.received);
  }
  std::vector<T> out(count);
  std::vector<comm::Out> outs;
  std::vector<comm::In> ins;
  T* to = out.data();
  for (std::size_t k = 0; k < neighbours.size(); ++k) {
    outs.push_back(comm::out(neighbours[k].rank, sent[k].data(), sent[k].size()));
    ins.push_back(comm::in(neighbours[k].rank, to, std::size_t(neighbours[k].received)));
    to += neighbours[k].received;
  }
  comm.exchange(outs, ins);
  return out;
}

/// The rows of `rank` of a whole matrix, without neighbours; `row_of`, `column_of`: the owner of each row and
/// column, which keeps the order of its own.
RankedCsr cut_rows(const sparse::HostCsr& whole, const std::vector<int>& row_of,
                   const std::vector<int>& column_of, int rank, int ranks);

/// A B: rows of B that belong to ghosts of A come from their owners. The same bits from run to run on one
/// number of ranks. Of every rank; `threads` of each.
RankedCsr multiply(comm::Communicator&, const RankedCsr& a, const RankedCsr& b, int threads);

/// A^T: entries at ghosts go to the ranks that have those rows then. Of every rank.
RankedCsr transpose(comm::Communicator&, const RankedCsr& a);

/// The whole matrix on rank `root` (empty elsewhere), rows and columns rank by rank. Of every rank.
sparse::HostCsr gather(comm::Communicator&, const RankedCsr& a, int root = 0);

}  // namespace umov::ranks
