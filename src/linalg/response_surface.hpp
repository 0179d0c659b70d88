// Surfaces through scattered responses: least squares and radial basis functions, what they are worth at
// points left out, and where they are least.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace umov::linalg {

/// Polynomials of all products up to the first, second and third degree (Box and Wilson 1951); sums of |x -
/// x_i|^3 over all points and a linear polynomial (Duchon 1977), which go through every response.
enum class SurfaceKind { linear, quadratic, cubic, rbf };
const char* surface_name(SurfaceKind);

/// Points [n][d], every coordinate within -1 to 1.
using SurfacePoints = std::vector<std::vector<double>>;

/// How well a surface tells its own responses, and those of points that it was not fitted to: each point left
/// out in turn (for least squares by its leverage, Allen 1974; for radial basis functions by Rippa 1999).
struct SurfaceQuality {
  double r_squared = 0;     ///< 1 - sum of squared residuals over that of deviations from the mean
  double cv_r_squared = 0;  ///< the same with the errors at points left out
  double cv_error = 0;      ///< root mean square of these, in the response's unit
  double cv_largest = 0;    ///< the largest of these
};

class ResponseSurface {
 public:
  virtual ~ResponseSurface() = default;
  virtual double operator()(const std::vector<double>& x) const = 0;

  SurfaceKind kind = SurfaceKind::quadratic;
  int terms = 0;
  SurfaceQuality quality;
  /// Of a polynomial: the exponents of each term, per coordinate, and its coefficient.
  std::vector<std::vector<int>> exponents;
  std::vector<double> coefficients;
};

/// nullptr where the points do not determine it: fewer than one more than terms, not
/// independent, or one that a term hangs on alone. No
/// coordinate has a power that its number of different values does not determine; one of a single value has
/// no part in the surface.
std::unique_ptr<ResponseSurface> fit_surface(SurfaceKind, const SurfacePoints&, const std::vector<double>& y);

/// The quadratic one (the linear one where there are too few points), unless the error of another one at
/// points left out is less by a tenth. nullptr where not even the linear one is determined.
std::unique_ptr<ResponseSurface> fit_best_surface(const SurfacePoints&, const std::vector<double>& y);

struct SurfaceOptimum {
  std::vector<double> x;
  double value = 0;
};
/// The least value in the box -1 to 1, or the largest: pattern searches (Hooke and Jeeves 1961) from the
/// points and from a grid of the box' corners.
SurfaceOptimum optimum(const ResponseSurface&, const SurfacePoints& starts, bool largest);

/// Mean over the points of the surface with coordinate k at t.
double main_effect(const ResponseSurface&, const SurfacePoints&, std::size_t k, double t);
/// Mean over the points of the surface's range along coordinate k: with what it does together with others.
double importance(const ResponseSurface&, const SurfacePoints&, std::size_t k);

}  // namespace umov::linalg
