// Dipole terms of spheres far smaller than the wavelength.
#include "mie/small_sphere.hpp"

#include "mie/riccati.hpp"

namespace umov::mie {
namespace {

constexpr cplx I{0, 1};

/// z D_1(z) - 2, by its series where the difference would lose digits: -z^2/5 - z^4/175 - 2 z^6/7875.
cplx first_less_two(cplx z) {
  const cplx z2 = z * z;
  if (std::abs(z) < 1e-2) return -z2 / 5.0 - z2 * z2 / 175.0 - 2.0 * z2 * z2 * z2 / 7875.0;
  return z * psi_log_derivatives(z, psi_ratios(z, 1))[1] - 2.0;
}

/// z D_1 outside a thin shell of electrostatic fields r^2 and 1/r, from its value `inside` in the shell's
/// terms; f is the ratio of the volumes.
cplx through_shell(cplx inside, double f) {
  const cplx beta = (2.0 - inside) / (1.0 + inside);
  return (2.0 - beta * f) / (1.0 + beta * f);
}

/// u - 2 for a_1 from z D_1 - 2; near m = 1 without the difference of near numbers that m^2 - 1 would be.
cplx electric_less_two(cplx first, cplx m) {
  if (std::abs(m) > 2) return (first + 2.0) / m / m - 2.0;
  return first / m / m - 2.0 * ((m - 1.0) / m) * ((m + 1.0) / m);
}

}  // namespace

SmallSphere::SmallSphere(const Sphere& s, const ShellDerivative& thick) : x_(s.x) {
  if (s.core_x == 0) {
    const cplx first = first_less_two(s.m * s.x);
    electric_ = dipole(electric_less_two(first, s.m));
    magnetic_ = dipole(first);
    return;
  }
  if (std::abs(s.m) * s.x >= small_x) {
    const auto [electric, magnetic] = thick();
    electric_ = dipole(electric / s.m / s.m - 2.0);
    magnetic_ = dipole(magnetic - 2.0);
    return;
  }
  const double ratio = s.core_x / s.x, f = ratio * ratio * ratio;
  const cplx core = first_less_two(s.core_m * s.core_x) + 2.0, step = s.m / s.core_m;
  electric_ = dipole(through_shell(step * step * core, f) / s.m / s.m - 2.0);
  magnetic_ = dipole(through_shell(core, f) - 2.0);
}

SmallSphere::Dipole SmallSphere::dipole(cplx two_less) const {
  Dipole d;
  d.two_less = two_less;
  d.p = two_less / 3.0;
  d.q = two_less + 3.0 - x_ * x_;
  d.denominator = d.q + I * (x_ * x_ * x_ * d.p);
  return d;
}

cplx SmallSphere::Dipole::amplitude() const { return I * p / denominator; }

/// -Im(p conj(q)) = -Im(u - 2), over |denominator|^2.
double SmallSphere::Dipole::absorption() const { return -two_less.imag() / std::norm(denominator); }

std::pair<cplx, cplx> SmallSphere::coefficients() const {
  const double x3 = x_ * x_ * x_;
  return {x3 * electric_.amplitude(), x3 * magnetic_.amplitude()};
}

Efficiencies SmallSphere::efficiencies() const {
  const cplx a = electric_.amplitude(), b = magnetic_.amplitude();
  const double x4 = x_ * x_ * x_ * x_, norms = std::norm(a) + std::norm(b);
  Efficiencies e;
  e.qsca = 6 * x4 * norms;
  e.qabs = 6 * x_ * (electric_.absorption() + magnetic_.absorption());
  e.qext = e.qabs + e.qsca;
  e.g = norms > 0 ? (a * std::conj(b)).real() / norms : 0;
  e.qpr = e.qext - e.g * e.qsca;
  e.qback = 9 * x4 * std::norm(a - b);
  return e;
}

}  // namespace umov::mie
