// The free-space Green's tensor and the special functions the interaction terms are made of.
#pragma once

#include <cfloat>
#include <cmath>
#include <type_traits>

#include "core/complex.hpp"

namespace umov::dda {

/// Interaction terms are computed in double whatever the solver's precision, or in long double for it.
template <class T>
using Wide = std::conditional_t<std::is_same_v<T, long double>, long double, double>;

/// Order of the six components of a symmetric tensor: xx, xy, xz, yy, yz, zz.
UMOV_HD constexpr int tensor_row(int component) { return component < 3 ? 0 : component < 5 ? 1 : 2; }
UMOV_HD constexpr int tensor_column(int component) {
  return component < 3 ? component : component < 5 ? component - 2 : 2;
}

/// Completes a tensor computed at the absolute values of `displacement`: its off-diagonal terms are odd in
/// both of their axes and vanish on the lattice planes, which holds to the last digit this way.
template <class T, class Number>
UMOV_HD inline void restore_octant(const Number displacement[3], Complex<T> g[6]) {
  for (int c = 0; c < 6; ++c) {
    const int i = tensor_row(c), j = tensor_column(c);
    if (i == j) continue;
    if (displacement[i] == 0 || displacement[j] == 0)
      g[c] = Complex<T>{0, 0};
    else if ((displacement[i] < 0) != (displacement[j] < 0))
      g[c] = -g[c];
  }
}

/// A displacement split into length and direction, with the products of the direction's components.
template <class R>
struct Direction {
  R r;
  R n[3];
  R nn[6];

  UMOV_HD Direction(R x, R y, R z) {
    r = std::sqrt(x * x + y * y + z * z);
    const R inverse = R(1) / r;
    n[0] = x * inverse;
    n[1] = y * inverse;
    n[2] = z * inverse;
    for (int c = 0; c < 6; ++c) nn[c] = n[tensor_row(c)] * n[tensor_column(c)];
  }
};

/// exp(i k r) / r^3
template <class R>
UMOV_HD inline Complex<R> scaled_phase(R k, R r) {
  const R s = R(1) / (r * r * r);
  return {s * std::cos(k * r), s * std::sin(k * r)};
}

/// Field of a unit dipole: G = exp(ikr)/r^3 [ (kr)^2 (I - nn) - (1 - ikr)(I - 3nn) ]
/// (Yurkin and Hoekstra 2007, JQSRT 106, 558, eq. 6).
template <class R>
UMOV_HD inline void point_green(R k, const Direction<R>& d, Complex<R> g[6]) {
  const R kr = k * d.r;
  const Complex<R> e = scaled_phase(k, d.r);
  const Complex<R> transverse{kr * kr - 1, kr};
  const Complex<R> along{3 - kr * kr, -3 * kr};
  for (int c = 0; c < 6; ++c) {
    Complex<R> t = d.nn[c] * along;
    if (tensor_row(c) == tensor_column(c)) t += transverse;
    g[c] = t * e;
  }
}

/// The same in a medium that damps, for complex k with Im k >= 0.
template <class R>
UMOV_HD inline void point_green(Complex<R> k, const Direction<R>& d, Complex<R> g[6]) {
  const Complex<R> kr = d.r * k, kr2 = kr * kr, ikr{-kr.im, kr.re};
  const Complex<R> e = std::exp(-kr.im) * scaled_phase(k.re, d.r);
  const Complex<R> transverse = kr2 + ikr - Complex<R>{1, 0};
  const Complex<R> along = Complex<R>{3, 0} - kr2 - R(3) * ikr;
  for (int c = 0; c < 6; ++c) {
    Complex<R> t = d.nn[c] * along;
    if (tensor_row(c) == tensor_column(c)) t += transverse;
    g[c] = t * e;
  }
}

/// Ci(x) and pi/2 - Si(x), for x > 0.
template <class R>
struct CosineSineIntegral {
  R ci, si_complement;
};

/// Machine epsilon of R; std::numeric_limits has no device code, nor has long double, hence the size.
template <class R>
UMOV_HD constexpr R epsilon_of() {
  if constexpr (sizeof(R) > sizeof(double))
    return LDBL_EPSILON;
  else
    return DBL_EPSILON;
}

/// Power series of Ci and Si: Abramowitz and Stegun 5.2.14 and 5.2.16.
template <class R>
UMOV_HD inline CosineSineIntegral<R> cosine_sine_series(R x) {
  constexpr R euler = R(0.57721566490153286060651209008240243L);
  constexpr R half_pi = R(1.57079632679489661923132169163975144L);
  R power = 1, cosine = 0, sine = 0;
  for (int n = 1; n < 100; ++n) {
    power *= x / n;  // x^n / n!
    const R term = power / n;
    const R signed_term = (n / 2) % 2 ? -term : term;
    if (n % 2)
      sine += signed_term;
    else
      cosine += signed_term;
    if (term < epsilon_of<R>() / 8) break;
  }
  return {cosine + std::log(x) + euler, half_pi - sine};
}

/// Continued fraction of E1(ix) = -Ci(x) + i (Si(x) - pi/2) (Abramowitz and Stegun 5.1.22, 5.2.21, 5.2.23),
/// in its even form and summed forward by the modified Lentz method.
template <class R>
UMOV_HD inline CosineSineIntegral<R> cosine_sine_fraction(R x) {
  Complex<R> b{1, x};
  Complex<R> d = Complex<R>{1, 0} / b;
  Complex<R> h = d;
  Complex<R> c{0, 0};
  for (int n = 1; n < 500; ++n) {
    const R a = -R(n) * R(n);
    b.re += 2;
    d = Complex<R>{1, 0} / (b + a * d);
    c = n == 1 ? b : b + a * (Complex<R>{1, 0} / c);
    const Complex<R> step = c * d;
    h = h * step;
    if (std::fabs(step.re - 1) + std::fabs(step.im) < epsilon_of<R>()) break;
  }
  const Complex<R> e1 = h * Complex<R>{std::cos(x), -std::sin(x)};
  return {-e1.re, -e1.im};
}

/// The series loses digits to cancellation above about 3, the fraction needs many terms below about 2.
template <class R>
UMOV_HD inline CosineSineIntegral<R> cosine_sine_integral(R x) {
  return x < 3 ? cosine_sine_series(x) : cosine_sine_fraction(x);
}

/// Share of a point's neighbourhood inside the cube of edge d about the origin: 1 inside, 0 outside, 1/2,
/// 1/4, 1/8 on a face, edge, vertex, so that a lattice of cubes adds up to 1.
template <class R>
UMOV_HD inline R inside_cube(R x, R y, R z, R d) {
  const R p[3] = {std::fabs(x), std::fabs(y), std::fabs(z)};
  R weight = 1;
  for (int c = 0; c < 3; ++c) {
    if (p[c] > d / 2) return 0;
    if (p[c] == d / 2) weight /= 2;
  }
  return weight;
}

}  // namespace umov::dda
