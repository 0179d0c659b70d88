// Interaction terms between two dipoles of the lattice: one functor per formulation, for host and device.
//
// Each gives the six components xx, xy, xz, yy, yz, zz of G (1/um^3) with E = G P, in Gaussian units and with
// time dependence exp(-i omega t): `operator()` for a lag in lattice steps (zero for the zero lag, whose term
// is in the polarizability), `at` for any other displacement in um.
#pragma once

#include "dda/kernels/green.hpp"
#include "dda/kernels/second_order_green.hpp"

namespace umov::dda {

/// What all formulations share: wavenumber (1/um) and the lattice steps (um).
template <class T>
struct LatticeSteps {
  Wide<T> k;
  Wide<T> step[3];
};

/// Evaluates `term` at a lag; the zero lag has no term.
template <class T, class Term>
UMOV_HD inline void evaluate_lag(const Term& term, const LatticeSteps<T>& lattice, long x, long y, long z,
                                 Complex<T> g[6]) {
  using R = Wide<T>;
  if (x == 0 && y == 0 && z == 0) {
    for (int c = 0; c < 6; ++c) g[c] = Complex<T>{0, 0};
    return;
  }
  Complex<R> wide[6];
  term.at(R(x) * lattice.step[0], R(y) * lattice.step[1], R(z) * lattice.step[2], wide);
  for (int c = 0; c < 6; ++c) g[c] = Complex<T>{T(wide[c].re), T(wide[c].im)};
}

/// Point dipoles.
template <class T>
struct PointDipole {
  using R = Wide<T>;
  LatticeSteps<T> lattice;

  UMOV_HD void at(R x, R y, R z, Complex<R> g[6]) const { point_green(lattice.k, Direction<R>(x, y, z), g); }
  UMOV_HD void operator()(long x, long y, long z, Complex<T> g[6]) const {
    evaluate_lag(*this, lattice, x, y, z, g);
  }
};

/// Filtered coupled dipoles: the Green's tensor without the spatial frequencies above pi/d that the lattice
/// cannot carry (Piller and Martin 1998, IEEE Trans. Antennas Propag. 46, 1126; Gay-Balmaz and Martin 2002,
/// Comput. Phys. Commun. 144, 111). Cubical dipoles.
template <class T>
struct FilteredCoupledDipole {
  using R = Wide<T>;
  LatticeSteps<T> lattice;

  UMOV_HD void at(R x, R y, R z, Complex<R> g[6]) const {
    constexpr R pi = R(3.14159265358979323846264338327950288L);
    const R k = lattice.k, d = lattice.step[0];
    const Direction<R> dir(x, y, z);
    point_green(k, dir, g);
    const R kr = k * dir.r, kfr = pi * dir.r / d, inverse_r3 = R(1) / (dir.r * dir.r * dir.r);
    const Complex<R> e = scaled_phase(k, dir.r);
    const auto plus = cosine_sine_integral(kfr + kr), minus = cosine_sine_integral(kfr - kr);
    // pi - Si(plus) - Si(minus) from the complements keeps its digits where both are near pi/2.
    const R ci = plus.ci - minus.ci, si = plus.si_complement + minus.si_complement;
    const R g0 = (e.im * ci + e.re * si) / pi;
    const R g2 =
        (kr * (e.re * ci - e.im * si) + R(2) / 3 * inverse_r3 * (kfr * std::cos(kfr) - 4 * std::sin(kfr))) /
            pi -
        g0;
    const R dynamic = g0 * kr * kr;
    const R self = inside_cube(x, y, z, d) * 4 * pi / (3 * d * d * d);
    for (int c = 0; c < 6; ++c) {
      g[c].re += dir.nn[c] * (dynamic + 3 * g2);
      if (tensor_row(c) == tensor_column(c)) g[c].re -= dynamic + g2 + self;
    }
  }
  UMOV_HD void operator()(long x, long y, long z, Complex<T> g[6]) const {
    evaluate_lag(*this, lattice, x, y, z, g);
  }
};

/// Filtered coupled dipoles in the static limit: one real factor on the point dipole. Cubical dipoles.
template <class T>
struct FilteredCoupledDipoleStatic {
  using R = Wide<T>;
  LatticeSteps<T> lattice;

  UMOV_HD void at(R x, R y, R z, Complex<R> g[6]) const {
    constexpr R pi = R(3.14159265358979323846264338327950288L);
    const Direction<R> dir(x, y, z);
    point_green(lattice.k, dir, g);
    const R kfr = pi * dir.r / lattice.step[0];
    const R si = pi / 2 - cosine_sine_integral(kfr).si_complement;
    const R factor = 2 / (3 * pi) * (3 * si + kfr * std::cos(kfr) - 4 * std::sin(kfr));
    for (int c = 0; c < 6; ++c) g[c] *= factor;
  }
  UMOV_HD void operator()(long x, long y, long z, Complex<T> g[6]) const {
    evaluate_lag(*this, lattice, x, y, z, g);
  }
};

/// Integrated Green's tensor to second order in the size of the dipole, with the static part integrated
/// exactly where the dipoles are near; rectangular dipoles too.
template <class T>
struct IgtSecondOrder {
  using R = Wide<T>;
  LatticeSteps<T> lattice;

  UMOV_HD void at(R x, R y, R z, Complex<R> g[6]) const {
    const R p[3] = {x, y, z};
    second_order_green(lattice.k, lattice.step, p, g);
  }
  UMOV_HD void operator()(long x, long y, long z, Complex<T> g[6]) const {
    evaluate_lag(*this, lattice, x, y, z, g);
  }
};

/// Static interaction of dipoles smeared over Gaussians:
/// G = 4 gamma(5/2, u)/(3 sqrt(pi) r^3) (3nn - I) - (4 pi/3) h I, with u = r^2/(2 rp^2).
/// `averaged` chooses h between the Gaussian's value and its mean over the cube. Cubical dipoles.
template <class T, bool averaged>
struct NonLocalTerm {
  using R = Wide<T>;
  LatticeSteps<T> lattice;
  R rp;  ///< width of the Gaussian (um)

  UMOV_HD void at(R x, R y, R z, Complex<R> g[6]) const {
    const Direction<R> dir(x, y, z);
    const R anisotropic = rp == 0 ? R(1) / (dir.r * dir.r * dir.r) : dipolar_part(dir.r);
    const R isotropic = averaged ? mean_gaussian(x, y, z) : gaussian(dir.r);
    for (int c = 0; c < 6; ++c) {
      R t = 3 * anisotropic * dir.nn[c];
      if (tensor_row(c) == tensor_column(c)) t -= anisotropic + isotropic;
      g[c] = Complex<R>{t, 0};
    }
  }
  UMOV_HD void operator()(long x, long y, long z, Complex<T> g[6]) const {
    evaluate_lag(*this, lattice, x, y, z, g);
  }

 private:
  static constexpr R pi = R(3.14159265358979323846264338327950288L);

  /// 4 gamma(5/2, u) / (3 sqrt(pi) r^3)
  UMOV_HD R dipolar_part(R r) const {
    const R root_u = r / (std::sqrt(R(2)) * rp), u = root_u * root_u;
    if (u > 1) {
      // Upward recursion from gamma(1/2, u) = sqrt(pi) erf(sqrt u), stable for u > 1.
      const R gamma = R(0.75) * std::sqrt(pi) * std::erf(root_u) - root_u * (R(1.5) + u) * std::exp(-u);
      return 4 * gamma / (3 * std::sqrt(pi) * r * r * r);
    }
    // gamma(s, u) = u^s exp(-u) sum_n u^n / (s (s+1) ... (s+n)): Abramowitz and Stegun 6.5.29.
    R term = 1 / R(2.5), sum = term;
    for (int n = 1; n < 60 && term > sum * epsilon_of<R>() / 4; ++n) {
      term *= u / (R(2.5) + n);
      sum += term;
    }
    return std::sqrt(2 / pi) / 3 * u * sum * std::exp(-u) / (rp * rp * rp);
  }
  /// (4 pi/3) h(r)
  UMOV_HD R gaussian(R r) const {
    if (rp == 0) return 0;
    return std::exp(-r * r / (2 * rp * rp)) * std::sqrt(2 / pi) / (3 * rp * rp * rp);
  }
  /// Twice the mean over [-d/2, d/2] of the normalised one-dimensional Gaussian at distance x.
  UMOV_HD R mean_gaussian_1d(R x) const {
    const R d = lattice.step[0], scale = std::sqrt(R(2)) * rp;
    const R y = std::fabs(x) / scale, h = d / (2 * scale);
    // Outside the cube both error functions are near 1: their complements keep the digits.
    return (y < h ? std::erf(y + h) - std::erf(y - h) : std::erfc(y - h) - std::erfc(y + h)) / d;
  }
  /// (4 pi/3) times the mean of h over the cube
  UMOV_HD R mean_gaussian(R x, R y, R z) const {
    const R d = lattice.step[0];
    // Without the volume in the denominator, as in ADDA; no lag of the lattice falls inside.
    if (rp == 0) return 4 * pi / 3 * inside_cube(x, y, z, d);
    return pi / 6 * mean_gaussian_1d(x) * mean_gaussian_1d(y) * mean_gaussian_1d(z);
  }
};

template <class T>
using NonLocal = NonLocalTerm<T, false>;
template <class T>
using NonLocalAveraged = NonLocalTerm<T, true>;

}  // namespace umov::dda
