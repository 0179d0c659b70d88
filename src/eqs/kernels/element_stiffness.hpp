// An element's stiffness matrix applied in registers: first order, second order with a tensor per quadrature
// point, and the absolute values of what such products add up.
#pragma once

#include "eqs/kernels/element.hpp"
#include "eqs/kernels/quadratic_stiffness.hpp"

namespace umov::eqs {

/// A number whose sums and differences add absolute values: with it a product gives the sum of |terms|, which
/// is what rounding is measured by.
struct Absolute {
  double v = 0;
  UMOV_HD Absolute() {}
  UMOV_HD explicit Absolute(double x) : v(x < 0 ? -x : x) {}
  UMOV_HD friend Absolute operator-(Absolute a) { return a; }
  UMOV_HD friend Absolute operator+(Absolute a, Absolute b) { return Absolute(a.v + b.v); }
  UMOV_HD friend Absolute operator-(Absolute a, Absolute b) { return Absolute(a.v + b.v); }
  UMOV_HD friend Absolute operator*(Absolute a, Absolute b) { return Absolute(a.v * b.v); }
  UMOV_HD friend Absolute operator*(Absolute a, double b) { return Absolute(a.v * b); }
};

/// y = K u of the four-node tetrahedron. `g` holds grad(lambda_i) . D grad(lambda_j) V for (i, j) = 11, 22,
/// 33, 12, 13, 23.
template <class V>
UMOV_HD inline void linear_stiffness(const V* g, const V* u, V* y) {
  const V d1 = u[1] - u[0], d2 = u[2] - u[0], d3 = u[3] - u[0];
  y[1] = g[0] * d1 + g[3] * d2 + g[4] * d3;
  y[2] = g[3] * d1 + g[1] * d2 + g[5] * d3;
  y[3] = g[4] * d1 + g[5] * d2 + g[2] * d3;
  y[0] = -(y[1] + y[2] + y[3]);
}

/// Numbers per element of second order with a tensor at each point.
inline constexpr int point_numbers = 24;

/// Nodes of edges 01, 12, 02, 03, 13, 23 by their ends, and of vertices.
UMOV_HD constexpr int node_of_ends(int a, int b) {
  return a == b             ? a
         : a + b == 1       ? 4
         : a + b == 2       ? 6
         : a + b == 5       ? 9
         : a == 0 || b == 0 ? 7
         : a + b == 3       ? 5
                            : 8;
}

/// Second order at the four points of element_points, which are at lambda_q = f + s, the others f, with s = 1
/// / sqrt(5), f = (1 - s) / 4. There grad u is the sum of c_a grad(lambda_a) with c_a = h_a + 4 s U_qa, h_a =
/// 4 f (sum of u on the edges at a) - s u_a, where U_qa is the value on edge qa and U_aa that of vertex a. S
/// is the scalar of V, a number or a vector register.
template <class S, class V>
struct PointValues {
  static constexpr S s4 = S(1.78885438199983175713), s = S(0.44721359549995793928),
                     f4 = S(0.55278640450004206072);  // 4 s, s, 4 f
  const V* u;
  V h[4];
  UMOV_HD explicit PointValues(const V* values) : u(values) {
    for (int a = 0; a < 4; ++a)
      h[a] = (u[node_of_ends(a, (a + 1) & 3)] + u[node_of_ends(a, (a + 2) & 3)] +
              u[node_of_ends(a, (a + 3) & 3)]) *
                 f4 -
             u[a] * s;
  }
  UMOV_HD void at(int q, V* c) const {
    for (int a = 0; a < 4; ++a) c[a] = h[a] + u[node_of_ends(q, a)] * s4;
  }
  /// The transpose: shares of the nodes from those of grad(lambda_a) at the points, t[q][a].
  UMOV_HD static void shares(const V (*t)[4], V* y) {
    V all[4];
    for (int a = 0; a < 4; ++a) all[a] = (t[0][a] + t[1][a]) + (t[2][a] + t[3][a]);
    for (int a = 0; a < 4; ++a) y[a] = t[a][a] * s4 - all[a] * s;
    for (int a = 0; a < 4; ++a)
      for (int b = a + 1; b < 4; ++b)
        y[node_of_ends(a, b)] = (all[a] + all[b]) * f4 + (t[a][b] + t[b][a]) * s4;
  }
};

/// y = K u of the ten-node tetrahedron (nodes as in quadratic_stiffness) with a tensor D_q at each of the
/// four points of element_points: g[6 q + ..] holds V / 4 grad(lambda_i) . D_q grad(lambda_j), in the same
/// order. Some 330 operations.
template <class S, class V>
UMOV_HD inline void quadratic_stiffness_points(const V* g, const V* u, V* y) {
  const PointValues<S, V> values(u);
  V t[4][4];
  for (int q = 0; q < 4; ++q) {
    V c[4];
    values.at(q, c);
    linear_stiffness(g + 6 * q, c, t[q]);
  }
  PointValues<S, V>::shares(t, y);
}

/// factor grad(lambda_i) . grad(lambda_j) in that order.
UMOV_HD inline void gram_of(const Shape& s, double factor, double* g) {
  g[0] = factor * s.dot(1, 1), g[1] = factor * s.dot(2, 2), g[2] = factor * s.dot(3, 3);
  g[3] = factor * s.dot(1, 2), g[4] = factor * s.dot(1, 3), g[5] = factor * s.dot(2, 3);
}

}  // namespace umov::eqs
