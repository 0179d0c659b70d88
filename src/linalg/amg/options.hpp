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
};

struct SetupInfo {
  std::vector<LevelInfo> levels;
  double operator_complexity = 0, grid_complexity = 0;
  double seconds = 0;
  std::size_t bytes = 0;
};

/// How a linear solve went.
struct SolveInfo {
  int iterations = 0;
  double residual = 0;  ///< |b - A x| / |b|: formed anew where PcgSettings::verify is set
  bool converged = false;
  double seconds = 0;
  std::string why_not;                     ///< when not converged
  bool indefinite_preconditioner = false;  ///< that is why
};

}  // namespace umov::amg
