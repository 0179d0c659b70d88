// Real solutions of a generalised eigenvalue problem with sparse matrices, by shift and invert.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "fdtd/sources/sparse_blocks.hpp"

namespace umov::fdtd {

struct Eigenpair {
  double value;  ///< of a mode kappa^2
  Eigen::VectorXd vector;
};

/// The real solutions of S x = value T x among `wanted` nearest to a shift; of matrices up to 200 x 200 all.
/// Throws MachineFailure where S - shift T cannot be factorised.
std::vector<Eigenpair> eigenpairs(const Sparse& s, const Sparse& t, double shift, int wanted);

}  // namespace umov::fdtd
