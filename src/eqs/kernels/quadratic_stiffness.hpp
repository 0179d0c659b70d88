// The stiffness of a straight ten-node tetrahedron applied without its matrix.
#pragma once

#include "core/complex.hpp"

namespace umov::eqs {

/// y = K u for nodes in the order vertices 0..3, edges 01, 12, 02, 03, 13, 23. `g` holds
/// c V / 20 grad(lambda_i) . grad(lambda_j) for (i, j) = 11, 22, 33, 12, 13, 23 with a coefficient c that is
/// constant in the element.
///
/// The gradient is linear in the element: at vertex m it is the sum over k of c_mk grad(lambda_k) with
/// c_mm = 3 u_m, c_mk = 4 u_mk - u_k. Products of linear functions integrate to V (1 + delta_mn) / 20, and
/// grad(lambda_0) = -(the others): 3 x 3 numbers do. Some 130 operations; V is a number or a vector register.
template <class V>
UMOV_HD inline void quadratic_stiffness(const V* g, const V* u, V* y) {
  constexpr int edge[4][4] = {{-1, 4, 6, 7}, {4, -1, 5, 8}, {6, 5, -1, 9}, {7, 8, 9, -1}};
  V w[4][4];
  for (int m = 0; m < 4; ++m) {
    V c[4];
    for (int k = 0; k < 4; ++k) c[k] = k == m ? u[m] * 3 : u[edge[m][k]] * 4 - u[k];
    const V c1 = c[1] - c[0], c2 = c[2] - c[0], c3 = c[3] - c[0];
    w[m][1] = g[0] * c1 + g[3] * c2 + g[4] * c3;
    w[m][2] = g[3] * c1 + g[1] * c2 + g[5] * c3;
    w[m][3] = g[4] * c1 + g[5] * c2 + g[2] * c3;
  }
  for (int k = 1; k < 4; ++k) {
    const V sum = (w[0][k] + w[1][k]) + (w[2][k] + w[3][k]);
    for (int m = 0; m < 4; ++m) w[m][k] = w[m][k] + sum;
  }
  for (int m = 0; m < 4; ++m) w[m][0] = -(w[m][1] + w[m][2] + w[m][3]);
  for (int m = 0; m < 4; ++m) y[m] = w[m][m] * 4 - ((w[0][m] + w[1][m]) + (w[2][m] + w[3][m]));
  for (int m = 0; m < 4; ++m)
    for (int k = m + 1; k < 4; ++k) y[edge[m][k]] = (w[m][k] + w[k][m]) * 4;
}

/// The diagonal of the same matrix.
template <class V>
UMOV_HD inline void quadratic_stiffness_diagonal(const V* g, V* y) {
  // grad(lambda_0) = -(the others)
  const V g01 = -(g[0] + g[3] + g[4]), g02 = -(g[3] + g[1] + g[5]), g03 = -(g[4] + g[5] + g[2]);
  const V g00 = -(g01 + g02 + g03);
  y[0] = g00 * 12, y[1] = g[0] * 12, y[2] = g[1] * 12, y[3] = g[2] * 12;
  y[4] = (g00 + g[0] + g01) * 32;
  y[5] = (g[0] + g[1] + g[3]) * 32;
  y[6] = (g00 + g[1] + g02) * 32;
  y[7] = (g00 + g[2] + g03) * 32;
  y[8] = (g[0] + g[2] + g[4]) * 32;
  y[9] = (g[1] + g[2] + g[5]) * 32;
}

}  // namespace umov::eqs
