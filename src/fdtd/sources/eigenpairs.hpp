// Solutions of a generalised eigenvalue problem with sparse matrices, by shift and invert.
#pragma once

#include <Eigen/Core>
#include <limits>
#include <vector>

#include "fdtd/sources/sparse_blocks.hpp"

namespace umov::fdtd {

template <class T>
struct EigenpairOf {
  T value;  ///< of a mode kappa^2
  Eigen::Matrix<T, Eigen::Dynamic, 1> vector;
};
using Eigenpair = EigenpairOf<double>;

/// How many of the solutions nearest to a shift (more where others equal the last), and the value below which
/// they are of no use: where one of those is the next, the search ends.
struct Wanted {
  int count = 1;
  double least = -std::numeric_limits<double>::infinity();
};

/// The real ones of the wanted solutions of S x = value T x; of matrices up to 100 x 100 all. `order`: the
/// unknowns as they are best eliminated. By Arnoldi's iteration with blocks of two vectors, so that both
/// modes of one value are found. Throws MachineFailure where S - shift T cannot be factorised.
std::vector<Eigenpair> eigenpairs(const Sparse& s, const Sparse& t, double shift, const Wanted&,
                                  const std::vector<int>& order);

/// The same of complex matrices, the nearest first.
std::vector<EigenpairOf<cplx>> eigenpairs(const SparseOf<cplx>& s, const SparseOf<cplx>& t, cplx shift,
                                          const Wanted&, const std::vector<int>& order);

/// The product of A and B without the entries that cancel: of the two curls in a row nothing but rounding is
/// left, in three of four entries.
template <class T>
SparseOf<T> product(const SparseOf<T>& a, const SparseOf<T>& b) {
  SparseOf<T> all = a * b;
  double largest = 0;
  for (Eigen::Index i = 0; i < all.nonZeros(); ++i) largest = std::max(largest, std::abs(all.valuePtr()[i]));
  all.prune([&](Eigen::Index, Eigen::Index, const T& value) { return std::abs(value) > 1e-14 * largest; });
  return all;
}

}  // namespace umov::fdtd
