// Rows of a sparse matrix that lie with several ranks: whose they are, what is exchanged for them; in host
// memory.
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

/// Columns of this rank's rows: [0, own_columns) are its own, own_columns + g is ghosts[g] of another one.
struct RankedColumns {
  int own_columns = 0;
  std::vector<Owned> ghosts;                ///< ascending
  std::vector<comm::Neighbour> neighbours;  ///< what a vector of the columns exchanges for them, by rank
  int columns() const { return own_columns + int(ghosts.size()); }
};

/// This rank's rows; columns ascend in each.
struct RankedCsr : RankedColumns {
  sparse::HostCsr rows;
};

/// The local number of a column: its own, or own_columns and its place among the ghosts.
struct Numbering {
  int rank, own_columns;
  const std::vector<Owned>& ghosts;
  int operator()(const Owned& c) const;
};

/// Ascending, each once.
void sort_unique(std::vector<Owned>& list);

/// What column `column` is to all ranks.
inline Owned owned_column(const RankedColumns& a, int rank, int column) {
  return column < a.own_columns ? Owned{rank, column} : a.ghosts[std::size_t(column - a.own_columns)];
}

/// Lists for every rank, against those that every rank has for this one, by rank. Of every rank.
template <class T>
std::vector<std::vector<T>> exchange_lists(comm::Communicator& comm, const std::vector<std::vector<T>>& to) {
  const std::size_t size = std::size_t(comm.size());
  std::vector<int> counts(size), all(size * size);
  for (std::size_t r = 0; r < size; ++r) counts[r] = int(to[r].size());
  comm.all_gather(counts.data(), size * sizeof(int), all.data());
  std::vector<std::vector<T>> from(size);
  std::vector<comm::Out> outs;
  std::vector<comm::In> ins;
  for (std::size_t r = 0; r < size; ++r) {
    from[r].resize(std::size_t(all[r * size + std::size_t(comm.rank())]));
    outs.push_back(comm::out(int(r), to[r].data(), to[r].size()));
    ins.push_back(comm::in(int(r), from[r].data(), from[r].size()));
  }
  comm.exchange(outs, ins);
  return from;
}

/// Who sends what so that every rank gets the values at its `ghosts` (ascending, none of its own). Of every
/// rank.
std::vector<comm::Neighbour> find_neighbours(comm::Communicator&, const std::vector<Owned>& ghosts);

/// What the neighbours have packed for this rank, of as many values each as its list of `neighbours` says,
/// for `packed`, the lists of what they get one behind another. Of every rank.
template <class T>
std::vector<T> exchange_packed(comm::Communicator& comm, const std::vector<comm::Neighbour>& neighbours,
                               const std::vector<T>& packed) {
  std::size_t count = 0;
  for (const auto& n : neighbours) count += std::size_t(n.received);
  std::vector<T> out(count);
  std::vector<comm::Out> outs;
  std::vector<comm::In> ins;
  const T* from = packed.data();
  T* to = out.data();
  for (const auto& n : neighbours) {
    outs.push_back(comm::out(n.rank, from, n.sent.size()));
    ins.push_back(comm::in(n.rank, to, std::size_t(n.received)));
    from += n.sent.size(), to += n.received;
  }
  comm.exchange(outs, ins);
  return out;
}

/// The neighbours' values at the ghosts. Of every rank.
template <class T>
std::vector<T> at_ghosts(comm::Communicator& comm, const std::vector<comm::Neighbour>& neighbours,
                         const std::vector<T>& own) {
  std::vector<T> packed;
  for (const auto& n : neighbours)
    for (const int i : n.sent) packed.push_back(own[std::size_t(i)]);
  return exchange_packed(comm, neighbours, packed);
}

/// The rows of `rank` of a whole matrix, without neighbours; `row_of`, `column_of`: the owner of each row and
/// column, which keeps the order of its own.
RankedCsr cut_rows(const sparse::HostCsr& whole, const std::vector<int>& row_of,
                   const std::vector<int>& column_of, int rank, int ranks);

}  // namespace umov::ranks
