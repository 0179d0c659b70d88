// Disjoint sets of numbers 0 .. n - 1.
#pragma once

#include <atomic>
#include <utility>
#include <vector>

#include "core/large_memory.hpp"

namespace umov::eqs {

/// A set is known by its smallest number. Union with path halving (Tarjan and van Leeuwen 1984, J. ACM 31,
/// 245). Several threads may unite and find at a time: only roots get a parent, once, and it is smaller
/// (Anderson and Woll 1991, STOC 23, 370), so that the sets and their names do not depend on who comes first.
class DisjointSets {
 public:
  explicit DisjointSets(int n) {
    resize_large(parent_, std::size_t(n));
#pragma omp parallel for schedule(static)
    for (int a = 0; a < n; ++a) parent_[std::size_t(a)] = a;
  }
  int find(int a) {
    for (int above = parent(a); above != a;) {
      const int next = parent(above);
      if (next != above) at(a).store(next, std::memory_order_relaxed);
      a = above, above = next;
    }
    return a;
  }
  void unite(int a, int b) {
    for (;;) {
      a = find(a), b = find(b);
      if (a == b) return;
      if (a < b) std::swap(a, b);
      int root = a;
      if (at(a).compare_exchange_strong(root, b, std::memory_order_relaxed)) return;
    }
  }

 private:
  std::atomic_ref<int> at(int a) { return std::atomic_ref(parent_[std::size_t(a)]); }
  int parent(int a) { return at(a).load(std::memory_order_relaxed); }

  std::vector<int> parent_;
};

}  // namespace umov::eqs
