// Romberg and trapezoid averages over one and two angles, with the bracketing error estimate.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace umov::dda {

/// How one variable is sampled: 2^jmax equal intervals of [lower, upper], halved step by step.
struct RombergAxis {
  double lower = 0, upper = 1;  ///< of the variable of integration (cosine, or radians)
  int jmin = 1, jmax = 1;       ///< stages of refinement: least before a test of eps, and most
  double eps = 0;               ///< relative error to reach
  bool equivalent = false;      ///< both ends have the same value, so the upper one is not sampled
  bool periodic = false;        ///< trapezoid rule: it converges faster than its extrapolation
  std::size_t intervals = 2;    ///< 2^jmax, or 0 for a single point
  /// As the inner axis of a periodic average: its points are taken twice, the second time shifted by
  /// `shift_of_check` of the range (index + intervals), and the two sums are compared. What has n-fold
  /// symmetry gives halves of one set of points the same values, but no shift by sevenths of their distances.
  bool checked = false;
};

/// Of the range. At every stage it is a number of sevenths of the distance of the N points and no whole one,
/// so that the difference of both sums vanishes only where harmonics of 7 N alone are left.
inline constexpr double shift_of_check = 5.0 / 14;

/// Averages blocks of `block` values tabulated at the points of the axis (block by block in `data`); all are
/// used. Returns the relative root-mean-square error over the block.
/// Davis and Rabinowitz, Methods of numerical integration (1975), secs. 2.9 and 6.3; error pp. 330-331.
double romberg_average(const RombergAxis& axis, std::size_t block, std::span<const double> data,
                       std::span<double> result);

inline constexpr double slowest_fall = 1.0 / 64;

/// Values at point (outer, inner) of the axes.
using Integrand = std::function<void(std::size_t outer, std::size_t inner, std::span<double> value)>;

/// Points (outer, inner) that will be asked for, in whatever order: for integrands that gain from knowing.
using Announcement = std::function<void(std::span<const std::array<std::size_t, 2>>)>;

struct Romberg2dRequest {
  RombergAxis outer, inner;
  std::string outer_name = "THETA", inner_name = "PHI";  ///< for the log
  std::size_t block = 1;
  bool single_at_poles = false;  ///< one inner point suffices where the outer cosine is -1 or 1
  Announcement announce;         ///< may be empty
};

struct Romberg2dResult {
  std::vector<double> value;            ///< [block] averages
  double error = 0;                     ///< relative, of the first value
  std::vector<double> absolute_errors;  ///< [block] of all values, by the same estimate
  bool converged = true;                ///< the outer integration
  std::size_t inner_failures = 0, evaluations = 0;
  std::string log;  ///< what ADDA writes to its log_int and log_orient_avg files
};

/// Average over both axes, refined adaptively until the first value converges.
/// With an inner axis that is `checked` the error is the difference of the sums over both sets of points: of
/// one harmonic of amplitude a it is 0.38 a to 1.9 a by the stage, and at most a is left in their mean; and
/// the outer error counts as no less than `slowest_fall` of that of the stage before: differences that cross
/// zero are no convergence.
Romberg2dResult romberg_average_2d(const Romberg2dRequest& request, const Integrand& integrand);

}  // namespace umov::dda
