// Diagnosis of a matrix that conjugate gradients did not solve.
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

/// The least eigenvalue of A scaled to unit diagonal, met from above, and its vector.
struct Softest {
  double condition = 0;  ///< largest over least eigenvalue; 0 where none was found
  sparse::Wide vector;   ///< v of A itself; v . A v / |S^-1 v|^2 is the least eigenvalue
  /// v . A v over what the magnitudes of A's entries make of it: below some 1e-15 rounding of A's entries
  /// hides it.
  double cancelled = 1;
};

/// By inverse iteration with a solver that was set up with scaling.matrix(), orthogonal to `null_in_scaled`.
/// `thorough`: begins with what the solver leaves of A x = A y, which holds vectors that A maps to nearly
/// zero.
Softest softest(const Scaling& scaling, LinearSolver& solver,
                const std::vector<std::vector<double>>& null_in_scaled, bool thorough, int max_iterations);

}  // namespace umov::amg
