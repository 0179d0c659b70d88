// Least squares of a few unknowns by normal equations.
#pragma once

#include <array>
#include <cmath>

namespace umov::mesh {

/// Rows are added, then a x = b is solved in place by Cholesky's factors; false where a is not positive
/// definite (to 1e-14 of what columns of size 1 give).
template <int N>
struct SmallSystem {
  std::array<std::array<double, N>, N> a{};
  std::array<double, N> b{};

  void add(const std::array<double, N>& row, double right, double weight = 1) {
    for (int i = 0; i < N; ++i) {
      for (int j = 0; j <= i; ++j) a[i][j] += weight * row[i] * row[j];
      b[i] += weight * row[i] * right;
    }
  }
  bool factor() {
    for (int j = 0; j < N; ++j) {
      for (int k = 0; k < j; ++k) a[j][j] -= a[j][k] * a[j][k];
      if (!(a[j][j] > 1e-14)) return false;
      a[j][j] = std::sqrt(a[j][j]);
      for (int i = j + 1; i < N; ++i) {
        for (int k = 0; k < j; ++k) a[i][j] -= a[i][k] * a[j][k];
        a[i][j] /= a[j][j];
      }
    }
    return true;
  }
  void substitute(std::array<double, N>& x) const {
    for (int i = 0; i < N; ++i) {
      for (int k = 0; k < i; ++k) x[i] -= a[i][k] * x[k];
      x[i] /= a[i][i];
    }
    for (int i = N - 1; i >= 0; --i) {
      for (int k = i + 1; k < N; ++k) x[i] -= a[k][i] * x[k];
      x[i] /= a[i][i];
    }
  }
  bool solve() {
    if (!factor()) return false;
    substitute(b);
    return true;
  }
};

}  // namespace umov::mesh
