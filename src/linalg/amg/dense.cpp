// A small system by elimination in extended precision.
#include "linalg/amg/dense.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include "linalg/amg/null_space.hpp"

namespace umov::amg {

using sparse::HostCsr;
using sparse::Wide;

DenseFactors::DenseFactors(const HostCsr& a, int sign)
    : a_(a), n_(a.rows), sign_(sign), scale_(n_, 1.0L), factor_(std::size_t(n_) * n_, 0.0L), pivot_(n_) {
  for (int i = 0; i < n_; ++i)
    for (int k = a.start[i]; k < a.start[i + 1]; ++k)
      if (a.column[k] == i) scale_[i] = 1 / std::sqrt(std::abs(static_cast<long double>(a.value[k])));
  for (int i = 0; i < n_; ++i)
    for (int k = a.start[i]; k < a.start[i + 1]; ++k)
      at(i, a.column[k]) = sign * scale_[i] * a.value[k] * scale_[a.column[k]];
  // a change of 2^-64 of each entry, which rounding here makes, is far below one of 2^-53
  const long double lost = n_ * 0x1p-64L;
  for (int k = 0; k < n_; ++k) {
    pivot_[k] = at(k, k);
    if (!(pivot_[k] > lost)) {
      kind_ = pivot_[k] > -1e3L * lost ? Kind::singular_in_digits : Kind::not_definite;
      return;
    }
    for (int i = k + 1; i < n_; ++i) {
      if (at(i, k) == 0) continue;
      const long double l = at(i, k) / pivot_[k];
      for (int j = k + 1; j <= i; ++j) at(i, j) -= l * at(j, k);
    }
    for (int i = k + 1; i < n_; ++i) at(i, k) /= pivot_[k];
  }
  judge();
}

Wide DenseFactors::vector_of_pivot(int k) const {
  Wide v(n_, 0.0L);
  v[k] = 1;
  for (int i = k - 1; i >= 0; --i)
    for (int j = i + 1; j <= k; ++j) v[i] -= at(j, i) * v[j];
  return v;
}

/// A pivot is v . A v. Changes of 2^-53 of the entries, independent ones, change that by 2^-53 times the root
/// of the sum of (v_i a_ij v_j)^2.
void DenseFactors::judge() {
  constexpr long double suspect = 1e-9L, digits = 2 * 0x1p-53L;
  for (int k = 0; k < n_; ++k) {
    if (pivot_[k] > suspect) continue;
    const Wide v = vector_of_pivot(k);
    long double squares = 0;
    for (int i = 0; i < n_; ++i)
      for (int e = a_.start[i]; e < a_.start[i + 1]; ++e) {
        const long double term = v[i] * scale_[i] * a_.value[e] * scale_[a_.column[e]] * v[a_.column[e]];
        squares += term * term;
      }
    if (pivot_[k] <= digits * std::sqrt(squares)) kind_ = Kind::singular_in_digits;
  }
}

Wide DenseFactors::substitute(Wide b) const {
  for (int i = 0; i < n_; ++i) b[i] *= sign_ * scale_[i];
  for (int i = 0; i < n_; ++i)
    for (int j = 0; j < i; ++j) b[i] -= at(i, j) * b[j];
  for (int i = 0; i < n_; ++i) b[i] /= pivot_[i];
  for (int i = n_ - 1; i >= 0; --i)
    for (int j = i + 1; j < n_; ++j) b[i] -= at(j, i) * b[j];
  for (int i = 0; i < n_; ++i) b[i] *= scale_[i];
  return b;
}

DenseFactors::Solved DenseFactors::solve(const Wide& b) const {
  constexpr int most = 20;
  const auto size = [this](const Wide& v) {
    long double square = 0;
    for (int i = 0; i < n_; ++i) square += v[i] / scale_[i] * (v[i] / scale_[i]);
    return std::sqrt(square);
  };
  Wide x = substitute(b);
  long double before = size(x);
  for (int round = 0;; ++round) {
    Wide more = substitute(sparse::residual_in_twice_the_digits(b, a_, x));
    const long double now = size(more);
    if (round == most || !(now < 0.5L * before)) return {std::move(x), std::move(more)};
    for (int i = 0; i < n_; ++i) x[i] += more[i];
    before = now;
  }
}

double DenseFactors::condition() const {
  std::uint64_t state = 5;
  const auto start = random_vector(n_, state);
  Wide y(start.begin(), start.end()), z = y;
  long double most = 1, inverse = 1;
  for (int k = 0; k < 20; ++k) {
    for (int i = 0; i < n_; ++i) z[i] *= scale_[i];
    z = sparse::times_wide(a_, z);
    for (int i = 0; i < n_; ++i) z[i] *= scale_[i], y[i] /= scale_[i];
    y = substitute(y);
    for (int i = 0; i < n_; ++i) y[i] /= scale_[i];
    most = sparse::norm(z), inverse = sparse::norm(y);
    for (int i = 0; i < n_; ++i) z[i] /= most, y[i] /= inverse;
  }
  return double(most * inverse);
}

}  // namespace umov::amg
