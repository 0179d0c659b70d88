// Any incident polarization from the solutions for two: cross sections and scattered fields are linear or
// Hermitian in its Jones vector.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "dda/observables/scattering.hpp"

namespace umov::dda {

/// The incident polarization x pol_x + y pol_y, of unit length.
struct Jones {
  cplx x = 1, y = 0;
};

/// The same polarization seen from a frame turned about the propagation so that its axes are the ellipse's:
/// x real and y = i times a real number, |x| >= |y|. Linear light is then along x.
struct PrincipalJones {
  double turn = 0;  ///< degrees from pol_x to the ellipse's long axis, towards pol_y; -90 to 90
  Jones jones;      ///< in that frame, up to a phase
  bool linear() const { return std::abs(jones.y) < 1e-12; }
  bool circular() const { return std::abs(std::abs(jones.x) - std::abs(jones.y)) < 1e-12; }
};
/// Throws BadInput for the zero vector.
PrincipalJones principal_axes(const Jones&);
/// The polarization orthogonal to it: -conj(y), conj(x).
Jones orthogonal(const Jones&);

/// Scattered amplitudes parallel and perpendicular to the scattering plane at azimuth phi (degrees).
std::array<cplx, 2> scattered(const Amplitude&, double phi, const Jones&);

/// Cross sections that are quadratic in the incident field, for X, Y and between them:
/// C(e) = |x|^2 xx + |y|^2 yy + 2 Re(conj(x) y xy).
struct QuadraticCross {
  double xx = 0, yy = 0;
  cplx xy = 0;
  double of(const Jones& e) const;
};
/// C_ext by the optical theorem, and 2 C_pha (the phase lag, Draine 1988, Astrophys. J. 333, 848), from the
/// amplitude matrix forward at azimuth 0; k in 1/um. `part` 1 takes the real part of e*.f(0), -i its
/// imaginary one, with the sign that C_pha has.
QuadraticCross forward_cross(const Amplitude& forward, double k, bool phase_lag);

/// The term between two solutions of the absorption cross section (Draine 1988, eq. 3.06), um^2:
/// 4 pi k sum_j w_j conj(P_x) P_y with w = -Im(1/alpha) - 2 k^3 / 3.
cplx absorption_between(double k, std::span<const CVec3> alpha, const shapes::Particle&,
                        std::span<const CVec3> p_x, std::span<const CVec3> p_y);

}  // namespace umov::dda
