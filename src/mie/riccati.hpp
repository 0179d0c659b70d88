// Riccati-Bessel functions of real and complex argument, computed so that no order loses digits.
#pragma once

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/types.hpp"

namespace umov::mie {

/// psi_{n-1}(z) / psi_n(z) by Lentz's continued fraction (Lentz 1976, Appl. Opt. 15, 668), in the modified
/// form that survives a vanishing partial denominator. Converges quickly for n >= |z|.
template <class T>
T psi_ratio(int n, T z) {
  constexpr double tiny = 1e-300;
  const T two_over_z = 2.0 / z;
  double order = n + 0.5, sign = 1;
  T f = order * two_over_z, c = f, d = 0;
  for (;;) {
    order += 1;
    sign = -sign;
    const T a = sign * order * two_over_z;
    d = a + d;
    if (std::abs(d) == 0) d = tiny;
    c = a + 1.0 / c;
    if (std::abs(c) == 0) c = tiny;
    d = 1.0 / d;
    const T step = c * d;
    f *= step;
    if (std::abs(step - 1.0) < 2 * std::numeric_limits<double>::epsilon()) return f;
  }
}

/// Whether z lies so far beyond the orders that the functions below need no recurrence from beyond |z|.
inline bool far(cplx z, int count) {
  return std::abs(z) > std::max(10.0 * count, 1e4 * std::sqrt(count + 1.0));
}

inline std::pair<cplx, cplx> scaled_sin_cos(cplx z);

/// D_n = psi_n'(z) / psi_n(z), n = 0..count, where z is `far`. Near the real axis psi_n oscillates in n and
/// upward recurrence is stable: it amplifies errors by exp(n^2 Im z / |z|^2) < 1.4. Above it psi_n is its
/// wave exp(-iz) alone, to exp(-60), and D_n = -iq - q'/(2q) with q^2 = 1 - n(n+1)/z^2 solves Riccati's
/// equation D' = -q^2 - D^2 to n^2/|z|^4 < 1e-16 (Olver 1974, "Asymptotics and special functions", ch. 6).
inline std::vector<cplx> far_log_derivatives(cplx z, int count) {
  const cplx i{0, 1};
  std::vector<cplx> d(count + 1);
  if (z.imag() < 30) {
    const auto [sine, cosine] = scaled_sin_cos(z);
    d[0] = cosine / sine;
    for (int n = 1; n <= count; ++n) d[n] = 1.0 / (double(n) / z - d[n - 1]) - double(n) / z;
    return d;
  }
  for (int n = 0; n <= count; ++n) {
    const cplx l = n * (n + 1.0) / z / z, q2 = 1.0 - l;
    d[n] = -i * std::sqrt(q2) - 0.5 * l / z / q2;
  }
  return d;
}

/// r_n = psi_{n-1}(z) / psi_n(z) for n = 1..count (index 0 unused). Downward recurrence, stable for every
/// complex z (Wiscombe 1980, Appl. Opt. 19, 1505); started beyond |z|, where Lentz's fraction is short.
template <class T>
std::vector<T> psi_ratios(T z, int count) {
  std::vector<T> r(count + 1, T(0));
  if constexpr (std::is_same_v<T, cplx>)
    if (far(z, count)) {
      r = far_log_derivatives(z, count);
      for (int n = 1; n <= count; ++n) r[n] += double(n) / z;
      return r;
    }
  const int start = std::max(count, int(std::ceil(std::abs(z))) + 1);
  T current = psi_ratio(start, z);
  for (int n = start;; --n) {
    if (std::abs(current) == 0) current = std::numeric_limits<double>::min() * 1e8;  // psi_{n-1} = 0
    if (n <= count) r[n] = current;
    if (n == 1) return r;
    current = (2.0 * n - 1.0) / z - 1.0 / current;
  }
}

/// Logarithmic derivative D_n = psi_n'(z) / psi_n(z) for n = 1..count from the ratios r_n.
template <class T>
std::vector<T> psi_log_derivatives(T z, const std::vector<T>& ratios) {
  std::vector<T> d(ratios.size(), T(0));
  for (std::size_t n = 1; n < d.size(); ++n) d[n] = ratios[n] - double(n) / z;
  return d;
}

/// sin z and cos z times exp(-|Im z|), which never overflow.
inline std::pair<double, double> scaled_sin_cos(double z) { return {std::sin(z), std::cos(z)}; }
inline std::pair<cplx, cplx> scaled_sin_cos(cplx z) {
  const double b = std::abs(z.imag()), s = z.imag() < 0 ? -1 : 1, e = std::exp(-2 * b);
  const double up = 0.5 * (1 + e), down = -0.5 * s * std::expm1(-2 * b);  // cosh, sinh times exp(-b)
  const double sine = std::sin(z.real()), cosine = std::cos(z.real());
  return {cplx(sine * up, cosine * down), cplx(cosine * up, -sine * down)};
}

/// psi_n(z) exp(-|Im z|) for n = 0..count. Begins from psi_0 or psi_1, whichever is larger, so that neither
/// a zero of sin z nor a small z costs accuracy.
template <class T>
std::vector<T> scaled_psi(T z, const std::vector<T>& ratios) {
  std::vector<T> psi(ratios.size());
  const auto [sine, cosine] = scaled_sin_cos(z);
  const T first = sine / z - cosine;
  psi[0] = sine;
  if (psi.size() > 1) psi[1] = std::abs(first) > std::abs(sine) ? first : sine / ratios[1];
  for (std::size_t n = 2; n < psi.size(); ++n) psi[n] = psi[n - 1] / ratios[n];
  return psi;
}

/// chi_n(x) = -x y_n(x) for n = 0..count; upward recurrence, along which chi_n grows and is safe.
inline std::vector<double> chi(double x, int count) {
  std::vector<double> c(count + 1);
  c[0] = std::cos(x);
  if (count > 0) c[1] = std::cos(x) / x + std::sin(x);
  for (int n = 2; n <= count; ++n) c[n] = (2 * n - 1) / x * c[n - 1] - c[n - 2];
  return c;
}

}  // namespace umov::mie
