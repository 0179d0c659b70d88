// Lorenz-Mie coefficients of homogeneous and coated spheres, and what is summed from them.
#include "mie/mie.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.hpp"
#include "mie/riccati.hpp"
#include "mie/small_sphere.hpp"

namespace umov::mie {
namespace {

bool finite(cplx z) { return std::isfinite(z.real()) && std::isfinite(z.imag()); }

void validate_index(cplx m, const char* what) {
  if (!finite(m)) throw BadInput(fmt::format("{} is not a finite number; give it as re or re,im", what));
  if (m.imag() < 0)
    throw BadInput(
        fmt::format("{} = {}{:+}i amplifies (its imaginary part is negative); absorption is a "
                    "positive imaginary part here",
                    what, m.real(), m.imag()));
  if (m.real() < 0 || m == cplx(0))
    throw BadInput(
        fmt::format("{} = {}{:+}i has no passive meaning (its real part is negative, or it is 0); "
                    "give Re m >= 0",
                    what, m.real(), m.imag()));
  if (std::abs(m) > largest_m || std::abs(m) < smallest_m)
    throw BadInput(
        fmt::format("|{}| = {:g} is beyond what is computed ({:g} to {:g}); the limit of such indices "
                    "is reached long before",
                    what, std::abs(m), smallest_m, largest_m));
}

/// A core too small to matter, whose functions would underflow: its volume is 1e-90 of the sphere's.
Sphere without_speck(Sphere s) {
  if (s.core_x < 1e-30 * s.x) s.core_x = 0;
  return s;
}

/// z psi_{n-1}(z)/psi_n(z) for n = 1..count (index 0 unused). The reciprocal of a tiny z would overflow.
std::vector<cplx> scaled_ratios(cplx z, int count) {
  std::vector<cplx> r(count + 1);
  if (std::abs(z) < 1e-100) {
    for (int n = 1; n <= count; ++n) r[n] = 2 * n + 1;
    return r;
  }
  r = psi_ratios(z, count);
  for (cplx& ratio : r) ratio *= z;
  return r;
}

/// e_n = z D_n(z) - (n+1) for n = 0..count-1 from the scaled ratios up to count: -z psi_{n+1}/psi_n, which
/// keeps its digits for small z.
std::vector<cplx> excesses(cplx z, const std::vector<cplx>& scaled) {
  std::vector<cplx> e(scaled.size() - 1);
  for (std::size_t n = 0; n < e.size(); ++n) e[n] = -z * (z / scaled[n + 1]);
  return e;
}

/// Everything the shell of a coated sphere needs at one of its two boundaries, argument z, order 1..count.
/// Powers of z are kept apart, so that a tiny z neither over- nor underflows.
struct ShellFunctions {
  std::vector<cplx> ratio;  ///< z psi_{n-1} / psi_n
  std::vector<cplx> e;      ///< z D1_n - (n+1), D1 the logarithmic derivative of psi_n
  std::vector<cplx> w;      ///< z (D3_n - D1_n), D3 that of zeta_n = psi_n - i chi_n
  cplx first;               ///< psi_1 / (z^3 zeta_1) times exp(-2 Im z)
};

/// D3 follows from the Wronskian, D3 = D1 + i / (psi zeta), with the product psi zeta by upward recurrence
/// (Yang 2003, eqs. 20-21): it is of order one however large Im z is.
ShellFunctions shell_functions(cplx z, int count) {
  ShellFunctions f;
  f.ratio = scaled_ratios(z, count + 1);
  f.e = excesses(z, f.ratio);
  f.w.resize(count + 1);
  const auto [sine, cosine] = scaled_sin_cos(z);
  const cplx over_z = std::abs(z) < 1e-8 ? cplx(std::exp(-std::abs(z.imag()))) : sine / z;
  const cplx direct = over_z - cosine;
  // psi_1 / z^2 times exp(-Im z), and z zeta_1 times exp(+Im z)
  const cplx psi1 = std::abs(direct) > std::abs(sine) ? direct / z / z : over_z / f.ratio[1];
  const cplx zeta1 = std::exp(i_unit * z.real()) * (-z - i_unit);
  f.first = psi1 / zeta1;
  cplx product = psi1 * zeta1;  // psi_n zeta_n / z
  f.w[1] = i_unit / product;
  for (int n = 2; n <= count; ++n) {
    product *= -(f.e[n - 1] + f.w[n - 1]) / f.ratio[n];
    f.w[n] = i_unit / product;
  }
  return f;
}

/// z H_n - (n+1) with z = m x and H the logarithmic derivatives seen from outside the sphere: `electric` in
/// place of D_n(m x) in a_n, `magnetic` in b_n. They differ only for a coated sphere.
struct Surface {
  std::vector<cplx> electric, magnetic;  ///< [n], n = 1..count
};

std::vector<cplx> homogeneous_excess(cplx z, int count) { return excesses(z, scaled_ratios(z, count + 1)); }

Surface coated_surface(const Sphere& s, int count) {
  const cplx z1 = s.m * s.core_x, z2 = s.m * s.x, m2 = s.m * s.m, core2 = s.core_m * s.core_m;
  const auto core = homogeneous_excess(s.core_m * s.core_x, count);
  const ShellFunctions inner = shell_functions(z1, count), outer = shell_functions(z2, count);
  Surface h{std::vector<cplx>(count + 1), std::vector<cplx>(count + 1)};
  // Q_n = (psi/zeta)(z1) / (psi/zeta)(z2), at most about exp(-2 Im(z2 - z1)).
  const double ratio = s.core_x / s.x;
  cplx q = inner.first / outer.first * (ratio * ratio * ratio) * std::exp(-2 * (z2.imag() - z1.imag()));
  for (int n = 1; n <= count; ++n) {
    if (n > 1)
      q *= outer.ratio[n] * (outer.e[n - 1] + outer.w[n - 1]) * (ratio * ratio) /
           (inner.ratio[n] * (inner.e[n - 1] + inner.w[n - 1]));
    // g is what the core's surface leaves unmatched by the shell's psi_n; `step` is what zeta_n adds
    const auto combine = [&](cplx g, cplx step) {
      return outer.e[n] - q * g * outer.w[n] / (g - step - q * g);
    };
    h.electric[n] =
        combine((n + 1.0) * (s.m - s.core_m) * (s.m + s.core_m) + m2 * core[n] - core2 * inner.e[n],
                core2 * inner.w[n]);
    h.magnetic[n] = combine(core[n] - inner.e[n], inner.w[n]);
  }
  return h;
}

Surface surface(const Sphere& s, int count) {
  if (s.core_x > 0) return coated_surface(s, count);
  auto e = homogeneous_excess(s.m * s.x, count);
  return {e, e};
}

/// u - (n+1), where u = z H / m^2 for a_n, of the excess of z H; near m = 1 without the difference of near
/// numbers that m^2 - 1 would be, and with an imaginary part of its own digits.
cplx electric_less(cplx excess, cplx m, int n) {
  const double contrast = (((m - 1.0) / m) * ((m + 1.0) / m)).real(), norm = std::norm(m);
  return excess / m / m - (n + 1.0) * cplx(contrast, 2 * (m.real() / norm) * (m.imag() / norm));
}

SmallSphere small_sphere(const Sphere& s) {
  const Surface h = surface(s, 2);
  return {s.x,
          {electric_less(h.electric[1], s.m, 1), electric_less(h.electric[2], s.m, 2)},
          {h.magnetic[1], h.magnetic[2]}};
}

}  // namespace

void validate(const Sphere& s) {
  if (!std::isfinite(s.x) || s.x <= 0)
    throw BadInput(
        fmt::format("size parameter {} is not a positive number; give x = 2 pi r / lambda > 0", s.x));
  if (s.x > largest_x)
    throw BadInput(
        fmt::format("size parameter {:g} is too large (at most {:g}); geometrical optics answers "
                    "such spheres",
                    s.x, largest_x));
  validate_index(s.m, "refractive index m");
  if (std::isnan(s.core_x) || s.core_x < 0)
    throw BadInput(fmt::format("core size parameter {} is negative or not a number", s.core_x));
  if (s.core_x >= s.x)
    throw BadInput(
        fmt::format("the core (x = {:g}) does not fit inside the sphere (x = {:g}); the core "
                    "radius must be the smaller one",
                    s.core_x, s.x));
  if (s.core_x > 0) validate_index(s.core_m, "core refractive index");
  if (s.m == cplx(1) && (s.core_x == 0 || s.core_m == cplx(1)))
    throw BadInput(
        "refractive index m = 1 scatters nothing (the sphere is the medium itself); give another m");
  if (s.core_x == 0 && std::abs(s.m - 1.0) < closest_to_one)
    throw BadInput(
        fmt::format("refractive index m differs from 1 by {:.2g} (rounding would leave few digits); take "
                    "Q proportional to |m - 1|^2 from an m farther off",
                    std::abs(s.m - 1.0)));
}

int partial_waves(double x) { return int(x + 7 * std::cbrt(x) + 3); }

Coefficients coefficients(const Sphere& sphere) {
  validate(sphere);
  const Sphere s = without_speck(sphere);
  const int count = partial_waves(s.x);
  Coefficients c{std::vector<cplx>(count), std::vector<cplx>(count), std::vector<double>(count)};
  if (s.x < small_x) {
    small_sphere(s).fill(c);
    return c;
  }
  const Surface h = surface(s, count);
  const auto ratios = psi_ratios(s.x, count + 1);
  const auto psi = scaled_psi(s.x, ratios);
  const auto chi_n = chi(s.x, count);
  for (int n = 1; n <= count; ++n) {
    const double outside = -s.x / ratios[n + 1];  // x D_n(x) - (n+1)
    // `less` is u - (n+1), where u/x takes the place of D_n(m x)/m and of m D_n(m x)
    const auto coefficient = [&](cplx less) {
      const cplx f = (less + (2 * n + 1.0)) / s.x;
      // Below the turning point both terms of the second form are nearly the same.
      const cplx numerator = n + 1 > s.x ? (less - outside) * (psi[n] / s.x) : f * psi[n] - psi[n - 1];
      const cplx denominator = numerator - i_unit * (f * chi_n[n] - chi_n[n - 1]);
      // Re(a) - |a|^2 = -Im(f) (psi_{n-1} chi_n - psi_n chi_{n-1}) / |denominator|^2, the Wronskian being 1
      c.absorbed[n - 1] -= f.imag() / std::norm(denominator);
      return numerator / denominator;
    };
    c.a[n - 1] = coefficient(electric_less(h.electric[n], s.m, n));
    c.b[n - 1] = coefficient(h.magnetic[n]);
  }
  return c;
}

Efficiencies efficiencies(double x, const Coefficients& c) {
  double abs = 0, sca = 0, asym = 0, sign = 1;
  cplx back = 0;
  const int count = int(c.a.size());
  // From the highest order down: the smallest terms are added first.
  for (int n = count; n >= 1; --n) {
    const cplx a = c.a[n - 1], b = c.b[n - 1];
    const double w = 2 * n + 1;
    abs += w * c.absorbed[n - 1];
    sca += w * (std::norm(a) + std::norm(b));
    sign = n % 2 ? -1 : 1;
    back += w * sign * (a - b);
    asym += w / (n * (n + 1.0)) * (a * std::conj(b)).real();
    if (n < count) asym += n * (n + 2.0) / (n + 1.0) * (a * std::conj(c.a[n]) + b * std::conj(c.b[n])).real();
  }
  Efficiencies e;
  const double x2 = x * x;
  e.qabs = std::max(0.0, 2 / x2 * abs);  // a coated sphere that absorbs next to nothing: rounding
  e.qsca = 2 / x2 * sca;
  e.qext = e.qabs + e.qsca;
  e.g = e.qsca > 0 ? 4 / x2 * asym / e.qsca : 0;
  e.qpr = e.qext - e.g * e.qsca;
  e.qback = std::norm(back) / x2;
  return e;
}

Efficiencies efficiencies(const Sphere& sphere) {
  validate(sphere);
  const Sphere s = without_speck(sphere);
  auto e = s.x < small_x ? small_sphere(s).efficiencies() : efficiencies(s.x, coefficients(s));
  // Without any absorbing part the rest is rounding, not absorption.
  if (s.m.imag() != 0 || (s.core_x > 0 && s.core_m.imag() != 0)) return e;
  e.qabs = 0;
  e.qext = e.qsca;
  e.qpr = e.qext - e.g * e.qsca;
  return e;
}

Amplitudes amplitudes(const Coefficients& c, double cos_theta) {
  cplx s1 = 0, s2 = 0;
  double pi_before = 0, pi_n = 1;  // angular functions pi_n, tau_n (Bohren and Huffman, eq. 4.47)
  for (std::size_t i = 0; i < c.a.size(); ++i) {
    const double n = double(i + 1);
    const double tau = n * cos_theta * pi_n - (n + 1) * pi_before;
    const double w = (2 * n + 1) / (n * (n + 1));
    s1 += w * (c.a[i] * pi_n + c.b[i] * tau);
    s2 += w * (c.a[i] * tau + c.b[i] * pi_n);
    const double next = ((2 * n + 1) * cos_theta * pi_n - (n + 1) * pi_before) / n;
    pi_before = pi_n;
    pi_n = next;
  }
  return {s1, s2};
}

std::array<double, 16> mueller(const Amplitudes& s) {
  const double perpendicular = std::norm(s.s1), parallel = std::norm(s.s2);
  const double s11 = 0.5 * (parallel + perpendicular), s12 = 0.5 * (parallel - perpendicular);
  const cplx mixed = s.s2 * std::conj(s.s1);
  const double s33 = mixed.real(), s34 = mixed.imag();
  return {s11, s12, 0, 0, s12, s11, 0, 0, 0, 0, s33, s34, 0, 0, -s34, s33};
}

}  // namespace umov::mie
