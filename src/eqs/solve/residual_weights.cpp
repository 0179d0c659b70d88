// Which combination of earlier residuals is the smallest: normal equations of a few differences.
#include "eqs/solve/residual_weights.hpp"

#include <algorithm>
#include <cmath>

namespace umov::eqs {

namespace {

using linalg::SmallMatrix;

/// a x = b by Cholesky's factors, a not negative; x is 0 for columns whose pivot is at most `rounding` of
/// theirs.
std::vector<double> solve_independent(const SmallMatrix& a, std::vector<double> x,
                                      const std::vector<double>& rounding) {
  const int n = a.rows;
  SmallMatrix l(n, n);
  for (int c = 0; c < n; ++c) {
    for (int i = c; i < n; ++i) {
      l(i, c) = a(i, c);
      for (int k = 0; k < c; ++k) l(i, c) -= l(i, k) * l(c, k);
    }
    const double pivot = l(c, c) > rounding[std::size_t(c)] ? std::sqrt(l(c, c)) : 0;
    for (int i = c; i < n; ++i) l(i, c) = pivot > 0 ? l(i, c) / pivot : 0;
  }
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < i; ++k) x[std::size_t(i)] -= l(i, k) * x[std::size_t(k)];
    x[std::size_t(i)] = l(i, i) > 0 ? x[std::size_t(i)] / l(i, i) : 0;
  }
  for (int i = n; i-- > 0;) {
    for (int k = i + 1; k < n; ++k) x[std::size_t(i)] -= l(k, i) * x[std::size_t(k)];
    x[std::size_t(i)] = l(i, i) > 0 ? x[std::size_t(i)] / l(i, i) : 0;
  }
  return x;
}

}  // namespace

std::vector<double> minimal_residual_weights(const SmallMatrix& g) {
  const int m = g.rows - 1;
  // column c is the difference of the residuals m - c and m - c - 1
  SmallMatrix normal(m, m);
  std::vector<double> right(std::size_t(m), 0.0), rounding(std::size_t(m), 0.0);
  for (int c = 0; c < m; ++c) {
    const int i = m - c;
    right[std::size_t(c)] = g(m, i) - g(m, i - 1);
    for (int d = 0; d < m; ++d) {
      const int j = m - d;
      normal(c, d) = g(i, j) - g(i, j - 1) - g(i - 1, j) + g(i - 1, j - 1);
    }
    rounding[std::size_t(c)] = std::max(1e-10 * normal(c, c), 1e-15 * (g(i, i) + g(i - 1, i - 1)));
  }
  const auto gamma = solve_independent(normal, right, rounding);
  std::vector<double> weight(std::size_t(m) + 1, 0.0);
  weight.back() = 1;
  for (int c = 0; c < m; ++c) {
    weight[std::size_t(m - c)] -= gamma[std::size_t(c)];
    weight[std::size_t(m - c - 1)] += gamma[std::size_t(c)];
  }
  return weight;
}

}  // namespace umov::eqs
