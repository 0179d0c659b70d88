// Newton's matrix: the constant parts, and the differential tensors of nonlinear elements.
#pragma once

#include "eqs/kernels/evaluation.hpp"

namespace umov::eqs {

UMOV_HD inline double combine(Weights w, double m, double k) { return w.charge * m + w.current * k; }

/// Entries of charge * M + current * K.
struct CombineEntries {
  const double *m, *k;
  Weights w;
  double* out;
  UMOV_HD void operator()(index_t e) const { out[e] = combine(w, m[e], k ? k[e] : 0); }
};

/// A symmetric tensor: xx, yy, zz, xy, xz, yz.
struct Tensor {
  double v[6];
  UMOV_HD void apply(const double* a, double* out) const {
    out[0] = v[0] * a[0] + v[3] * a[1] + v[4] * a[2];
    out[1] = v[3] * a[0] + v[1] * a[1] + v[5] * a[2];
    out[2] = v[4] * a[0] + v[5] * a[1] + v[2] * a[2];
  }
};

/// The exact derivative of the flux by the field at each quadrature point of a nonlinear element:
/// p I + (p' / |E|) E E^T with p = charge * eps + current * kappa (of the properties that have a curve).
/// [element][point]
template <int Order>
struct DifferentialTensor {
  static constexpr bool costly = true;
  ModelView model;
  NonlinearView list;
  const double *u, *fixed;
  Weights weight;
  Tensor* out;

  UMOV_HD void operator()(index_t t) const {
    constexpr int points = element_points<Order>;
    const int e = list.element[t];
    const MaterialEntry c = model.materials[model.material[e]];
    const Shape s(model, e);
    const NodeValues<Order> v(model, e, u, fixed);
    for (int p = 0; p < points; ++p) {
      double w[3];
      v.gradient_at_point(s, p, w);
      const double field = sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
      const CurveValue eps = c.eps_curve < 0 ? CurveValue{0, 0} : model.curves(c.eps_curve, field);
      const CurveValue kappa = c.kappa_curve < 0 ? CurveValue{0, 0} : model.curves(c.kappa_curve, field);
      const double iso = combine(weight, eps.value, kappa.value);
      const double along = field > 0 ? combine(weight, eps.slope, kappa.slope) / field : 0;
      out[points * t + p] = {{iso + along * w[0] * w[0], iso + along * w[1] * w[1], iso + along * w[2] * w[2],
                              along * w[0] * w[1], along * w[0] * w[2], along * w[1] * w[2]}};
    }
  }
};

/// Flux sums of nonlinear elements for a small change v of the potentials: the tensors times grad v.
template <int Order>
struct TensorFlux {
  static constexpr bool costly = true;
  ModelView model;
  NonlinearView list;
  const Tensor* tensor;
  const double *v, *fixed;
  double *charge, *current;

  UMOV_HD void operator()(index_t t) const {
    constexpr int nodes = element_nodes<Order>, points = element_points<Order>;
    const int e = list.element[t];
    const Shape s(model, e);
    const NodeValues<Order> values(model, e, v, fixed);
    double sum[nodes];
    for (int k = 0; k < nodes; ++k) sum[k] = 0;
    for (int p = 0; p < points; ++p) {
      double l[4], w[3], image[3], towards[4], test[nodes];
      for (int a = 0; a < 4; ++a) l[a] = point_weight<Order>(p, a);
      values.gradient(s, l, w);
      tensor[points * t + p].apply(w, image);
      for (int a = 0; a < 4; ++a)
        towards[a] = s.g[a][0] * image[0] + s.g[a][1] * image[1] + s.g[a][2] * image[2];
      test_gradients<Order>(l, towards, test);
      for (int k = 0; k < nodes; ++k) sum[k] += s.volume / points * test[k];
    }
    for (int k = 0; k < nodes; ++k) {
      charge[nodes * t + k] = sum[k];
      current[nodes * t + k] = 0;
    }
  }
};

/// The mean over an element's points: what first-order functions on the same mesh see.
struct MeanTensor {
  const Tensor* from;
  int points;
  Tensor* to;
  UMOV_HD void operator()(index_t t) const {
    Tensor sum = from[points * t];
    for (int p = 1; p < points; ++p)
      for (int k = 0; k < 6; ++k) sum.v[k] += from[points * t + p].v[k];
    for (int k = 0; k < 6; ++k) sum.v[k] /= points;
    to[t] = sum;
  }
};

/// Rows that nonlinear elements touch: the constant part again, then their share.
template <int Order>
struct NonlinearRows {
  static constexpr bool costly = true;
  ModelView model;
  NonlinearView list;
  const Tensor* tensor;
  const int *start, *column;
  const double *m, *k;
  Weights weight;
  double* out;

  UMOV_HD void operator()(index_t r) const {
    constexpr int nodes = element_nodes<Order>, points = element_points<Order>;
    const int row = list.row[r], begin = start[row], end = start[row + 1];
    for (int e = begin; e < end; ++e) out[e] = combine(weight, m[e], k ? k[e] : 0);
    for (int t = list.touching.start[r]; t < list.touching.start[r + 1]; ++t) {
      const index_t place = list.touching.list[t] / nodes;
      const int local = int(list.touching.list[t] % nodes), e = list.element[place];
      const Shape s(model, e);
      double sum[nodes];
      for (int j = 0; j < nodes; ++j) sum[j] = 0;
      for (int p = 0; p < points; ++p) add_point(s, tensor[points * place + p], p, local, sum);
      for (int j = 0; j < nodes; ++j) {
        const NodeFunctions n = element_functions<Order>(model, e, j);
        if (n.first >= 0) out[find_entry(column, begin, end, n.first)] += sum[j];
        if (n.second >= 0) out[find_entry(column, begin, end, n.second)] += sum[j];
      }
    }
  }

 private:
  /// grad N_local . D grad N_j for all j.
  UMOV_HD static void add_point(const Shape& s, const Tensor& d, int p, int local, double* sum) {
    constexpr int nodes = element_nodes<Order>, points = element_points<Order>;
    double l[4], own[3], image[3], towards[4], test[nodes];
    for (int b = 0; b < 4; ++b) l[b] = point_weight<Order>(p, b);
    for (int x = 0; x < 3; ++x) {
      if (local < 4) {
        own[x] = (Order == 1 ? 1 : 4 * l[local & 3] - 1) * s.g[local & 3][x];
      } else {
        const int a = edge_first(local - 4), b = edge_second(local - 4);
        own[x] = 4 * (l[a] * s.g[b][x] + l[b] * s.g[a][x]);
      }
    }
    d.apply(own, image);
    for (int b = 0; b < 4; ++b)
      towards[b] = s.g[b][0] * image[0] + s.g[b][1] * image[1] + s.g[b][2] * image[2];
    test_gradients<Order>(l, towards, test);
    const double part = s.volume / points;
    for (int j = 0; j < nodes; ++j) sum[j] += part * test[j];
  }
};

}  // namespace umov::eqs
