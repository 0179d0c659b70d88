// The Green's tensor averaged over a cuboid to second order in its edges.
#pragma once

#include "dda/kernels/green.hpp"

namespace umov::dda {

/// The functions h_n = (1/r d/dr)^n exp(ikr)/r, n = 1..4, of which all derivatives of G are made:
/// G = (h1 + k^2 h0) I + h2 rr.
template <class R>
struct RadialDerivatives {
  Complex<R> h[5];

  /// Of exp(ikr)/r.
  UMOV_HD static RadialDerivatives full(R k, R r) {
    const R x = k * r, s = 1 / (r * r);
    const Complex<R> e = scaled_phase(k, r);
    RadialDerivatives d;
    d.h[0] = (r * r) * e;
    d.h[1] = e * Complex<R>{-1, x};
    d.h[2] = s * (e * Complex<R>{3 - x * x, -3 * x});
    d.h[3] = s * s * (e * Complex<R>{-15 + 6 * x * x, x * (15 - x * x)});
    d.h[4] = s * s * s * (e * Complex<R>{105 + x * x * (x * x - 45), x * (10 * x * x - 105)});
    return d;
  }
  /// Takes the function c r^q, and its derivatives, off.
  UMOV_HD void subtract_power(R c, int q, R r) {
    R value = c * std::pow(r, R(q));
    for (int n = 0; n < 5; ++n) {
      h[n].re -= value;
      value *= q / (r * r);
      q -= 2;
    }
  }
};

/// f = A(r) I + B(r) rr with A = u1 + k^2 v0 and B = u2, for two radial functions u and v; u = v for G.
template <class R>
UMOV_HD inline void tensor_value(R k, const RadialDerivatives<R>& u, const RadialDerivatives<R>& v,
                                 const R p[3], Complex<R> f[6]) {
  const Complex<R> a = u.h[1] + (k * k) * v.h[0];
  for (int c = 0; c < 6; ++c) {
    const int i = tensor_row(c), j = tensor_column(c);
    f[c] = (p[i] * p[j]) * u.h[2];
    if (i == j) f[c] += a;
  }
}

/// Adds sum_i (d_i^2/24) d^2 f / dr_i^2, the second-order correction of the mean over the cuboid.
template <class R>
UMOV_HD inline void add_curvature(R k, const RadialDerivatives<R>& u, const RadialDerivatives<R>& v,
                                  const R edge[3], const R p[3], Complex<R> f[6]) {
  const R d2[3] = {edge[0] * edge[0], edge[1] * edge[1], edge[2] * edge[2]};
  const R sum = d2[0] + d2[1] + d2[2];
  const R weighted = d2[0] * p[0] * p[0] + d2[1] * p[1] * p[1] + d2[2] * p[2] * p[2];
  const Complex<R> diagonal = sum * (u.h[2] + (k * k) * v.h[1]) + weighted * (u.h[3] + (k * k) * v.h[2]);
  for (int c = 0; c < 6; ++c) {
    const int i = tensor_row(c), j = tensor_column(c);
    Complex<R> t = (p[i] * p[j]) * ((2 * (d2[i] + d2[j]) + sum) * u.h[3] + weighted * u.h[4]);
    if (i == j) t += diagonal + (2 * d2[i]) * u.h[2];
    f[c] += R(1) / 24 * t;
  }
}

/// asinh(t / rho) = ln((t + r)/rho) with rho^2 = r^2 - t^2: the antiderivative of 1/r along t.
template <class R>
UMOV_HD inline R log_term(R t, R rho2) {
  return std::asinh(t / std::sqrt(rho2));
}

/// Adds `sign` times the triple antiderivatives, at the corner q, of the static Green's tensor and of its
/// order k^2, (I + nn)/(2r), the latter times k^2. Corners lie off all lattice planes, so no q is zero.
template <class R>
UMOV_HD inline void add_corner(R sign, R k, const R q[3], R sum[6]) {
  const R q2[3] = {q[0] * q[0], q[1] * q[1], q[2] * q[2]};
  const R r = std::sqrt(q2[0] + q2[1] + q2[2]);
  R logs[3], angles[3];
  for (int i = 0; i < 3; ++i) {
    const int a = (i + 1) % 3, b = (i + 2) % 3;
    logs[i] = log_term(q[i], q2[a] + q2[b]);
    angles[i] = std::atan(q[a] * q[b] / (q[i] * r));
  }
  for (int c = 0; c < 6; ++c) {
    const int i = tensor_row(c), j = tensor_column(c);
    R fixed, dynamic;
    if (i == j) {
      const int a = (i + 1) % 3, b = (i + 2) % 3;
      fixed = -angles[i];
      dynamic = 2 * q[a] * q[b] * logs[i] + q[i] * q[b] * logs[a] - q2[a] * angles[a] +
                q[i] * q[a] * logs[b] - q2[b] * angles[b];
    } else {
      const int other = 3 - i - j;
      fixed = logs[other];
      dynamic = -(q[other] * r + (q2[i] + q2[j]) * logs[other]) / 2;
    }
    sum[c] += sign * (fixed + k * k / 2 * dynamic);
  }
}

/// Exact means over the cuboid of the static part of G and of its part of order k^2.
template <class R>
UMOV_HD inline void mean_static(R k, const R edge[3], const R p[3], R mean[6]) {
  for (int c = 0; c < 6; ++c) mean[c] = 0;
  for (int corner = 0; corner < 8; ++corner) {
    const int s[3] = {corner & 1 ? 1 : -1, corner & 2 ? 1 : -1, corner & 4 ? 1 : -1};
    const R q[3] = {p[0] + s[0] * edge[0] / 2, p[1] + s[1] * edge[1] / 2, p[2] + s[2] * edge[2] / 2};
    add_corner(R(s[0] * s[1] * s[2]), k, q, mean);
  }
  for (int c = 0; c < 6; ++c) mean[c] /= edge[0] * edge[1] * edge[2];
}

/// The three ranges of ADDA's formulation igt_so: beyond kr = 5 the plain second-order expansion of G;
/// nearer, static and k^2 parts exactly and the rest A to second order; within a fifth of the dipole, A at
/// the point. Evaluated at |p|, so that the symmetries of G hold to the last digit.
template <class R>
UMOV_HD inline void second_order_green(R k, const R edge[3], const R displacement[3], Complex<R> g[6]) {
  const R p[3] = {std::fabs(displacement[0]), std::fabs(displacement[1]), std::fabs(displacement[2])};
  const R r2 = p[0] * p[0] + p[1] * p[1] + p[2] * p[2], r = std::sqrt(r2);
  const R longest = std::fmax(edge[0], std::fmax(edge[1], edge[2]));
  RadialDerivatives<R> u = RadialDerivatives<R>::full(k, r), v = u;
  if (k * k * r2 > 25) {
    tensor_value(k, u, v, p, g);
    add_curvature(k, u, v, edge, p, g);
  } else {
    u.subtract_power(1, -1, r);
    v = u;
    u.subtract_power(-k * k / 2, 1, r);
    tensor_value(k, u, v, p, g);
    if (25 * r2 > longest * longest) add_curvature(k, u, v, edge, p, g);
    R mean[6];
    mean_static(k, edge, p, mean);
    for (int c = 0; c < 6; ++c) g[c].re += mean[c];
  }
  restore_octant(displacement, g);
}

}  // namespace umov::dda
