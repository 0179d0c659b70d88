// The largest eigenvalue of D^-1 A by a few Lanczos steps, all scalars on the device.
#pragma once

#include <vector>

#include "core/complex.hpp"
#include "core/types.hpp"

namespace umov::amg {

/// Largest eigenvalue of the symmetric tridiagonal matrix with this diagonal and these squared off-diagonals,
/// by bisection.
double largest_of_tridiagonal(const std::vector<double>& diagonal, const std::vector<double>& off_squared);

/// v = hash / sqrt(d), the hash in (-1, 1), and the sum of d v^2, to which all rows give alike: parts whose
/// entries are smaller by decades and that hardly couple with the rest would not be seen in single precision.
template <class T>
struct StartVector {
  const T* inverse_diagonal;
  T* v;
  template <class S>
  UMOV_HD void operator()(index_t i, S& sums) const {
    std::uint32_t h = std::uint32_t(i) * 0x9e3779b9u + 0x7f4a7c15u;
    h ^= h >> 16, h *= 0x7feb352du, h ^= h >> 15, h *= 0x846ca68bu, h ^= h >> 16;
    const T d = inverse_diagonal[i];
    const double value = d > 0 ? double(h) / 2147483648.0 - 1.0 : 0;
    v[i] = T(value * sqrt(double(d)));
    sums.v[0] += value * value;
  }
};
template <class T>
struct Normalise {  // v / sqrt(square)
  const double* square;
  T* v;
  UMOV_HD void operator()(index_t i) const { v[i] = *square > 0 ? T(double(v[i]) / sqrt(*square)) : T(0); }
};
/// w = D^-1 A v - beta w (w held the vector before v); v . A v
template <class T>
struct LanczosProduct {
  const T *inverse_diagonal, *v;
  const double* beta_squared;  // null in the first step
  T* w;
  template <class S>
  UMOV_HD void operator()(index_t i, T av, S& sums) const {
    const T before = beta_squared ? T(sqrt(*beta_squared)) * w[i] : T(0);
    w[i] = inverse_diagonal[i] * av - before;
    sums.v[0] += double(v[i]) * double(av);
  }
};
template <class T>
struct LanczosOrthogonal {  // w = w - alpha v; sum of d w^2
  const T *inverse_diagonal, *v;
  const double* alpha;
  T* w;
  template <class S>
  UMOV_HD void operator()(index_t i, S& sums) const {
    const T d = inverse_diagonal[i], value = w[i] - T(*alpha) * v[i];
    w[i] = value;
    if (d > 0) sums.v[0] += double(value) * double(value) / double(d);
  }
};

/// D^-1 A is symmetric in the product of D, so Lanczos' three terms do (Golub and Van Loan, section 10.1). An
/// estimate from below, within a few percent after ten steps. `product_sum(x, f, sums)` calls
/// f(i, (A x)_i, sums). Rows with inverse diagonal 0 take no part.
template <class Device, class T, class ProductSum>
double largest_eigenvalue(Device& dev, index_t n, const T* inverse_diagonal, const ProductSum& product_sum,
                          int steps = 10) {
  auto v = dev.template allocate<T>(n), w = dev.template allocate<T>(n);
  auto scalars = dev.template allocate<double>(2 * steps + 1);
  double* s = scalars.data();
  T *now = v.data(), *next = w.data();
  dev.template reduce_to<1>(n, StartVector<T>{inverse_diagonal, now}, s + 2 * steps);
  dev.for_each(n, Normalise<T>{s + 2 * steps, now});
  for (int k = 0; k < steps; ++k) {
    product_sum(now, LanczosProduct<T>{inverse_diagonal, now, k > 0 ? s + 2 * k - 1 : nullptr, next},
                s + 2 * k);
    dev.template reduce_to<1>(n, LanczosOrthogonal<T>{inverse_diagonal, now, s + 2 * k, next}, s + 2 * k + 1);
    if (k + 1 < steps) dev.for_each(n, Normalise<T>{s + 2 * k + 1, next});
    std::swap(now, next);
  }
  std::vector<double> host(2 * steps), diagonal, off;
  dev.download(host.data(), s, host.size());
  for (int k = 0; k < steps; ++k) {
    diagonal.push_back(host[2 * k]);
    // an invariant subspace is found: what follows is rounding
    if (!(host[2 * k + 1] > 1e-10)) break;
    if (k + 1 < steps) off.push_back(host[2 * k + 1]);
  }
  return largest_of_tridiagonal(diagonal, off);
}

}  // namespace umov::amg
