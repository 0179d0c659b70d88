// Solutions of a generalised eigenvalue problem with sparse matrices, by shift and invert.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "fdtd/sources/sparse_blocks.hpp"

namespace umov::fdtd {

template <class T>
struct EigenpairOf {
  T value;  ///< of a mode kappa^2
  Eigen::Matrix<T, Eigen::Dynamic, 1> vector;
};
using Eigenpair = EigenpairOf<double>;

/// The real solutions of S x = value T x among `wanted` nearest to a shift; of matrices up to 200 x 200 all.
/// `order`: the unknowns as they are best eliminated. Throws MachineFailure where S - shift T cannot be
/// factorised.
std::vector<Eigenpair> eigenpairs(const Sparse& s, const Sparse& t, double shift, int wanted,
                                  const std::vector<int>& order);

/// The same of complex matrices: `wanted` solutions, or those of them that were found, the nearest first. By
/// Arnoldi's iteration with blocks of two vectors, so that two modes of one value are both found.
std::vector<EigenpairOf<cplx>> eigenpairs(const SparseOf<cplx>& s, const SparseOf<cplx>& t, cplx shift,
                                          int wanted, const std::vector<int>& order);

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
