// Disjoint sets of numbers 0 .. n - 1.
#pragma once

#include <algorithm>
#include <numeric>
#include <vector>

namespace umov::eqs {

/// A set is known by its smallest number. Union with path halving (Tarjan and van Leeuwen 1984, J. ACM 31,
/// 245).
class DisjointSets {
 public:
  explicit DisjointSets(int n) : parent_(std::size_t(n)) { std::iota(parent_.begin(), parent_.end(), 0); }
  int find(int a) {
    while (parent_[a] != a) a = parent_[a] = parent_[parent_[a]];
    return a;
  }
  void unite(int a, int b) {
    a = find(a), b = find(b);
    if (a != b) parent_[std::max(a, b)] = std::min(a, b);
  }

 private:
  std::vector<int> parent_;
};

}  // namespace umov::eqs
