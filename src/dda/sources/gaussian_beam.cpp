// Gaussian beams as expansions in the confinement factor.
#include "dda/sources/gaussian_beam.hpp"

namespace umov::dda::sources {
namespace {

constexpr cplx i_unit(0, 1);

/// The reduced variables of all expansions: x, y in units of w0, Q = 1/(2 zeta - i) with zeta = z/(k w0^2).
struct Reduced {
  double x, y, rho2, s;
  cplx q;
};

/// Third order: Davis 1979, eqs. 15 (with Q^2 in place of the misprinted Q in 15a).
CVec3 davis(const Reduced& b) {
  const double s2 = b.s * b.s, rho4 = b.rho2 * b.rho2;
  const cplx q = b.q, q2 = q * q, q3 = q2 * q;
  const cplx along = 1.0 - s2 * (4.0 * q2 * b.x * b.x + i_unit * q3 * rho4);
  const cplx axial =
      b.x * b.s * (-2.0 * q + s2 * (8.0 * q3 * b.rho2 + 2.0 * i_unit * q2 * q2 * rho4 - 4.0 * i_unit * q2));
  return {along, 0, axial};
}

/// Fifth order: Barton and Alexander 1989, eqs. 25 to 27.
CVec3 barton(const Reduced& b) {
  const double s2 = b.s * b.s, s4 = s2 * s2;
  const double rho2 = b.rho2, rho4 = rho2 * rho2, rho6 = rho4 * rho2, rho8 = rho4 * rho4;
  const cplx q = b.q, q2 = q * q, q3 = q2 * q, q4 = q2 * q2, q5 = q4 * q, q6 = q3 * q3, q7 = q6 * q;
  const cplx shared = 8.0 * rho2 * q4 + 2.0 * i_unit * rho4 * q5;
  const cplx along = 1.0 + s2 * (-rho2 * q2 - i_unit * rho4 * q3 - 2.0 * q2 * b.x * b.x) +
                     s4 * (2.0 * rho4 * q4 + 3.0 * i_unit * rho6 * q5 - 0.5 * rho8 * q6 + b.x * b.x * shared);
  const cplx across = b.x * b.y * (-2.0 * s2 * q2 + s4 * shared);
  const cplx axial = b.x * b.s *
                     (-2.0 * q + s2 * (6.0 * rho2 * q3 + 2.0 * i_unit * rho4 * q4) +
                      s4 * (-20.0 * rho4 * q5 - 10.0 * i_unit * rho6 * q6 + rho8 * q7));
  return {along, across, axial};
}

}  // namespace

CVec3 GaussianBeam::field(const Vec3& r) const {
  Reduced b{r[0] / w0_, r[1] / w0_, 0, s_, 1.0 / cplx(2 * r[2] * s_ / w0_, -1)};
  b.rho2 = b.x * b.x + b.y * b.y;
  const cplx psi = -i_unit * b.q * std::exp(i_unit * b.q * b.rho2) * std::polar(1.0, k_ * r[2]);
  CVec3 e{1, 0, 0};
  if (order_ == GaussianOrder::davis3) e = davis(b);
  if (order_ == GaussianOrder::barton5) e = barton(b);
  return {psi * e[0], psi * e[1], psi * e[2]};
}

}  // namespace umov::dda::sources
