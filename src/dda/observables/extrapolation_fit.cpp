// Weighted least squares of a parabola in the size of the dipoles.
#include "dda/observables/extrapolation_fit.hpp"

#include <algorithm>
#include <cmath>

#include "core/contract.hpp"

namespace umov::dda {

namespace {

/// a0, and its variance where the variance of a value of weight 1 is 1.
struct Constant {
  double value = 0, variance = 0, residual2 = 0;  ///< residual2: weighted sum of squares
};

/// Householder's QR would do; three columns are made orthogonal twice over, which is as good (Gram-Schmidt
/// with one repetition), the constant last, so that its coefficient needs no back substitution.
Constant fit(const std::vector<double>& y, const std::vector<double>& values, int terms) {
  const std::size_t n = y.size();
  const double largest = *std::max_element(y.begin(), y.end());
  std::vector<std::vector<double>> column(terms, std::vector<double>(n));
  std::vector<double> right(n);
  for (std::size_t i = 0; i < n; ++i) {
    const double u = y[i] / largest, weight = 1 / (u * u * u);
    for (int t = 0; t < terms; ++t) column[t][i] = weight * std::pow(u, terms - 1 - t);
    right[i] = weight * values[i];
  }
  const auto dot = [n](const auto& a, const auto& b) {
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) sum += a[i] * b[i];
    return sum;
  };
  const auto remove = [&](std::vector<double>& from, const std::vector<double>& unit) {
    const double part = dot(from, unit);
    for (std::size_t i = 0; i < n; ++i) from[i] -= part * unit[i];
    return part;
  };
  Constant c;
  for (int t = 0; t < terms; ++t) {
    for (int again = 0; again < 2; ++again)
      for (int s = 0; s < t; ++s) remove(column[t], column[s]);
    const double norm = std::sqrt(dot(column[t], column[t]));
    for (double& x : column[t]) x /= norm;
    const double part = remove(right, column[t]);
    if (t == terms - 1) c.value = part / norm, c.variance = 1 / (norm * norm);
  }
  c.residual2 = dot(right, right);
  return c;
}

}  // namespace

Extrapolated extrapolate(const std::vector<double>& y, const std::vector<double>& values, bool cubical) {
  UMOV_EXPECT(y.size() >= 2 && y.size() == values.size(), "an extrapolation needs two grids");
  const int terms = int(std::min<std::size_t>(3, y.size()));
  const Constant c = fit(y, values, terms);
  const std::size_t freedom = y.size() - std::size_t(terms);
  if (freedom == 0) {
    const std::size_t finest = std::size_t(std::min_element(y.begin(), y.end()) - y.begin());
    return {c.value, std::abs(c.value - values[finest])};
  }
  const double standard_error = std::sqrt(c.residual2 / double(freedom) * c.variance);
  return {c.value, (cubical ? 10 : 2) * standard_error};
}

}  // namespace umov::dda
