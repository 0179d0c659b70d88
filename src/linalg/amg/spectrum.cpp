// Bisection for the largest eigenvalue of a small tridiagonal matrix.
#include "linalg/amg/spectrum.hpp"

#include <algorithm>
#include <cmath>

namespace umov::amg {

double largest_of_tridiagonal(const std::vector<double>& diagonal, const std::vector<double>& off_squared) {
  const std::size_t n = diagonal.size();
  double low = 0, high = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const double reach = (i > 0 ? std::sqrt(off_squared[i - 1]) : 0) +
                         (i < off_squared.size() ? std::sqrt(off_squared[i]) : 0);
    low = i ? std::max(low, diagonal[i]) : diagonal[i];
    high = i ? std::max(high, diagonal[i] + reach) : diagonal[i] + reach;
  }
  if (!std::isfinite(low) || !std::isfinite(high)) return std::nan("");
  // all eigenvalues lie below x where the pivots of T - x are all negative (Sturm)
  const auto above_all = [&](double x) {
    double pivot = 1;
    for (std::size_t i = 0; i < n; ++i) {
      pivot = diagonal[i] - x - (i > 0 ? off_squared[i - 1] / pivot : 0);
      if (pivot >= 0) return false;
    }
    return true;
  };
  for (int k = 0; k < 60; ++k) {
    const double middle = (low + high) / 2;
    (above_all(middle) ? high : low) = middle;
  }
  return high;
}

}  // namespace umov::amg
