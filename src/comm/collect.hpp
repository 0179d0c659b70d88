// Small things of all ranks: sums, maxima, votes, lists gathered and spread, in host memory.
#pragma once

#include <algorithm>
#include <cstring>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "comm/communicator.hpp"

namespace umov::comm {

/// What every rank has given, in the order of the ranks.
template <class T>
std::vector<T> all_gather(Communicator& comm, const T& mine) {
  static_assert(std::is_trivially_copyable_v<T>);
  std::vector<T> all(std::size_t(comm.size()));
  comm.all_gather(&mine, sizeof(T), all.data());
  return all;
}

/// Pairwise sum over the ranks of n numbers each (ranks.size() = size() * n, rank by rank): an order that the
/// number of ranks alone decides.
template <class T>
void sum_by_rank(T* ranks, int size, std::size_t n) {
  for (int left = size; left > 1; left = (left + 1) / 2) {
    const int half = (left + 1) / 2;
    for (int r = 0; r + half < left; ++r)
      for (std::size_t i = 0; i < n; ++i)
        ranks[std::size_t(r) * n + i] += ranks[std::size_t(r + half) * n + i];
  }
}

/// Each of the values becomes its sum over the ranks: the same bits on every rank, and from run to run on one
/// number of ranks.
template <class T>
void sum(Communicator& comm, std::span<T> values) {
  if (comm.size() == 1) return;
  std::vector<T> all(values.size() * std::size_t(comm.size()));
  comm.all_gather(values.data(), values.size_bytes(), all.data());
  sum_by_rank(all.data(), comm.size(), values.size());
  std::copy_n(all.begin(), values.size(), values.begin());
}
template <class T>
T sum(Communicator& comm, T value) {
  sum(comm, std::span<T>(&value, 1));
  return value;
}

/// The greatest, and the least, of the ranks' values.
template <class T>
T max(Communicator& comm, const T& value) {
  return std::ranges::max(all_gather(comm, value));
}
template <class T>
T min(Communicator& comm, const T& value) {
  return std::ranges::min(all_gather(comm, value));
}

/// Whether any rank says so (a request to stop, say): all get the same answer, and can act on it together.
inline bool any(Communicator& comm, bool mine) { return comm.size() == 1 ? mine : max(comm, int(mine)) != 0; }
inline bool all(Communicator& comm, bool mine) { return !any(comm, !mine); }

/// The lists of all ranks on rank `root`, one behind another; empty elsewhere. `counts` gets their lengths
/// there.
template <class T>
std::vector<T> gather(Communicator& comm, std::span<const T> mine, int root = 0,
                      std::vector<std::size_t>* counts = nullptr) {
  static_assert(std::is_trivially_copyable_v<T>);
  const auto lengths = all_gather(comm, mine.size());
  std::vector<T> out;
  std::vector<In> ins;
  if (comm.rank() == root) {
    std::size_t total = 0;
    for (const auto n : lengths) total += n;
    out.resize(total);
    std::size_t at = 0;
    for (int r = 0; r < comm.size(); at += lengths[std::size_t(r)], ++r)
      ins.push_back(in(r, out.data() + at, lengths[std::size_t(r)]));
  }
  const Out sent = comm::out(root, mine.data(), mine.size());
  comm.exchange({&sent, 1}, ins);
  if (counts) *counts = comm.rank() == root ? lengths : std::vector<std::size_t>();
  return out;
}

/// The list of rank `root`, on all ranks.
template <class T>
void broadcast(Communicator& comm, std::vector<T>& list, int root = 0) {
  static_assert(std::is_trivially_copyable_v<T>);
  if (comm.size() == 1) return;
  list.resize(all_gather(comm, list.size())[std::size_t(root)]);
  std::vector<Out> outs;
  std::vector<In> ins;
  if (comm.rank() == root) {
    for (int r = 0; r < comm.size(); ++r)
      if (r != root) outs.push_back(out(r, list.data(), list.size()));
  } else {
    ins.push_back(in(root, list.data(), list.size()));
  }
  comm.exchange(outs, ins);
}
inline void broadcast(Communicator& comm, std::string& text, int root = 0) {
  std::vector<char> list(text.begin(), text.end());
  broadcast(comm, list, root);
  text.assign(list.begin(), list.end());
}

/// Calls `act` on one rank after another, in their order: for what only one may do at a time.
template <class Act>
void in_turn(Communicator& comm, const Act& act) {
  for (int r = 0; r < comm.size(); ++r) {
    if (r == comm.rank()) act();
    comm.barrier();
  }
}

}  // namespace umov::comm
