// Products without a matrix: elements write their shares, rows gather them.
#pragma once

#include "eqs/kernels/element_stiffness.hpp"
#include "eqs/kernels/jacobian.hpp"
#include "eqs/kernels/vectors.hpp"

namespace umov::eqs {

/// Newton's matrix element by element: constant coefficients, and the tensors of the last assemble().
struct ElementView {
  ModelView model;
  const int* place = nullptr;      ///< per element: its place in the list of nonlinear ones, or -1
  const Tensor* tensor = nullptr;  ///< [place][point]; nullptr: constant parts alone
  Weights w;

  UMOV_HD int place_of(int e) const { return tensor ? place[e] : -1; }
  UMOV_HD double constant(int e) const {
    const MaterialEntry c = model.materials[model.material[e]];
    return combine(w, c.eps_curve < 0 ? c.eps : 0, c.kappa_curve < 0 ? c.kappa : 0);
  }
};

/// factor grad(lambda_i) . (D + c) grad(lambda_j) as in linear_stiffness.
UMOV_HD inline void tensor_gram(const Shape& s, const Tensor& d, double c, double factor, double* g) {
  double image[3][3];
  for (int k = 0; k < 3; ++k) {
    d.apply(s.g[k + 1], image[k]);
    for (int x = 0; x < 3; ++x) image[k][x] = factor * (image[k][x] + c * s.g[k + 1][x]);
  }
  const auto dot = [&](int i, int j) {
    return s.g[i][0] * image[j - 1][0] + s.g[i][1] * image[j - 1][1] + s.g[i][2] * image[j - 1][2];
  };
  g[0] = dot(1, 1), g[1] = dot(2, 2), g[2] = dot(3, 3);
  g[3] = dot(1, 2), g[4] = dot(1, 3), g[5] = dot(2, 3);
}

/// The numbers that an element's product needs: 6, or (true) point_numbers of second order with tensors.
template <int Order>
UMOV_HD inline bool element_numbers(const ElementView& m, int e, double* g) {
  const Shape s(m.model, e);
  const int place = m.place_of(e);
  const double c = m.constant(e);
  if (place < 0) {
    gram_of(s, c * s.volume / (Order == 1 ? 1 : 20), g);
    return false;
  }
  constexpr int points = element_points<Order>;
  for (int q = 0; q < points; ++q)
    tensor_gram(s, m.tensor[points * index_t(place) + q], c, s.volume / points, g + 6 * q);
  return Order == 2;
}

/// y = K u of one element from its numbers.
template <int Order, class V>
UMOV_HD inline void apply_element(bool points, const V* g, const V* u, V* y) {
  if constexpr (Order == 1) {
    linear_stiffness(g, u, y);
  } else {
    if (points)
      quadratic_stiffness_points<double>(g, u, y);
    else
      quadratic_stiffness(g, u, y);
  }
}

template <class T>
UMOV_HD inline double free_value(int n, const T* x) {
  return n >= 0 ? double(x[n]) : 0;
}

/// Shares of an element in A x: [element][node].
template <int Order, class T>
struct ElementProduct {
  static constexpr bool costly = true;
  ElementView m;
  const T* x;
  T* out;

  UMOV_HD void operator()(index_t e) const {
    constexpr int nodes = element_nodes<Order>;
    double u[nodes], y[nodes], g[Order == 1 ? 6 : point_numbers];
    for (int k = 0; k < nodes; ++k) {
      const NodeFunctions n = element_functions<Order>(m.model, int(e), k);
      u[k] = free_value(n.first, x) + free_value(n.second, x);
    }
    const bool points = element_numbers<Order>(m, int(e), g);
    apply_element<Order>(points, g, u, y);
    for (int k = 0; k < nodes; ++k) out[nodes * e + k] = T(y[k]);
  }
};

/// The same of |A| |x|, every term by itself.
template <int Order>
struct ElementMagnitude {
  static constexpr bool costly = true;
  ElementView m;
  const double* x;
  double* out;

  UMOV_HD void operator()(index_t e) const {
    constexpr int nodes = element_nodes<Order>, numbers = Order == 1 ? 6 : point_numbers;
    double g[numbers] = {};
    Absolute u[nodes], y[nodes], a[numbers];
    for (int k = 0; k < nodes; ++k) {
      const NodeFunctions n = element_functions<Order>(m.model, int(e), k);
      u[k] = Absolute(free_value(n.first, x)) + Absolute(free_value(n.second, x));
    }
    const bool points = element_numbers<Order>(m, int(e), g);
    for (int k = 0; k < numbers; ++k) a[k] = Absolute(g[k]);
    apply_element<Order>(points, a, u, y);
    for (int k = 0; k < nodes; ++k) out[nodes * e + k] = y[k].v;
  }
};

/// Shares in the diagonal: of a node's first function, or its second. Nodes of one element may share an
/// unknown (a floating conductor), and then all their products are on its diagonal.
template <int Order>
struct ElementDiagonal {
  static constexpr bool costly = true;
  ElementView m;
  bool second;
  double* out;

  UMOV_HD void operator()(index_t e) const {
    constexpr int nodes = element_nodes<Order>;
    double g[Order == 1 ? 6 : point_numbers], u[nodes], y[nodes];
    const bool points = element_numbers<Order>(m, int(e), g);
    NodeFunctions n[nodes];
    for (int k = 0; k < nodes; ++k) n[k] = element_functions<Order>(m.model, int(e), k);
    for (int k = 0; k < nodes; ++k) {
      const int own = second ? n[k].second : n[k].first;
      double share = 0;
      if (own >= 0) {
        for (int j = 0; j < nodes; ++j) u[j] = n[j].first == own || n[j].second == own ? 1 : 0;
        apply_element<Order>(points, g, u, y);
        share = y[k];
      }
      out[nodes * e + k] = share;
    }
  }
};

/// Geometry alone: shares of the integral of grad u . grad N at potentials u and electrodes `fixed`, which
/// rows take times their materials' constants.
template <int Order>
struct ElementLaplace {
  static constexpr bool costly = true;
  ModelView model;
  const double *u, *fixed;
  double* out;

  UMOV_HD void operator()(index_t e) const {
    constexpr int nodes = element_nodes<Order>;
    const Shape s(model, int(e));
    const NodeValues<Order> v(model, int(e), u, fixed);
    double g[6], y[nodes];
    gram_of(s, s.volume / (Order == 1 ? 1 : 20), g);
    apply_element<Order>(false, g, v.v, y);
    for (int k = 0; k < nodes; ++k) out[nodes * e + k] = y[k];
  }
};
/// The size of what cancels in it: for every node the sum of |entry times difference of potentials|, as
/// EvaluateRows has it of the matrix.
template <int Order>
struct ElementLaplaceSize {
  static constexpr bool costly = true;
  ModelView model;
  const double *u, *fixed;
  double* out;

  UMOV_HD void operator()(index_t e) const {
    constexpr int nodes = element_nodes<Order>;
    const Products p{Shape(model, int(e))};
    const NodeValues<Order> v(model, int(e), u, fixed);
    double sum[nodes];
    for (int k = 0; k < nodes; ++k) sum[k] = 0;
    for (int i = 0; i < nodes; ++i)
      for (int j = i + 1; j < nodes; ++j) {
        const double term = magnitude(stiffness<Order>(p.d, i, j) * (v.v[i] - v.v[j]));
        sum[i] += term;
        sum[j] += term;
      }
    for (int k = 0; k < nodes; ++k) out[nodes * e + k] = sum[k];
  }
};

/// charge * eps + current * kappa of a material at a field.
UMOV_HD inline double property_at(const ModelView& m, const MaterialEntry& c, Weights w, double field) {
  double p = 0;
  if (w.charge != 0) p += w.charge * (c.eps_curve < 0 ? c.eps : m.curves(c.eps_curve, field).value);
  if (w.current != 0) p += w.current * (c.kappa_curve < 0 ? c.kappa : m.curves(c.kappa_curve, field).value);
  return p;
}

/// K(u) u of one element in registers: gradient, curve and test functions in one go. `u`: of its nodes, over
/// that of the first.
template <int Order>
UMOV_HD inline void element_flux(const ModelView& m, const MaterialEntry& c, const Shape& s, Weights w,
                                 const double* u, double* y) {
  const bool curved = (w.charge != 0 && c.eps_curve >= 0) || (w.current != 0 && c.kappa_curve >= 0);
  if (!curved) {
    double g[6];
    gram_of(s, combine(w, c.eps, c.kappa) * s.volume / (Order == 1 ? 1 : 20), g);
    apply_element<Order>(false, g, u, y);
    return;
  }
  // the gradient with coefficients k of grad(lambda)
  const auto gradient = [&](const double* k, double* grad) {
    for (int x = 0; x < 3; ++x)
      grad[x] = (k[1] - k[0]) * s.g[1][x] + (k[2] - k[0]) * s.g[2][x] + (k[3] - k[0]) * s.g[3][x];
    return sqrt(grad[0] * grad[0] + grad[1] * grad[1] + grad[2] * grad[2]);
  };
  const auto flux = [&](double p, const double* grad, double* t) {
    for (int a = 1; a < 4; ++a) t[a] = p * (s.g[a][0] * grad[0] + s.g[a][1] * grad[1] + s.g[a][2] * grad[2]);
    t[0] = -(t[1] + t[2] + t[3]);
  };
  double grad[3];
  if constexpr (Order == 1) {
    const double field = gradient(u, grad);
    flux(s.volume * property_at(m, c, w, field), grad, y);
  } else {
    // curves in a loop of their own: the others are unrolled and stay in registers
    const PointValues<double, double> values(u);
    double t[4][4], k[4], p[4];
    for (int q = 0; q < 4; ++q) {
      values.at(q, k);
      p[q] = gradient(k, grad);
    }
    for (int q = 0; q < 4; ++q) p[q] = s.volume / 4 * property_at(m, c, w, p[q]);
    for (int q = 0; q < 4; ++q) {
      values.at(q, k);
      gradient(k, grad);
      flux(p[q], grad, t[q]);
    }
    PointValues<double, double>::shares(t, y);
  }
}

/// Shares of charge * q(u) + current * i(u), all coefficients.
template <int Order>
struct ElementFlux {
  static constexpr bool costly = true;
  ModelView model;
  const double *u, *fixed;
  Weights w;
  double* out;

  UMOV_HD void operator()(index_t e) const {
    constexpr int nodes = element_nodes<Order>;
    const NodeValues<Order> v(model, int(e), u, fixed);
    double y[nodes];
    element_flux<Order>(model, model.materials[model.material[e]], Shape(model, int(e)), w, v.v, y);
    for (int k = 0; k < nodes; ++k) out[nodes * e + k] = y[k];
  }
};

/// Charge and conduction that constant coefficients give to electrodes first .. first + electrodes_at_once,
/// from the elements in a list.
template <int Order>
struct ElectrodeLaplace {
  static constexpr bool costly = true;
  ModelView model;
  const int* element;
  const double *u, *fixed;
  int first;

  template <class S>
  UMOV_HD void operator()(index_t t, S& sums) const {
    constexpr int nodes = element_nodes<Order>;
    const int e = element[t];
    const MaterialEntry c = model.materials[model.material[e]];
    const double eps = c.eps_curve < 0 ? c.eps : 0, kappa = c.kappa_curve < 0 ? c.kappa : 0;
    const Shape s(model, e);
    const NodeValues<Order> v(model, e, u, fixed);
    double g[6], y[nodes];
    gram_of(s, s.volume / (Order == 1 ? 1 : 20), g);
    apply_element<Order>(false, g, v.v, y);
    for (int k = 0; k < nodes; ++k) {
      const NodeFunctions n = element_functions<Order>(model, e, k);
      const int own[2] = {n.first, n.second};
      for (int f = 0; f < 2; ++f) {
        const int at = -1 - own[f] - first;
        if (!is_fixed(own[f]) || at < 0 || at >= electrodes_at_once) continue;
        sums.v[2 * at] += eps * y[k];
        sums.v[2 * at + 1] += kappa * y[k];
      }
    }
  }
};

}  // namespace umov::eqs
