// The Green's tensor averaged over a dipole by Gauss quadrature (formulation igt), on the host.
#pragma once

#include <array>
#include <complex>
#include <vector>

#include "core/types.hpp"
#include "dda/kernels/interaction.hpp"

namespace umov::dda {

/// Nodes and weights of Gauss-Legendre quadrature on [-1, 1], n from 1 to 64 points.
struct GaussRule {
  std::vector<double> node, weight;
};

/// Newton's method on the Legendre recurrence (Abramowitz and Stegun 22.7.10, 25.4.29).
inline GaussRule make_gauss_rule(int n) {
  GaussRule rule;
  for (int i = 0; i < n; ++i) {
    long double x = std::cos(3.14159265358979323846264338327950288L * (i + 0.75L) / (n + 0.5L)), slope = 1;
    for (int step = 0; step < 8; ++step) {
      long double p = x, before = 1;
      for (int j = 2; j <= n; ++j) {
        const long double next = ((2 * j - 1) * x * p - (j - 1) * before) / j;
        before = p;
        p = next;
      }
      slope = n * (x * p - before) / (x * x - 1);
      x -= p / slope;
    }
    rule.node.push_back(double(x));
    rule.weight.push_back(double(2 / ((1 - x * x) * slope * slope)));
  }
  return rule;
}

inline constexpr int max_gauss_points = 64;

inline const GaussRule& gauss_rule(int n) {
  static const std::vector<GaussRule> rules = [] {
    std::vector<GaussRule> all(1);
    for (int points = 1; points <= max_gauss_points; ++points) all.push_back(make_gauss_rule(points));
    return all;
  }();
  return rules[n];
}

/// Mean of the Green's tensor over the dipole: (1/V) int_V G(r - r') d^3r'
/// (Chaumet, Sentenac and Rahmani 2004, Phys. Rev. E 70, 036606).
///
/// The number of points follows from the Bernstein ellipse of each axis, so that the error is at the level of
/// rounding. ADDA integrates adaptively to its own precision argument and reproduces these numbers only so
/// far (`igt 3 0.01` asks it for 10^-0.01); the argument is therefore not needed here.
template <class T>
struct IntegratedGreen {
  using R = Wide<T>;
  LatticeSteps<T> lattice;
  double limit;  ///< point dipoles beyond this many longest edges; negative = no limit

  bool within_limit(double x, double y, double z) const {
    if (limit < 0) return true;
    const double reach = limit * std::fmax(lattice.step[0], std::fmax(lattice.step[1], lattice.step[2]));
    // ADDA leaves lags on the limit, such as (1,2,2) at 3, to rounding. Squares rounded one by one, not fused
    // with the sum, decide as it does.
    volatile double x2 = x * x, y2 = y * y, z2 = z * z;
    return x2 + y2 + z2 <= reach * reach;
  }

  /// Points along `axis` of the box of half-edges `half` about `p` for full double precision: an integrand
  /// analytic inside the ellipse of radius rho about [-1, 1] converges as rho^(-2n) (Trefethen 2008, SIAM
  /// Rev. 50, 67). The nearest singularity is where r^2 = 0, with the other two coordinates as near as the
  /// box allows.
  double points(const double p[3], const double half[3], int axis) const {
    double aside2 = 0;
    for (int c = 0; c < 3; ++c)
      if (c != axis) aside2 += std::pow(std::fmax(0, std::fabs(p[c]) - half[c]), 2);
    const std::complex<double> w(std::fabs(p[axis]) / half[axis], std::sqrt(aside2) / half[axis]);
    const std::complex<double> root = std::sqrt(w * w - 1.0);
    const double rho = std::fmax(std::abs(w + root), std::abs(w - root));
    return 18 / std::log(rho) + 2 + double(lattice.k) * half[axis];
  }

  /// Adds `share` times the mean over the box of half-edges `half` about `p`. A box too near the singularity
  /// for its edge (flat dipoles, one atop the other) is cut in two along that edge.
  void add_mean(const double p[3], const double half[3], double share, Complex<R> g[6]) const {
    const GaussRule* rule[3];
    for (int c = 0; c < 3; ++c) {
      const double wanted = points(p, half, c);
      if (!(wanted <= max_gauss_points)) return add_halves(p, half, c, share, g);
      rule[c] = &gauss_rule(int(std::ceil(wanted)));
    }
    const PointDipole<T> point{lattice};
    Complex<R> term[6];
    for (std::size_t iz = 0; iz < rule[2]->node.size(); ++iz)
      for (std::size_t iy = 0; iy < rule[1]->node.size(); ++iy)
        for (std::size_t ix = 0; ix < rule[0]->node.size(); ++ix) {
          point.at(R(p[0]) - R(half[0]) * rule[0]->node[ix], R(p[1]) - R(half[1]) * rule[1]->node[iy],
                   R(p[2]) - R(half[2]) * rule[2]->node[iz], term);
          const R weight = R(share * rule[0]->weight[ix] * rule[1]->weight[iy] * rule[2]->weight[iz]) / 8;
          for (int c = 0; c < 6; ++c) g[c] += weight * term[c];
        }
  }

  void add_halves(const double p[3], const double half[3], int axis, double share, Complex<R> g[6]) const {
    double at[3] = {p[0], p[1], p[2]}, edge[3] = {half[0], half[1], half[2]};
    edge[axis] /= 2;
    for (const double side : {-1.0, 1.0}) {
      at[axis] = p[axis] + side * edge[axis];
      add_mean(at, edge, share / 2, g);
    }
  }

  /// Displacements whose dipole contains the origin have no finite mean; they give zero.
  void at(R x, R y, R z, Complex<R> g[6]) const {
    if (!within_limit(double(x), double(y), double(z))) return PointDipole<T>{lattice}.at(x, y, z, g);
    const double p[3] = {double(x), double(y), double(z)};
    double half[3];
    bool outside = false;
    for (int c = 0; c < 3; ++c) {
      g[c] = g[c + 3] = Complex<R>{0, 0};
      half[c] = double(lattice.step[c]) / 2;
      outside = outside || std::fabs(p[c]) > half[c];
    }
    if (outside) add_mean(p, half, 1, g);
  }
  void operator()(long x, long y, long z, Complex<T> g[6]) const {
    const long lag[3] = {x, y, z};
    evaluate_lag(*this, lattice, x < 0 ? -x : x, y < 0 ? -y : y, z < 0 ? -z : z, g);
    restore_octant(lag, g);
  }
};

}  // namespace umov::dda
