// Scattering by a spheroid, light along its axis: the block of the T-matrix of azimuthal order 1 at work.
#pragma once

#include <Eigen/Dense>
#include <cmath>
#include <vector>

#include "core/types.hpp"

namespace umov::test {

/// Semi-axes times the wavenumber: across and along the axis of rotation.
struct Spheroid {
  double across, along;
  cplx m;
};

/// Cross sections times k^2.
struct SpheroidSections {
  double ext, sca;
};

/// Spherical Bessel functions j_0 ... j_n of complex z by Miller's downward recurrence.
inline std::vector<cplx> bessel_j(int n, cplx z) {
  const int start = n + 40 + int(std::abs(z));
  std::vector<cplx> j(start + 2, 0.0);
  j[start] = 1e-280;
  for (int k = start; k > 0; --k) {
    j[k - 1] = double(2 * k + 1) / z * j[k] - j[k + 1];
    if (std::abs(j[k - 1]) > 1e200)
      for (int i = k - 1; i <= start; ++i) j[i] *= 1e-200;
  }
  // by the larger of j_0 and j_1, one of which may vanish
  const cplx zero = std::sin(z) / z, one = zero / z - std::cos(z) / z;
  const cplx scale = std::abs(zero) > std::abs(one) ? zero / j[0] : one / j[1];
  j.resize(n + 1);
  for (cplx& v : j) v *= scale;
  return j;
}
/// h_0 ... h_n of the first kind by upward recurrence, which is stable for its imaginary part.
inline std::vector<cplx> hankel(int n, double x) {
  std::vector<cplx> h = bessel_j(n, x);
  double before = -std::cos(x) / x, now = before / x - std::sin(x) / x;
  h[0] += cplx(0, before);
  for (int k = 1; k <= n; ++k) {
    h[k] += cplx(0, now);
    const double next = (2 * k + 1) / x * now - before;
    before = now;
    now = next;
  }
  return h;
}

/// Points and weights of Gauss and Legendre on (-1, 1).
inline std::pair<std::vector<double>, std::vector<double>> gauss(int n) {
  std::vector<double> x(n), w(n);
  for (int i = 0; i < n; ++i) {
    double t = std::cos(pi * (i + 0.75) / (n + 0.5)), slope = 1;
    for (int step = 0; step < 30; ++step) {
      double p = 1, before = 0;
      for (int k = 1; k <= n; ++k) {
        const double next = ((2 * k - 1) * t * p - (k - 1) * before) / k;
        before = p;
        p = next;
      }
      slope = n * (before - t * p) / (1 - t * t);
      t -= p / slope;
    }
    x[i] = t;
    w[i] = 2 / ((1 - t * t) * slope * slope);
  }
  return {x, w};
}

/// Fields of one azimuthal order along a meridian of the surface: E and H along it and along phi.
struct AlongSurface {
  cplx et, ep, ht, hp;
};
/// n . (E_a x H_b - E_b x H_a)
inline cplx crossed(const AlongSurface& a, const AlongSurface& b) {
  return a.et * b.hp - a.ep * b.ht - (b.et * a.hp - b.ep * a.ht);
}

/// A point of the meridian, (t_r, t_theta) its tangent, and the vector spherical waves of azimuthal order +-1
/// there (Bohren and Huffman 1983, eqs. 4.17 to 4.20, even +- i odd):
///   M = z_n (+-i pi_n, -tau_n) along theta and phi,
///   N = (n (n + 1) P_n z_n/r, tau_n (r z_n)'/r, +-i pi_n (r z_n)'/r), curl M = k N, curl N = k M.
struct MeridianPoint {
  double tr, tt;
  std::vector<double> angular, tau, legendre;  ///< pi_n, tau_n, P_n

  MeridianPoint(int waves, double cosine, double r_tangent, double theta_tangent)
      : tr(r_tangent), tt(theta_tangent), angular(waves + 2), tau(waves + 1), legendre(waves + 1) {
    angular[1] = 1;
    const double sine = std::sqrt(1 - cosine * cosine);
    for (int n = 1; n <= waves; ++n) {
      angular[n + 1] = ((2 * n + 1) * cosine * angular[n] - (n + 1) * angular[n - 1]) / n;
      tau[n] = n * cosine * angular[n] - (n + 1) * angular[n - 1];
      legendre[n] = sine * angular[n];
    }
  }
  /// N (`electric`) or M with radial functions z at k r = rho; H over that of the medium outside.
  AlongSurface wave(int n, bool electric, int order, const std::vector<cplx>& z, cplx rho, cplx index) const {
    const cplx turn(0, order), radial = z[n], derivative = z[n - 1] - double(n) / rho * z[n];
    const cplx mt = tt * turn * angular[n] * radial, mp = -tau[n] * radial,
               nt = tr * double(n * (n + 1)) * legendre[n] * radial / rho + tt * tau[n] * derivative,
               np = turn * angular[n] * derivative;
    if (electric) return {nt, np, index * mt, index * mp};
    return {mt, mp, index * nt, index * np};
  }
};

/// Waterman's null-field method (1965, Proc. IEEE 53, 805): the field inside, a sum of regular waves, is on
/// the surface the whole field outside. Reciprocity with an outgoing wave there gives the incident one, with
/// a regular wave the scattered one. A circular plane wave along +z is sum -i E_n (M_n + N_n), E_n = i^n (2n
/// + 1)/(n (n + 1)) (Bohren and Huffman, eq. 4.37); two equal waves exchange i 2 n^2 (n + 1)^2/(2n + 1).
inline SpheroidSections scattering_along_axis(const Spheroid& s, int waves) {
  const int points = 8 * waves, size = 2 * waves;
  const auto [cosines, weights] = gauss(points);
  Eigen::MatrixXcd null = Eigen::MatrixXcd::Zero(size, size), scattered = null;
  for (int p = 0; p < points; ++p) {
    const double c = cosines[p], sine2 = 1 - c * c, a = 1 / (s.across * s.across),
                 b = 1 / (s.along * s.along);
    const double u = sine2 * a + c * c * b, r = 1 / std::sqrt(u),
                 slope = -r / u * std::sqrt(sine2) * c * (a - b), length = std::hypot(r, slope);
    const MeridianPoint at(waves, c, slope / length, r / length);
    const auto inside = bessel_j(waves, s.m * r), regular = bessel_j(waves, r), outgoing = hankel(waves, r);
    for (int j = 0; j < size; ++j) {
      const AlongSurface field = at.wave(j / 2 + 1, j % 2, 1, inside, s.m * r, s.m);
      for (int i = 0; i < size; ++i) {
        const double weight = weights[p] * r * length;
        null(i, j) += weight * crossed(field, at.wave(i / 2 + 1, i % 2, -1, outgoing, r, 1));
        scattered(i, j) += weight * crossed(field, at.wave(i / 2 + 1, i % 2, -1, regular, r, 1));
      }
    }
  }
  Eigen::VectorXcd incident(size), exchange(size);
  for (int i = 0; i < size; ++i) {
    const double n = i / 2 + 1;
    exchange[i] = cplx(0, 2 * n * n * (n + 1) * (n + 1) / (2 * n + 1));
    incident[i] = cplx(0, -1) * std::pow(cplx(0, 1), n) * (2 * n + 1) / (n * (n + 1));
  }
  // rows and columns of one size, or the large orders would drown the small ones
  Eigen::VectorXd rows(size), columns(size);
  for (int i = 0; i < size; ++i) rows[i] = 1 / null.row(i).norm();
  null = rows.asDiagonal() * null;
  for (int j = 0; j < size; ++j) columns[j] = 1 / null.col(j).norm();
  null = null * columns.asDiagonal();
  const Eigen::VectorXcd right = rows.asDiagonal() * exchange.cwiseProduct(incident);
  const Eigen::VectorXcd field = columns.asDiagonal() * null.fullPivLu().solve(right);
  const Eigen::VectorXcd found = scattered * field;
  SpheroidSections out{0, 0};
  for (int i = 0; i < size; ++i) {
    // as Mie's coefficients: minus what is scattered of the incident wave
    const cplx mie = found[i] / exchange[i] / incident[i];
    const double n = i / 2 + 1;
    out.ext += 2 * pi * (2 * n + 1) * mie.real();
    out.sca += 2 * pi * (2 * n + 1) * std::norm(mie);
  }
  return out;
}

}  // namespace umov::test
