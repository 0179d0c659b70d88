// Lists of one rank for each of the others.
#pragma once

#include <vector>

#include "comm/collect.hpp"

namespace umov::comm {

/// What rank `root` has for this rank: to[rank()] there. Elsewhere `to` is not looked at. Of every rank.
template <class T>
std::vector<T> scatter(Communicator& comm, const std::vector<std::vector<T>>& to, int root = 0) {
  static_assert(std::is_trivially_copyable_v<T>);
  const bool gives = comm.rank() == root;
  std::vector<std::size_t> lengths;
  if (gives)
    for (const auto& list : to) lengths.push_back(list.size());
  broadcast(comm, lengths, root);
  std::vector<T> mine(lengths[std::size_t(comm.rank())]);
  std::vector<Out> outs;
  if (gives)
    for (int r = 0; r < comm.size(); ++r)
      outs.push_back(out(r, to[std::size_t(r)].data(), lengths[std::size_t(r)]));
  const In received = in(root, mine.data(), mine.size());
  comm.exchange(outs, {&received, 1});
  return mine;
}

}  // namespace umov::comm
