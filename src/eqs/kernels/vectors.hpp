// Vector passes and sums of the nonlinear iteration and the time integrators.
#pragma once

#include "eqs/kernels/evaluation.hpp"
#include "linalg/sparse/csr.hpp"

namespace umov::eqs {

struct Copy {
  const double* from;
  double* to;
  UMOV_HD void operator()(index_t i) const { to[i] = from[i]; }
};
/// y += a x
struct AddScaled {
  double a;
  const double* x;
  double* y;
  UMOV_HD void operator()(index_t i) const { y[i] += a * x[i]; }
};
/// y = a x + b z
struct Blend {
  double a;
  const double* x;
  double b;
  const double* z;
  double* y;
  UMOV_HD void operator()(index_t i) const { y[i] = a * x[i] + b * z[i]; }
};

/// r = target - (charge q + current i); sums |r|^2 and |size|^2. Without a target: 0.
struct ResidualOf {
  const double *target, *q, *i, *size;
  Weights w;
  double* r;
  template <class S>
  UMOV_HD void operator()(index_t n, S& sums) const {
    double v = target ? target[n] : 0;
    if (w.charge != 0) v -= w.charge * q[n];
    if (w.current != 0) v -= w.current * i[n];
    r[n] = v;
    sums.v[0] += v * v;
    sums.v[1] += size[n] * size[n];
  }
};

struct DotOf {
  const double *a, *b;
  template <class S>
  UMOV_HD void operator()(index_t i, S& sums) const {
    sums.v[0] += a[i] * b[i];
  }
};

/// Sum of (|A| |x|)^2.
struct SquareOfAbsoluteProduct {
  sparse::CsrView<double> a;
  const double* x;
  template <class S>
  UMOV_HD void operator()(index_t row, S& sums) const {
    double v = 0;
    for (int e = a.start[row]; e < a.start[row + 1]; ++e) v += magnitude(a.value[e] * x[a.column[e]]);
    sums.v[0] += v * v;
  }
};

/// x . M y of the constant parts, row by row.
struct MatrixForm {
  const int *start, *column;
  const double *m, *x, *y;
  template <class S>
  UMOV_HD void operator()(index_t row, S& sums) const {
    double v = 0;
    for (int e = start[row]; e < start[row + 1]; ++e) v += m[e] * y[column[e]];
    sums.v[0] += x[row] * v;
  }
};

/// Electrodes first .. first + count: sums [2 k] charge, [2 k + 1] conduction of the constant parts' columns.
/// A difference of potentials drives them (rows sum to zero).
inline constexpr int electrodes_at_once = 8;
struct FixedSums {
  const int *row, *start, *electrode;
  const double *m, *k, *u, *fixed;
  int first;
  template <class S>
  UMOV_HD void operator()(index_t r, S& sums) const {
    for (int e = start[r]; e < start[r + 1]; ++e) {
      const int at = electrode[e] - first;
      if (at < 0 || at >= electrodes_at_once) continue;
      const double d = u[row[r]] - fixed[electrode[e]];
      sums.v[2 * at] += m[e] * d;
      sums.v[2 * at + 1] += k[e] * d;
    }
  }
};
/// The same of nonlinear elements, from their flux sums.
template <int Order>
struct NonlinearFixedSums {
  ModelView model;
  NonlinearView list;
  const double *charge, *current;
  int first;
  template <class S>
  UMOV_HD void operator()(index_t t, S& sums) const {
    constexpr int nodes = element_nodes<Order>;
    for (int j = 0; j < nodes; ++j) {
      const int n = element_unknown<Order>(model, list.element[t], j);
      if (n >= 0) continue;
      const int at = -1 - n - first;
      if (at < 0 || at >= electrodes_at_once) continue;
      sums.v[2 * at] += charge[nodes * t + j];
      sums.v[2 * at + 1] += current[nodes * t + j];
    }
  }
};

/// Element sums of potential times flux: charge . phi (twice the energy where eps is constant) and
/// conduction . phi (the power lost).
template <int Order>
struct NonlinearPower {
  ModelView model;
  NonlinearView list;
  const double *charge, *current, *u, *fixed;
  template <class S>
  UMOV_HD void operator()(index_t t, S& sums) const {
    constexpr int nodes = element_nodes<Order>;
    const NodeValues<Order> v(model, list.element[t], u, fixed);
    for (int j = 0; j < nodes; ++j) {
      sums.v[0] += charge[nodes * t + j] * v.v[j];
      sums.v[1] += current[nodes * t + j] * v.v[j];
    }
  }
};

}  // namespace umov::eqs
