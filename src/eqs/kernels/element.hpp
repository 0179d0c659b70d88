// A tetrahedron as kernels see it: nodes, gradients, field, rows of its stiffness matrix. Orders 1 and 2.
#pragma once

#include "core/types.hpp"
#include "eqs/kernels/curve.hpp"

namespace umov::eqs {

/// Where a node has no function of its own (Problem::base).
inline constexpr int no_unknown = -0x7fffffff - 1;

/// Constants of a material, or the numbers of its curves (-1: none). F/m and S/m.
struct MaterialEntry {
  double eps = 0, kappa = 0;
  int eps_curve = -1, kappa_curve = -1;
};

/// The model in the memory of one device.
struct ModelView {
  int elements = 0, vertices = 0;
  const int* tet = nullptr;       ///< [element][4] vertices
  const int* edge = nullptr;      ///< [element][6], second order
  const double* x = nullptr;      ///< [vertex][3], m
  const int* unknown = nullptr;   ///< per space node: unknown or -1 - electrode
  const int* material = nullptr;  ///< per element
  const MaterialEntry* materials = nullptr;
  CurveView curves;
  const int* base = nullptr;   ///< Problem::base; nullptr: no bodies
  const char* good = nullptr;  ///< per material: Problem::good
};

/// The unknowns (or -1 - electrode) whose functions a node has in an element; no_unknown: none.
struct NodeFunctions {
  int first, second;
};
/// In a body the potential over its base counts, outside of it the sum of both (Problem::base).
UMOV_HD inline NodeFunctions node_functions(int unknown, int base, bool inside) {
  if (base == no_unknown) return {unknown, no_unknown};
  if (inside) return {base == unknown ? no_unknown : unknown, no_unknown};
  return {unknown, base == unknown ? no_unknown : base};
}
UMOV_HD inline bool is_fixed(int unknown) { return unknown < 0 && unknown != no_unknown; }
UMOV_HD inline double value_of(int unknown, const double* u, const double* fixed) {
  return unknown >= 0 ? u[unknown] : unknown == no_unknown ? 0 : fixed[-1 - unknown];
}

template <int Order>
inline constexpr int element_nodes = Order == 1 ? 4 : 10;
/// Quadrature points of an element. Order 1: fields are constant, one point is exact. Order 2: the four-point
/// rule of degree 2 (Hammer and Stroud 1956, MTAC 10, 137) with positive weights, exact for constant
/// coefficients; with smooth ones its error is of the order of the element's own.
template <int Order>
inline constexpr int element_points = Order == 1 ? 1 : 4;

/// Ends of local edge k, in the order of mesh::tet_edges.
UMOV_HD inline int edge_first(int k) { return k == 1 || k == 5 ? (k == 1 ? 1 : 2) : (k == 4 ? 1 : 0); }
UMOV_HD inline int edge_second(int k) { return k == 0 ? 1 : (k <= 2 ? 2 : 3); }

/// Node k of element e.
template <int Order>
UMOV_HD inline int element_node(const ModelView& m, int e, int k) {
  if constexpr (Order == 2)
    if (k >= 4) return m.vertices + m.edge[6 * index_t(e) + k - 4];
  return m.tet[4 * index_t(e) + k];
}
template <int Order>
UMOV_HD inline NodeFunctions element_functions(const ModelView& m, int e, int k) {
  const int node = element_node<Order>(m, e, k);
  if (!m.base) return {m.unknown[node], no_unknown};
  return node_functions(m.unknown[node], m.base[node], m.good[m.material[e]] != 0);
}

/// Barycentric coordinate `a` of quadrature point q.
template <int Order>
UMOV_HD inline double point_weight(int q, int a) {
  if constexpr (Order == 1) return 0.25;
  return a == q ? 0.58541019662496845446 : 0.13819660112501051518;
}

/// Volume and gradients of the barycentric coordinates.
struct Shape {
  double volume;
  double g[4][3];

  UMOV_HD Shape(const ModelView& m, int e) {
    const int* t = m.tet + 4 * index_t(e);
    const double* o = m.x + 3 * index_t(t[0]);
    double d[3][3];
    for (int k = 0; k < 3; ++k)
      for (int a = 0; a < 3; ++a) d[k][a] = m.x[3 * index_t(t[k + 1]) + a] - o[a];
    for (int k = 0; k < 3; ++k) {
      const double *b = d[(k + 1) % 3], *c = d[(k + 2) % 3];
      g[k + 1][0] = b[1] * c[2] - b[2] * c[1];
      g[k + 1][1] = b[2] * c[0] - b[0] * c[2];
      g[k + 1][2] = b[0] * c[1] - b[1] * c[0];
    }
    const double det = d[0][0] * g[1][0] + d[0][1] * g[1][1] + d[0][2] * g[1][2], inverse = 1 / det;
    volume = det / 6;
    for (int a = 0; a < 3; ++a) {
      for (int k = 1; k < 4; ++k) g[k][a] *= inverse;
      g[0][a] = -(g[1][a] + g[2][a] + g[3][a]);
    }
  }
  UMOV_HD double dot(int a, int b) const { return g[a][0] * g[b][0] + g[a][1] * g[b][1] + g[a][2] * g[b][2]; }
};

/// Potentials of an element's nodes over that of its first one (which the field does not see).
template <int Order>
struct NodeValues {
  double v[element_nodes<Order>];

  UMOV_HD NodeValues(const ModelView& m, int e, const double* u, const double* fixed) {
    for (int k = 0; k < element_nodes<Order>; ++k) {
      const NodeFunctions n = element_functions<Order>(m, e, k);
      v[k] = value_of(n.first, u, fixed);
      if (n.second != no_unknown) v[k] += value_of(n.second, u, fixed);
    }
    for (int k = element_nodes<Order> - 1; k >= 0; --k) v[k] -= v[0];
  }

  /// grad phi at barycentric coordinates l.
  UMOV_HD void gradient(const Shape& s, const double* l, double* out) const {
    double c[4];
    for (int a = 0; a < 4; ++a) c[a] = Order == 1 ? v[a] : v[a] * (4 * l[a] - 1);
    if constexpr (Order == 2)
      for (int k = 0; k < 6; ++k) {
        const int a = edge_first(k), b = edge_second(k);
        c[a] += 4 * v[4 + k] * l[b];
        c[b] += 4 * v[4 + k] * l[a];
      }
    for (int x = 0; x < 3; ++x)
      out[x] = c[0] * s.g[0][x] + c[1] * s.g[1][x] + c[2] * s.g[2][x] + c[3] * s.g[3][x];
  }
  UMOV_HD void gradient_at_point(const Shape& s, int q, double* out) const {
    double l[4];
    for (int a = 0; a < 4; ++a) l[a] = point_weight<Order>(q, a);
    gradient(s, l, out);
  }
};

/// grad N_k . w for all nodes k at barycentric coordinates l, from p[a] = grad lambda_a . w.
template <int Order>
UMOV_HD inline void test_gradients(const double* l, const double* p, double* out) {
  if constexpr (Order == 1) {
    for (int a = 0; a < 4; ++a) out[a] = p[a];
  } else {
    for (int a = 0; a < 4; ++a) out[a] = (4 * l[a] - 1) * p[a];
    for (int k = 0; k < 6; ++k) {
      const int a = edge_first(k), b = edge_second(k);
      out[4 + k] = 4 * (l[a] * p[b] + l[b] * p[a]);
    }
  }
}

/// Integral of grad N_i . grad N_j over an element, exact, from d(a, b) = volume grad lambda_a . grad
/// lambda_b. The same bits for (i, j) and (j, i). With the integral of lambda_a lambda_b = V (1 + [a = b])
/// / 20.
template <int Order>
UMOV_HD inline double stiffness(const double (*d)[4], int i, int j) {
  if constexpr (Order == 1) {
    return d[i][j];
  } else {
    if (i > j) {
      const int k = i;
      i = j;
      j = k;
    }
    if (j < 4) return (i == j ? 0.6 : -0.2) * d[i][j];
    const int c = edge_first(j - 4), e = edge_second(j - 4);
    if (i < 4) return (i == c ? 0.6 : -0.2) * d[i][e] + (i == e ? 0.6 : -0.2) * d[i][c];
    const int a = edge_first(i - 4), b = edge_second(i - 4);
    return 0.8 * ((a == c ? 2 : 1) * d[b][e] + (a == e ? 2 : 1) * d[b][c] + (b == c ? 2 : 1) * d[a][e] +
                  (b == e ? 2 : 1) * d[a][c]);
  }
}

/// volume grad lambda_a . grad lambda_b, symmetric to the bit.
struct Products {
  double d[4][4];
  UMOV_HD explicit Products(const Shape& s) {
    for (int a = 0; a < 4; ++a)
      for (int b = a; b < 4; ++b) d[a][b] = d[b][a] = s.volume * s.dot(a, b);
  }
};

}  // namespace umov::eqs
