// How every backend sums: fixed blocks, then a pairwise tree, so that the bits do not depend on threads.
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>
#include <vector>

#include "core/complex.hpp"
#include "core/types.hpp"

namespace umov::backend {

/// Sums that decide convergence are kept in double, or in long double for long double vectors.
template <class T>
using Accumulator = std::conditional_t<std::is_same_v<T, long double>, long double, double>;

/// K running sums of one reduction; functors add to `v`.
template <class A, int K>
struct Sums {
  A v[K];
};

/// Bits of a number >= 0 or NaN that compare as the numbers do, NaN above infinity.
UMOV_HD inline std::uint64_t ordered_bits(double v) {
  std::uint64_t bits = 0;
  memcpy(&bits, &v, sizeof v);
  return bits;
}
inline double from_ordered_bits(std::uint64_t bits) {
  double v = 0;
  std::memcpy(&v, &bits, sizeof v);
  return v;
}

/// Elements one thread adds up in order before the pairwise tree takes over.
inline constexpr index_t reduce_block = 1024;

/// Pairwise sum of partial sums (error grows with log n instead of n; Higham 1993).
template <class A, int K>
Sums<A, K> pairwise(std::vector<Sums<A, K>>& partial) {
  std::size_t n = partial.size();
  if (n == 0) return Sums<A, K>{};
  while (n > 1) {
    const std::size_t half = (n + 1) / 2;
    for (std::size_t i = 0; i + half < n; ++i)
      for (int k = 0; k < K; ++k) partial[i].v[k] += partial[i + half].v[k];
    n = half;
  }
  return partial[0];
}

}  // namespace umov::backend
