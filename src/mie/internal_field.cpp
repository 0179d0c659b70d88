// The field inside a homogeneous sphere, to compare dipole polarizations with.
#include "core/error.hpp"
#include "mie/mie.hpp"
#include "mie/riccati.hpp"

namespace umov::mie {
InternalField::InternalField(const Sphere& s) : x_(s.x), m_(s.m) {
  validate(s);
  if (s.core_x > 0)
    throw BadInput(
        "internal field of a coated sphere (only homogeneous spheres have one here); drop the core");
  const int count = partial_waves(s.x);
  const cplx z = s.m * s.x;
  const auto ratios = psi_ratios(z, count);
  const auto d = psi_log_derivatives(z, ratios);
  psi_ = scaled_psi(z, ratios);
  const auto psi = scaled_psi(s.x, psi_ratios(s.x, count));
  const auto chi_n = chi(s.x, count);
  c_.resize(count + 1);
  d_.resize(count + 1);
  cplx power = i_unit;
  for (int n = 1; n <= count; ++n, power *= i_unit) {
    const cplx zeta = psi[n] - i_unit * chi_n[n];
    const cplx zeta_slope = psi[n - 1] - i_unit * chi_n[n - 1] - double(n) / s.x * zeta;
    // c_n psi_n(m x) and d_n psi_n(m x): the numerators of eq. 4.52 are Wronskians, i.
    const cplx weight = power * double(2 * n + 1) / double(n * (n + 1.0));
    c_[n] = weight * i_unit * s.m / (zeta_slope - s.m * d[n] * zeta);
    d_[n] = weight * i_unit * s.m / (s.m * zeta_slope - d[n] * zeta);
  }
}

CVec3 InternalField::at(const Vec3& kr) const {
  const double r = norm(kr);
  if (r > x_) return {};
  // At the centre itself the formulas are 0/0; the field is smooth on this scale.
  const double rho = std::max(r, 1e-6 * std::min(1.0, x_));
  const double cos_theta = r > 0 ? std::clamp(kr[2] / r, -1.0, 1.0) : 1.0;
  const double transverse = std::hypot(kr[0], kr[1]);
  const double sin_theta = r > 0 ? transverse / r : 0.0;
  const double cos_phi = transverse > 0 ? kr[0] / transverse : 1.0;
  const double sin_phi = transverse > 0 ? kr[1] / transverse : 0.0;

  const cplx z = m_ * rho;
  const int count = int(c_.size()) - 1;
  const auto ratios = psi_ratios(z, count);
  const auto psi = scaled_psi(z, ratios);
  const double decay = std::exp(std::abs(z.imag()) - std::abs(m_.imag()) * x_);
  cplx radial = 0, polar = 0, azimuthal = 0;
  double pi_before = 0, pi_n = 1;
  for (int n = 1; n <= count; ++n) {
    const double tau = n * cos_theta * pi_n - (n + 1) * pi_before;
    if (std::abs(psi_[n]) < 1e-280) break;  // beyond the orders that reach inside
    const cplx j = psi[n] / psi_[n] / z;    // j_n(z) / psi_n(m x)
    const cplx slope = (ratios[n] - double(n) / z) * j;
    const cplx c = c_[n], d = -i_unit * d_[n];
    radial += d * double(n * (n + 1.0)) * sin_theta * pi_n * j / z;
    polar += c * pi_n * j + d * tau * slope;
    azimuthal -= c * tau * j + d * pi_n * slope;
    const double next = ((2 * n + 1) * cos_theta * pi_n - (n + 1) * pi_before) / n;
    pi_before = pi_n;
    pi_n = next;
  }
  radial *= decay * cos_phi;
  polar *= decay * cos_phi;
  azimuthal *= decay * sin_phi;
  const cplx outward = radial * sin_theta + polar * cos_theta;
  return {outward * cos_phi - azimuthal * sin_phi, outward * sin_phi + azimuthal * cos_phi,
          radial * cos_theta - polar * sin_theta};
}

}  // namespace umov::mie
