// Lorenz-Mie coefficients of homogeneous and coated spheres, and what is summed from them.
#include "mie/mie.hpp"

#include <fmt/format.h>

#include "core/error.hpp"
#include "mie/riccati.hpp"
#include "mie/small_sphere.hpp"

namespace umov::mie {
namespace {

constexpr cplx I{0, 1};

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

/// Everything the shell of a coated sphere needs at one of its two boundaries, argument z, order 1..count.
struct ShellFunctions {
  std::vector<cplx> ratio;   ///< psi_{n-1} / psi_n
  std::vector<cplx> d1, d3;  ///< logarithmic derivatives of psi_n and of zeta_n = psi_n - i chi_n
  cplx first;                ///< psi_1 / zeta_1 times exp(-2 Im z)
};

/// D3 follows from the Wronskian, D3 = D1 + i / (psi zeta), with the product psi zeta by upward recurrence
/// (Yang 2003, eqs. 20-21): it is of order one however large Im z is.
ShellFunctions shell_functions(cplx z, int count) {
  ShellFunctions f;
  f.ratio = psi_ratios(z, count);
  f.d1 = psi_log_derivatives(z, f.ratio);
  f.d3.resize(count + 1);
  const auto [sine, cosine] = scaled_sin_cos(z);
  const cplx direct = sine / z - cosine;
  const cplx psi1 = std::abs(direct) > std::abs(sine) ? direct : sine / f.ratio[1];  // times exp(-Im z)
  const cplx zeta1 = std::exp(I * z.real()) * (-1.0 - I / z);                        // times exp(+Im z)
  f.first = psi1 / zeta1;
  cplx product = psi1 * zeta1;
  f.d3[1] = f.d1[1] + I / product;
  for (int n = 2; n <= count; ++n) {
    const cplx forward = double(n) / z;
    product *= (forward - f.d3[n - 1]) / f.ratio[n];
    f.d3[n] = f.d1[n] + I / product;
  }
  return f;
}

/// Logarithmic derivatives seen from outside the sphere: `electric` in place of D_n(m x) in a_n, `magnetic`
/// in b_n. They differ only for a coated sphere.
struct SurfaceDerivatives {
  std::vector<cplx> electric, magnetic;
};

SurfaceDerivatives homogeneous_surface(cplx z, int count) {
  auto d = psi_log_derivatives(z, psi_ratios(z, count));
  return {d, d};
}

SurfaceDerivatives coated_surface(const Sphere& s, int count) {
  const cplx z1 = s.m * s.core_x, z2 = s.m * s.x;
  const auto core = homogeneous_surface(s.core_m * s.core_x, count).electric;
  const ShellFunctions inner = shell_functions(z1, count), outer = shell_functions(z2, count);
  SurfaceDerivatives h{std::vector<cplx>(count + 1), std::vector<cplx>(count + 1)};
  // Q_n = (psi/zeta)(z1) / (psi/zeta)(z2), at most about exp(-2 Im(z2 - z1)).
  cplx q = inner.first / outer.first * std::exp(-2 * (z2.imag() - z1.imag()));
  for (int n = 1; n <= count; ++n) {
    if (n > 1) {
      const double order = n;
      q *=
          outer.ratio[n] * (order / z2 - outer.d3[n - 1]) / (inner.ratio[n] * (order / z1 - inner.d3[n - 1]));
    }
    const auto combine = [&](cplx g1, cplx g2) {
      return (g2 * outer.d1[n] - q * g1 * outer.d3[n]) / (g2 - q * g1);
    };
    h.electric[n] = combine(s.m * core[n] - s.core_m * inner.d1[n], s.m * core[n] - s.core_m * inner.d3[n]);
    h.magnetic[n] = combine(s.core_m * core[n] - s.m * inner.d1[n], s.core_m * core[n] - s.m * inner.d3[n]);
  }
  return h;
}

/// z D_1 of both kinds at the surface of a sphere whose shell is too thick in waves for electrostatics.
ShellDerivative surface_of_first_order(const Sphere& s) {
  return [s] {
    const auto h = coated_surface(s, 1);
    const cplx z = s.m * s.x;
    return std::pair<cplx, cplx>{z * h.electric[1], z * h.magnetic[1]};
  };
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
  if (s.x < small_x) {
    const auto [a, b] = SmallSphere(s, surface_of_first_order(s)).coefficients();
    Coefficients c{std::vector<cplx>(count), std::vector<cplx>(count)};
    c.a[0] = a, c.b[0] = b;
    return c;
  }
  const auto surface = s.core_x > 0 ? coated_surface(s, count) : homogeneous_surface(s.m * s.x, count);
  const auto psi = scaled_psi(s.x, psi_ratios(s.x, count));
  const auto chi_n = chi(s.x, count);
  Coefficients c{std::vector<cplx>(count), std::vector<cplx>(count)};
  for (int n = 1; n <= count; ++n) {
    const cplx zeta = psi[n] - I * chi_n[n], zeta_before = psi[n - 1] - I * chi_n[n - 1];
    const auto coefficient = [&](cplx d) {
      const cplx f = d + n / s.x;
      return (f * psi[n] - psi[n - 1]) / (f * zeta - zeta_before);
    };
    c.a[n - 1] = coefficient(surface.electric[n] / s.m);
    c.b[n - 1] = coefficient(surface.magnetic[n] * s.m);
  }
  return c;
}

Efficiencies efficiencies(double x, const Coefficients& c) {
  double ext = 0, sca = 0, asym = 0, sign = 1;
  cplx back = 0;
  const int count = int(c.a.size());
  // From the highest order down: the smallest terms are added first.
  for (int n = count; n >= 1; --n) {
    const cplx a = c.a[n - 1], b = c.b[n - 1];
    const double w = 2 * n + 1;
    ext += w * (a + b).real();
    sca += w * (std::norm(a) + std::norm(b));
    sign = n % 2 ? -1 : 1;
    back += w * sign * (a - b);
    asym += w / (n * (n + 1.0)) * (a * std::conj(b)).real();
    if (n < count) asym += n * (n + 2.0) / (n + 1.0) * (a * std::conj(c.a[n]) + b * std::conj(c.b[n])).real();
  }
  Efficiencies e;
  const double x2 = x * x;
  e.qext = 2 / x2 * ext;
  e.qsca = 2 / x2 * sca;
  e.qabs = e.qext - e.qsca;
  e.g = e.qsca > 0 ? 4 / x2 * asym / e.qsca : 0;
  e.qpr = e.qext - e.g * e.qsca;
  e.qback = std::norm(back) / x2;
  return e;
}

Efficiencies efficiencies(const Sphere& sphere) {
  validate(sphere);
  const Sphere s = without_speck(sphere);
  auto e = s.x < small_x ? SmallSphere(s, surface_of_first_order(s)).efficiencies()
                         : efficiencies(s.x, coefficients(s));
  // Without any absorbing part the difference is rounding, not absorption.
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
