// Weighted least squares of a line or a parabola in the size of the dipoles.
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

/// Standard errors that hold in 99 of 100 cases by Student's distribution.
double standard_errors(bool cubical, std::size_t freedom) {
  if (cubical) return freedom == 1 ? 64.3 : 10;
  constexpr double of_freedom[] = {63.7, 9.93, 5.84, 4.61, 4.04, 3.71, 3.5, 3.36, 3.25, 3.17, 3.11, 3.06};
  return of_freedom[std::min(freedom, std::size(of_freedom)) - 1];
}

double standard_error(const Constant& c, std::size_t grids) {
  return std::sqrt(c.residual2 / double(grids - c.terms) * c.variance);
}

/// Grids that fill the body: a parabola; its bar holds other laws, too.
Extrapolated of_filled_body(const std::vector<double>& y, const std::vector<double>& values,
                            const Columns& known) {
  const Constant c = fit(y, values, y.size() > 2 ? std::vector{2.0, 1.0} : std::vector{1.0}, known);
  Extrapolated x{c.value, 0};
  if (y.size() > c.terms) x.error = standard_errors(true, y.size() - c.terms) * standard_error(c, y.size());
  for (const double power : {1.5, 2.0})
    x.error = std::max(x.error, std::abs(c.value - fit(y, values, {power}, known).value));
  return x;
}

/// Grids that miss its surface, each in another way: a line, whose scatter a parabola would take for a bend.
Extrapolated of_stepped_body(const std::vector<double>& y, const std::vector<double>& values,
                             const Columns& known, double range) {
  const Constant c = fit(y, values, {1.0}, known);
  constexpr double unknown = 3;  // ranges, where no freedom is left to tell a standard error by
  const bool free = y.size() > c.terms;
  return {c.value,
          free ? standard_errors(false, y.size() - c.terms) * standard_error(c, y.size()) : unknown * range};
}

}  // namespace

Extrapolated not_believed(const Extrapolated& x, double finest) {
  return {finest, std::max(x.error, std::abs(x.value - finest)), false};
}

Extrapolated extrapolate(const std::vector<double>& y, const std::vector<double>& values, bool cubical,
                         const Columns& deviations) {
  UMOV_EXPECT(y.size() >= 2 && y.size() == values.size(), "an extrapolation needs two grids");
  const std::size_t terms = cubical ? 3 : 2;
  const Columns known = y.size() > terms + deviations.size() ? deviations : Columns{};
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  const double range = *high - *low,
               finest = values[std::size_t(std::min_element(y.begin(), y.end()) - y.begin())];
  Extrapolated x = cubical ? of_filled_body(y, values, known) : of_stepped_body(y, values, known, range);
  const double change = std::abs(x.value - finest);
  x.error = cubical ? std::max(x.error, change) : x.error + change;
  constexpr double rounding = 1e-9;
  if (change > (1 + rounding) * range) {
    x.error = std::max(x.error, range);
    return not_believed(x, finest);
  }
  constexpr double largest_bar = 0.5;  // of the value
  return x.error > largest_bar * std::abs(x.value) ? not_believed(x, finest) : x;
}

}  // namespace umov::dda
