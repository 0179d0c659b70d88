// Any incident polarization from the solutions for two.
#include "dda/observables/jones.hpp"

#include <cmath>

#include "core/error.hpp"

namespace umov::dda {

namespace {

/// C(e) = scale Re(e*.F e), F the matrix of the forward amplitudes along pol_x, pol_y: its Hermitian part.
QuadraticCross hermitian_part(const cplx& xx, const cplx& xy, const cplx& yx, const cplx& yy, double scale) {
  return {scale * xx.real(), scale * yy.real(), 0.5 * scale * (xy + std::conj(yx))};
}

}  // namespace

PrincipalJones principal_axes(const Jones& e) {
  const double length = std::sqrt(std::norm(e.x) + std::norm(e.y));
  if (!(length > 0) || !std::isfinite(length))
    throw BadInput("a polarization without direction (its components are zero); give one that is not");
  // Stokes parameters of the wave: psi is the azimuth of the ellipse, chi its ellipticity.
  const double s1 = std::norm(e.x) - std::norm(e.y);
  const double s2 = 2 * (std::conj(e.x) * e.y).real(), s3 = 2 * (std::conj(e.x) * e.y).imag();
  const double psi = std::hypot(s1, s2) > 1e-12 * length * length ? 0.5 * std::atan2(s2, s1) : 0;
  const double chi = 0.5 * std::asin(std::clamp(s3 / (length * length), -1.0, 1.0));
  PrincipalJones out;
  out.turn = psi * 180 / pi;
  out.jones = {std::cos(chi), cplx(0, std::sin(chi))};
  return out;
}

Jones orthogonal(const Jones& e) { return {-std::conj(e.y), std::conj(e.x)}; }

std::array<cplx, 2> scattered(const Amplitude& s, double phi, const Jones& e) {
  const double c = std::cos(phi * pi / 180), si = std::sin(phi * pi / 180);
  const cplx parallel = c * e.x + si * e.y, perpendicular = si * e.x - c * e.y;
  return {s[1] * parallel + s[2] * perpendicular, s[3] * parallel + s[0] * perpendicular};
}

double QuadraticCross::of(const Jones& e) const {
  return std::norm(e.x) * xx + std::norm(e.y) * yy + 2 * (std::conj(e.x) * e.y * xy).real();
}

QuadraticCross forward_cross(const Amplitude& s, double k, bool phase_lag) {
  // At azimuth 0 the parallel direction is pol_x and the perpendicular one -pol_y.
  const cplx turn = phase_lag ? cplx(0, 1) : cplx(1);
  return hermitian_part(turn * s[1], -turn * s[2], -turn * s[3], turn * s[0], 4 * pi / (k * k));
}

cplx absorption_between(double k, std::span<const CVec3> alpha, const shapes::Particle& particle,
                        std::span<const CVec3> p_x, std::span<const CVec3> p_y) {
  std::vector<Vec3> weight;
  for (const CVec3& a : alpha) {
    Vec3 w;
    for (int c = 0; c < 3; ++c) w[c] = -(1.0 / a[c]).imag() - 2 * k * k * k / 3;
    weight.push_back(w);
  }
  cplx sum = 0;
  std::size_t dipole = 0;
  for (const std::uint8_t material : particle.material) {
    if (material == 0) continue;
    const Vec3& w = weight[material - 1];
    for (int c = 0; c < 3; ++c) sum += w[c] * std::conj(p_x[dipole][c]) * p_y[dipole][c];
    ++dipole;
  }
  return 4 * pi * k * sum;
}

}  // namespace umov::dda
