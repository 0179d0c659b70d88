// Weighted least squares of a parabola in the size of the dipoles.
#include "dda/observables/extrapolation_fit.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "core/contract.hpp"

namespace umov::dda {

namespace {

using Columns = std::vector<std::vector<double>>;

/// a0, and its variance where the variance of a value of weight 1 is 1.
struct Constant {
  double value = 0, variance = 0, residual2 = 0;  ///< residual2: weighted sum of squares
  std::size_t terms = 0;
};

/// Householder's QR would do; a few columns are made orthogonal twice over, which is as good (Gram-Schmidt
/// with one repetition), the constant last, so that its coefficient needs no back substitution.
Constant fit(const std::vector<double>& y, const std::vector<double>& values,
             const std::vector<double>& powers, const Columns& deviations) {
  const std::size_t n = y.size();
  const double largest = *std::max_element(y.begin(), y.end());
  Columns column = deviations;
  for (const double power : powers) {
    auto& c = column.emplace_back(n);
    for (std::size_t i = 0; i < n; ++i) c[i] = std::pow(y[i] / largest, power);
  }
  column.emplace_back(n, 1.0);
  std::vector<double> right = values;
  for (std::size_t i = 0; i < n; ++i) {
    const double u = y[i] / largest, weight = 1 / (u * u * u);
    for (auto& c : column) c[i] *= weight;
    right[i] *= weight;
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
  Columns units;
  for (auto& now : column) {
    const double whole = std::sqrt(dot(now, now));
    for (int again = 0; again < 2; ++again)
      for (const auto& unit : units) remove(now, unit);
    const double norm = std::sqrt(dot(now, now));
    constexpr double dependent = 1e-10;  // a deviation that no grid has, or that two share
    if (norm <= dependent * whole) continue;
    for (double& x : now) x /= norm;
    const double part = remove(right, now);
    c.value = part / norm, c.variance = 1 / (norm * norm);
    units.push_back(std::move(now));
  }
  c.residual2 = dot(right, right);
  c.terms = units.size();
  return c;
}

/// Standard errors that hold as often as 2 (of bodies that grids do not fill) or 10 do with six or two
/// degrees of freedom, 90.8 % and 99.0 %, by Student's distribution where there are fewer.
double standard_errors(bool cubical, std::size_t freedom) {
  if (cubical) return freedom == 1 ? 64.3 : 10;
  constexpr double of_freedom[] = {6.87, 3.06, 2.45, 2.21, 2.08};
  return freedom <= std::size(of_freedom) ? of_freedom[freedom - 1] : 2;
}

}  // namespace

Extrapolated extrapolate(const std::vector<double>& y, const std::vector<double>& values, bool cubical,
                         const Columns& deviations) {
  UMOV_EXPECT(y.size() >= 2 && y.size() == values.size(), "an extrapolation needs two grids");
  const Columns known = y.size() > 3 + deviations.size() ? deviations : Columns{};
  const Constant c = fit(y, values, y.size() > 2 ? std::vector{2.0, 1.0} : std::vector{1.0}, known);
  double error = 0;
  if (y.size() > c.terms) {
    const std::size_t freedom = y.size() - c.terms;
    error = standard_errors(cubical, freedom) * std::sqrt(c.residual2 / double(freedom) * c.variance);
  } else {
    const std::size_t finest = std::size_t(std::min_element(y.begin(), y.end()) - y.begin());
    error = std::abs(c.value - values[finest]);
  }
  for (const double power : {1.5, 2.0})
    error = std::max(error, std::abs(c.value - fit(y, values, {power}, known).value));
  return {c.value, error};
}

}  // namespace umov::dda
