// Newton's matrix: M + a K of the constant parts, and the differential tensors of nonlinear elements.
#pragma once

#include "eqs/kernels/evaluation.hpp"

namespace umov::eqs {

/// a_e = m_e + a k_e for all entries.
struct CombineEntries {
  const double *m, *k;
  double a;
  double* out;
  UMOV_HD void operator()(index_t e) const { out[e] = k ? m[e] + a * k[e] : m[e]; }
};

/// What a quadrature point adds to the matrix: isotropic I + along E E^T with the field E, where
/// isotropic = eps + a kappa and along = (d eps/dE + a d kappa/dE) / |E|.
struct PointTensor {
  double isotropic, along, e[3];
};

/// One nonlinear element each: [element][point].
template <int Order>
struct DifferentialTensor {
  static constexpr bool costly = true;
  ModelView model;
  NonlinearView list;
  const double *u, *fixed;
  double a;
  PointTensor* out;

  UMOV_HD void operator()(index_t t) const {
    constexpr int points = element_points<Order>;
    const int e = list.element[t];
    const MaterialEntry c = model.materials[model.material[e]];
    const Shape s(model, e);
    const NodeValues<Order> v(model, e, u, fixed);
    for (int p = 0; p < points; ++p) {
      PointTensor d;
      v.gradient_at_point(s, p, d.e);
      const double field = sqrt(d.e[0] * d.e[0] + d.e[1] * d.e[1] + d.e[2] * d.e[2]);
      const CurveValue eps = c.eps_curve < 0 ? CurveValue{0, 0} : model.curves(c.eps_curve, field);
      const CurveValue kappa = c.kappa_curve < 0 ? CurveValue{0, 0} : model.curves(c.kappa_curve, field);
      d.isotropic = eps.value + a * kappa.value;
      d.along = field > 0 ? (eps.slope + a * kappa.slope) / field : 0;
      out[points * t + p] = d;
    }
  }
};

/// Rows that nonlinear elements touch: the constant part again, then their share.
template <int Order>
struct NonlinearRows {
  static constexpr bool costly = true;
  ModelView model;
  NonlinearView list;
  const PointTensor* tensor;
  const int *start, *column;
  const double *m, *k;
  double a;
  double* out;

  UMOV_HD void operator()(index_t r) const {
    constexpr int nodes = element_nodes<Order>, points = element_points<Order>;
    const int row = list.row[r], begin = start[row], end = start[row + 1];
    for (int e = begin; e < end; ++e) out[e] = k ? m[e] + a * k[e] : m[e];
    for (int t = list.touching.start[r]; t < list.touching.start[r + 1]; ++t) {
      const index_t place = list.touching.list[t] / nodes;
      const int local = int(list.touching.list[t] % nodes), e = list.element[place];
      const Shape s(model, e);
      double sum[nodes];
      for (int j = 0; j < nodes; ++j) sum[j] = 0;
      for (int p = 0; p < points; ++p) add_point(s, tensor[points * place + p], p, local, sum);
      for (int j = 0; j < nodes; ++j) {
        const int n = element_unknown<Order>(model, e, j);
        if (n >= 0) out[find_entry(column, begin, end, n)] += sum[j];
      }
    }
  }

 private:
  UMOV_HD static void add_point(const Shape& s, const PointTensor& d, int p, int local, double* sum) {
    constexpr int nodes = element_nodes<Order>, points = element_points<Order>;
    double l[4], along[4], own[3], test[nodes];
    for (int b = 0; b < 4; ++b) l[b] = point_weight<Order>(p, b);
    for (int b = 0; b < 4; ++b) along[b] = s.g[b][0] * d.e[0] + s.g[b][1] * d.e[1] + s.g[b][2] * d.e[2];
    const double part = s.volume / points;
    // isotropic: grad N_local against all; along: (E . grad N_local) (E . grad N_j)
    for (int x = 0; x < 3; ++x) {
      const double component[4] = {s.g[0][x], s.g[1][x], s.g[2][x], s.g[3][x]};
      test_gradients<Order>(l, component, test);
      own[x] = test[local];
    }
    double towards[4];
    for (int b = 0; b < 4; ++b) towards[b] = s.g[b][0] * own[0] + s.g[b][1] * own[1] + s.g[b][2] * own[2];
    test_gradients<Order>(l, towards, test);
    for (int j = 0; j < nodes; ++j) sum[j] += part * d.isotropic * test[j];
    test_gradients<Order>(l, along, test);
    const double mine = part * d.along * test[local];
    for (int j = 0; j < nodes; ++j) sum[j] += mine * test[j];
  }
};

}  // namespace umov::eqs
