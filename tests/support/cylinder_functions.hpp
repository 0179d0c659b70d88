// Exact answers with circular symmetry: Bessel functions of complex argument, scattering by a cylinder,
// resonances of an annulus.
#pragma once

#include <cmath>
#include <complex>

namespace umov::test {

using lcplx = std::complex<long double>;

/// Bessel functions of integer order n >= 0 by their ascending series (Abramowitz and Stegun 1964, 9.1.10 and
/// 9.1.11), in long double: for |z| up to about 15, where cancellation leaves ten digits.
inline lcplx bessel_j(int n, lcplx z) {
  const lcplx q = -z * z / 4.0L;
  lcplx term = 1;
  for (int k = 1; k <= n; ++k) term *= z / (2.0L * k);
  lcplx sum = term;
  for (int k = 1; k < 200; ++k) {
    term *= q / ((long double)k * (k + n));
    sum += term;
  }
  return sum;
}

inline lcplx bessel_y(int n, lcplx z) {
  constexpr long double pi = 3.14159265358979323846264338327950288L;
  constexpr long double euler = 0.57721566490153286060651209008240243L;
  lcplx singular = 0;
  long double factorial = 1;  // (n-k-1)! / k!
  for (int k = 2; k < n; ++k) factorial *= k;
  lcplx power = 1;  // (z/2)^(2k-n)
  for (int k = 0; k < n; ++k) power /= z / 2.0L;
  for (int k = 0; k < n; ++k) {
    singular += factorial * power;
    power *= z * z / 4.0L;
    if (k + 1 < n) factorial /= (long double)(n - k - 1) * (k + 1);
  }
  long double psi = -2 * euler;  // psi(k+1) + psi(n+k+1)
  for (int k = 1; k <= n; ++k) psi += 1.0L / k;
  lcplx term = 1;
  for (int k = 1; k <= n; ++k) term *= z / (2.0L * k);
  lcplx regular = psi * term;
  for (int k = 1; k < 200; ++k) {
    term *= -z * z / 4.0L / ((long double)k * (k + n));
    psi += 1.0L / k + 1.0L / (n + k);
    regular += psi * term;
  }
  return (2.0L * std::log(z / 2.0L) * bessel_j(n, z) - singular - regular) / pi;
}

/// Hankel function of the first kind: outgoing for exp(-i w t).
inline lcplx hankel(int n, lcplx z) { return bessel_j(n, z) + lcplx(0, 1) * bessel_y(n, z); }

/// C_n' = C_{n-1} - n C_n / z, and C_0' = -C_1.
template <class F>
lcplx cylinder_derivative(F f, int n, lcplx z) {
  return n == 0 ? -f(1, z) : f(n - 1, z) - (long double)n / z * f(n, z);
}

/// Efficiencies (cross section per length / diameter) of an infinite cylinder at normal incidence.
struct CylinderEfficiencies {
  double extinction = 0, scattering = 0;
};

/// `e_along`: E parallel to the axis, else H (Bohren and Huffman 1983, section 8.4). x = k a, Im m >= 0.
inline CylinderEfficiencies cylinder_efficiencies(double x, std::complex<double> m, bool e_along) {
  const lcplx outer = x, index(m), inner = index * outer;
  CylinderEfficiencies q;
  const int terms = int(x + 4 * std::cbrt(x) + 10);
  for (int n = 0; n <= terms; ++n) {
    const lcplx j = bessel_j(n, outer), dj = cylinder_derivative(bessel_j, n, outer);
    const lcplx h = hankel(n, outer), dh = cylinder_derivative(hankel, n, outer);
    const lcplx jm = bessel_j(n, inner), djm = cylinder_derivative(bessel_j, n, inner);
    const lcplx c = e_along ? (jm * dj - index * djm * j) / (jm * dh - index * djm * h)
                            : (index * jm * dj - djm * j) / (index * jm * dh - djm * h);
    const double weight = (n == 0 ? 2 : 4) / x;
    q.extinction += weight * double(c.real());
    q.scattering += weight * double(std::norm(c));
  }
  return q;
}

/// Resonance w a / (2 pi c) nearest to `guess` of the annulus inner < r < outer (units a) of index n in
/// vacuum, E along the axis, azimuthal order m: zero of the determinant that makes Ez and dEz/dr continuous
/// at both walls. Q = -Re f / (2 Im f).
inline std::complex<double> annulus_resonance(int m, double n, double inner, double outer,
                                              std::complex<double> guess) {
  const long double index = n;
  const auto determinant = [&](lcplx f) {
    const lcplx k = 2 * 3.14159265358979323846264338327950288L * f;
    const auto ratio = [&](auto wave, lcplx z) { return cylinder_derivative(wave, m, z) / wave(m, z); };
    const lcplx in = ratio(bessel_j, k * (long double)inner), out = ratio(hankel, k * (long double)outer);
    const auto mismatch = [&](auto wave, double r, lcplx outside) {
      const lcplx z = index * k * (long double)r;
      return index * cylinder_derivative(wave, m, z) - outside * wave(m, z);
    };
    return mismatch(bessel_j, inner, in) * mismatch(bessel_y, outer, out) -
           mismatch(bessel_y, inner, in) * mismatch(bessel_j, outer, out);
  };
  lcplx a = guess, b = guess * 1.0001;
  lcplx fa = determinant(a), fb = determinant(b);
  for (int i = 0; i < 60 && std::abs(b - a) > 1e-15L && fa != fb; ++i) {
    const lcplx c = b - fb * (b - a) / (fb - fa);
    a = b, fa = fb;
    b = c, fb = determinant(b);
  }
  return std::complex<double>(b);
}

}  // namespace umov::test
