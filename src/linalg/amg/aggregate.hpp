// Aggregates of strongly connected nodes, in three passes that give the same on every backend.
#pragma once

#include <utility>

#include "linalg/amg/independent_set.hpp"

namespace umov::amg {

/// Node -> aggregate in [0, count), in the order of the aggregates' roots; -1 for nodes without neighbours.
template <class Device>
struct Aggregates {
  int count = 0;
  typename Device::template Array<int> of_node;
};

struct StartStates {  // nodes without neighbours take no part
  const int* start;
  std::uint32_t* state;
  UMOV_HD void operator()(index_t i) const { state[i] = start[i] == start[i + 1] ? Ticket::out : 1; }
};
/// Pass 1: a root and its neighbours. Roots are at distance three, so that a node has at most one.
struct TakeNeighbours {
  const int *start, *column;
  const std::uint32_t* state;
  int* owner;
  UMOV_HD void operator()(index_t i) const {
    int root = state[i] == Ticket::chosen ? int(i) : -1;
    for (int k = start[i]; k < start[i + 1] && root < 0; ++k)
      if (state[column[k]] == Ticket::chosen) root = column[k];
    owner[i] = root;
  }
};
/// Pass 2: candidates are nodes left over with two or more neighbours that are too.
struct SecondStates {
  const int *start, *column, *owner;
  std::uint32_t* state;
  UMOV_HD void operator()(index_t i) const {
    int free = 0;
    if (owner[i] < 0)
      for (int k = start[i]; k < start[i + 1]; ++k) free += owner[column[k]] < 0;
    state[i] = free >= 2 ? 1 : Ticket::out;
  }
};
struct TakeSecond {
  const int *start, *column, *owner;
  const std::uint32_t* state;
  int* next;
  UMOV_HD void operator()(index_t i) const {
    int root = owner[i];
    if (root < 0 && state[i] == Ticket::chosen) root = int(i);
    for (int k = start[i]; k < start[i + 1] && root < 0; ++k)
      if (owner[column[k]] < 0 && state[column[k]] == Ticket::chosen) root = column[k];
    next[i] = root;
  }
};
/// Pass 3: the rest join the aggregate that most of their neighbours belong to; of equals, the first.
struct JoinRest {
  const int *start, *column, *owner;
  int* next;
  UMOV_HD void operator()(index_t i) const {
    int best = owner[i], most = 0;
    if (best < 0)
      for (int k = start[i]; k < start[i + 1]; ++k) {
        const int candidate = owner[column[k]];
        if (candidate < 0) continue;
        int votes = 0;
        for (int l = start[i]; l < start[i + 1]; ++l) votes += owner[column[l]] == candidate;
        if (votes > most || (votes == most && candidate < best)) best = candidate, most = votes;
      }
    next[i] = best;
  }
};
/// Dense rows stay alone.
template <class T>
struct OwnDense {
  sparse::CsrView<T> a;
  int dense;
  int* owner;
  UMOV_HD void operator()(index_t i) const {
    if (is_dense(a, i, dense)) owner[i] = int(i);
  }
};
struct MarkRoots {
  const int* owner;
  int* number;
  UMOV_HD void operator()(index_t i) const { number[i] = owner[i] == int(i); }
};
struct NumberNodes {
  const int *owner, *number;
  int* of_node;
  UMOV_HD void operator()(index_t i) const { of_node[i] = owner[i] < 0 ? -1 : number[owner[i]]; }
};

/// Aggregates over strong connections. Rows with more than `dense` entries become aggregates of one.
template <class Device, class T>
Aggregates<Device> aggregate(Device& dev, const Strength<T>& strong, int dense) {
  const int n = strong.a.rows;
  const Graph<Device> g = strong_graph(dev, strong, dense);
  const int *start = g.start.data(), *column = g.column.data();
  auto owner = dev.template allocate<int>(n), next = dev.template allocate<int>(n);
  {
    auto state = dev.template allocate<std::uint32_t>(n), first = dev.template allocate<std::uint32_t>(n);
    dev.for_each(n, StartStates{start, state.data()});
    independent_set(dev, g, nullptr, state.data(), first.data());
    dev.for_each(n, TakeNeighbours{start, column, state.data(), owner.data()});
    dev.for_each(n, SecondStates{start, column, owner.data(), state.data()});
    independent_set(dev, g, owner.data(), state.data(), first.data());
    dev.for_each(n, TakeSecond{start, column, owner.data(), state.data(), next.data()});
    std::swap(owner, next);
    dev.for_each(n, JoinRest{start, column, owner.data(), next.data()});
    std::swap(owner, next);
  }
  dev.for_each(n, OwnDense<T>{strong.a, dense, owner.data()});
  auto number = dev.template allocate<int>(n + 1);
  dev.fill_zero(number.data(), n + 1);
  dev.for_each(n, MarkRoots{owner.data(), number.data()});
  Aggregates<Device> out;
  out.count = int(dev.exclusive_scan(number.data(), n + 1));
  out.of_node = dev.template allocate<int>(n);
  dev.for_each(n, NumberNodes{owner.data(), number.data(), out.of_node.data()});
  return out;
}

}  // namespace umov::amg
