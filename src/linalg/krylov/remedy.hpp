// Remedies for a Krylov solver that did not converge: facts, which each family words.
#pragma once

#include <string>
#include <vector>

#include "core/fields.hpp"

namespace umov::krylov {

enum class Remedy { more_iterations, other_solver, double_precision, larger_epsilon, zero_start };

/// Why a solve ended without convergence, and what to try, the most promising first.
struct Diagnosis {
  std::string problem;  ///< a sentence; empty when converged
  std::vector<Remedy> remedies;
  std::vector<std::string> solvers;  ///< those that go with Remedy::other_solver
  UMOV_FIELDS(problem, remedies, solvers)
};

/// The diagnosis where the recurrence says "converged" and b - A x, computed anew, does not: rounding.
/// `highest` where no better precision exists.
Diagnosis rounding_limit(double true_residual, bool highest);

}  // namespace umov::krylov
