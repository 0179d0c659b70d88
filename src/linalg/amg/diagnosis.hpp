// What is wrong with a matrix that conjugate gradients did not solve.
#pragma once

#include <optional>

#include "linalg/amg/scaling.hpp"
#include "linalg/amg/solver.hpp"

namespace umov::amg {

/// A vector v with sign v . A v < 0, by its Rayleigh quotient and its largest element.
struct NegativeCurvature {
  double quotient;  ///< v . A v / v . v, of sign A
  int largest;
};

/// Conjugate gradients with Jacobi's preconditioner meet such a v where there is one, if they get far enough:
/// at most 1000 products. v . A v is formed in extended precision, and beyond what rounding of A's entries
/// explains.
std::optional<NegativeCurvature> negative_curvature(const sparse::HostCsr& a, int sign);

/// Estimate of the condition number of A scaled to unit diagonal, from inverse iteration with a solver that
/// was set up with scaling.matrix(); 0 where that fails.
double condition_number(const Scaling& scaling, LinearSolver& solver, int max_iterations);

}  // namespace umov::amg
