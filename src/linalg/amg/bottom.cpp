// Inverse of a small dense matrix.
#include "linalg/amg/bottom.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace umov::amg {

int invert_spd(std::vector<double>& a, int n, double rounding) {
  const auto row = [&](int i) { return a.data() + std::size_t(i) * n; };
  int singular = 0;
  // L in the lower triangle, with 1 / L_jj on the diagonal
  for (int i = 0; i < n; ++i) {
    const double before = row(i)[i];
    for (int j = 0; j <= i; ++j) {
      double v = row(i)[j];
      for (int k = 0; k < j; ++k) v -= row(i)[k] * row(j)[k];
      if (j < i) {
        row(i)[j] = v * row(j)[j];
      } else {
        const bool none = !(v > rounding * std::abs(before));
        singular += none;
        row(i)[i] = none ? 0 : 1 / std::sqrt(v);
      }
    }
  }
  // L^-1 row by row: the sum over k of -L_ik / L_ii times row k
  std::vector<double> sum(n);
  for (int i = 0; i < n; ++i) {
    std::fill(sum.begin(), sum.begin() + i, 0.0);
    for (int k = 0; k < i; ++k)
      for (int j = 0; j <= k; ++j) sum[j] += row(i)[k] * row(k)[j];
    for (int j = 0; j < i; ++j) row(i)[j] = -sum[j] * row(i)[i];
  }
  std::vector<double> inverse(std::size_t(n) * n, 0.0);
  for (int k = 0; k < n; ++k)
    for (int i = 0; i <= k; ++i)
      for (int j = 0; j <= k; ++j) inverse[std::size_t(i) * n + j] += row(k)[i] * row(k)[j];
  a = std::move(inverse);
  return singular;
}

}  // namespace umov::amg
