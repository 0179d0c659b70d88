// How the multigrid preconditioner and the iteration around it are set up.
#pragma once

#include <string>
#include <vector>

#include "core/types.hpp"

namespace umov::amg {

enum class Smoother { jacobi, chebyshev };

/// Smoothed aggregation (Vanek, Mandel, Brezina 1996, Computing 56, 179) in V-cycles.
struct Options {
  double strength = 0.02;  ///< theta: a_ij is strong where a_ij^2 > theta^2 a_ii a_jj; times 1/2 per level
  Smoother smoother = Smoother::chebyshev;
  int degree = 2;               ///< of the Chebyshev polynomial; Jacobi: sweeps
  double eigenvalue_ratio = 0;  ///< Chebyshev: largest over smallest eigenvalue to damp; 0 = default
  int coarsest = 0;             ///< unknowns at which coarsening ends; 0 = default
  int max_levels = 25;
  bool single_precision = true;  ///< the preconditioner's arithmetic; the iteration is in double
  bool stiff_rows = true;        ///< a longer polynomial on rows of flat elements (stiff_part.hpp)
};

/// What is done with the hierarchy when the matrix has changed (Richter 2019, section 6.1).
enum class Refresh {
  finest,    ///< the current matrix on the finest level, coarse levels kept
  galerkin,  ///< prolongations kept, all products redone
  all        ///< as the first time
};

struct LevelInfo {
  int unknowns = 0;
  index_t entries = 0;
  int stiff = 0;  ///< rows with a polynomial of their own (stiff_part.hpp)
};

struct SetupInfo {
  std::vector<LevelInfo> levels;
  double operator_complexity = 0, grid_complexity = 0;
  double seconds = 0;
  std::size_t bytes = 0;
};

/// What kept a linear solve from converging.
enum class Failure {
  none,
  iteration_limit,
  stagnated,                    ///< the residual does not fall any more: rounding
  matrix_not_definite,          ///< p . A p <= 0 was met
  preconditioner_not_definite,  ///< r . z <= 0 was met
  not_a_number,                 ///< NaN or infinity in matrix, right-hand side or iteration
  range_of_double,              ///< x is beyond or below what a double holds
  inconsistent,                 ///< b has a part that no A x reaches
  singular,                     ///< to within the digits of A
  inexact,                      ///< the residual is small, and x is wrong
  tolerance_unreachable         ///< x is exact, and its rounding to double alone makes a larger residual
};

/// How a linear solve went.
struct SolveInfo {
  int iterations = 0;
  double residual = 0;  ///< |b - A x| / |b|: formed anew where PcgSettings::verify is set
  double start = 1;     ///< the same of the vector that the iteration began with
  bool converged = false;
  double seconds = 0;
  Failure failure = Failure::none;  ///< when not converged
  std::string why_not;              ///< the same as a fact in words, with numbers

  void fail(Failure f, const std::string& why) { converged = false, failure = f, why_not = why; }
  void succeed() { converged = true, failure = Failure::none, why_not.clear(); }
};

}  // namespace umov::amg
