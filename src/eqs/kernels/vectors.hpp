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

/// Sum of (n |A| |x|)^2, n the entries of a row, at least 16: a product of n terms is off by up to n 2^-53 of
/// their absolute sum (Higham 2002, Accuracy and Stability of Numerical Algorithms, section 3.1). A floating
/// electrode's row has as many as it has neighbours.
struct SquareOfRounding {
  sparse::CsrView<double> a;
  const double* x;
  template <class S>
  UMOV_HD void operator()(index_t row, S& sums) const {
    double v = 0;
    for (int e = a.start[row]; e < a.start[row + 1]; ++e) v += magnitude(a.value[e] * x[a.column[e]]);
    v *= a.start[row + 1] - a.start[row] > 16 ? a.start[row + 1] - a.start[row] : 16;
    sums.v[0] += v * v;
  }
};

/// (K + j omega M) x of rows with entries m and k. Complex vectors are two real ones, the imaginary parts n
/// behind the real ones.
struct HarmonicProduct {
  const int *start, *column;
  const double *m, *k;
  double omega;
  index_t n;
  const double* x;
  double* y;
  template <class S>
  UMOV_HD void operator()(index_t row, S& sums) const {  // y = A x; x . y (bilinear)
    double mr = 0, mi = 0, kr = 0, ki = 0;
    for (int e = start[row]; e < start[row + 1]; ++e) {
      const double a = x[column[e]], b = x[n + column[e]];
      mr += m[e] * a;
      mi += m[e] * b;
      if (k) kr += k[e] * a, ki += k[e] * b;
    }
    const double re = kr - omega * mi, im = ki + omega * mr, a = x[row], b = x[n + row];
    y[row] = re;
    y[n + row] = im;
    sums.v[0] += a * re - b * im;
    sums.v[1] += a * im + b * re;
  }
};
/// Electrodes first .. first + count: sums [2 k] charge, [2 k + 1] conduction of the constant parts' columns.
/// A difference of potentials drives them (rows sum to zero), or a potential over a base.
inline constexpr int electrodes_at_once = 8;
struct FixedSums {
  const int *row, *start, *electrode;
  const double *m, *k, *u, *fixed;
  HeldView held;
  int first;
  template <class S>
  UMOV_HD void operator()(index_t r, S& sums) const {
    for (int e = start[r]; e < start[r + 1]; ++e) {
      const int at = electrode[e] - first;
      if (at < 0 || at >= electrodes_at_once) continue;
      const double v = u[row[r]], d = held.over_base(row[r]) ? v : v - fixed[electrode[e]];
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
      const NodeFunctions n = element_functions<Order>(model, list.element[t], j);
      add(n.first, nodes * t + j, sums);
      add(n.second, nodes * t + j, sums);
    }
  }

 private:
  template <class S>
  UMOV_HD void add(int n, index_t from, S& sums) const {
    const int at = -1 - n - first;
    if (!is_fixed(n) || at < 0 || at >= electrodes_at_once) return;
    sums.v[2 * at] += charge[from];
    sums.v[2 * at + 1] += current[from];
  }
};

/// Sums per electrode of charge and current of the unknowns over its base.
struct HeldSums {
  HeldView held;
  const int* code;  ///< per electrode: its unknown or -1 - electrode
  int first, count;
  const double *charge, *current;
  template <class S>
  UMOV_HD void operator()(index_t n, S& sums) const {
    if (!held.over_base(n)) return;
    for (int k = 0; k < electrodes_at_once && first + k < count; ++k) {
      if (code[first + k] != held.base[n]) continue;
      sums.v[2 * k] += charge[n];
      sums.v[2 * k + 1] += current[n];
    }
  }
};

/// Integrals of eps |grad|^2 and kappa |grad|^2 over an element: nothing cancels in their sums.
template <int Order>
struct ElementForms {
  static constexpr bool costly = true;
  ModelView model;
  const double *u, *fixed;
  template <class S>
  UMOV_HD void operator()(index_t t, S& sums) const {
    const int e = int(t);
    const MaterialEntry c = model.materials[model.material[e]];
    const Shape s(model, e);
    const NodeValues<Order> v(model, e, u, fixed);
    for (int p = 0; p < element_points<Order>; ++p) {
      double w[3];
      v.gradient_at_point(s, p, w);
      const double square = w[0] * w[0] + w[1] * w[1] + w[2] * w[2], field = sqrt(square);
      const double eps = c.eps_curve < 0 ? c.eps : model.curves(c.eps_curve, field).value;
      const double kappa = c.kappa_curve < 0 ? c.kappa : model.curves(c.kappa_curve, field).value;
      sums.v[0] += s.volume / element_points<Order> * eps * square;
      sums.v[1] += s.volume / element_points<Order> * kappa * square;
    }
  }
};

/// Of some materials from `first` on, the sums over their elements of the volume and of the integral of
/// |grad|^2.
inline constexpr int materials_at_once = 8;
struct MaterialVolumes {
  ModelView model;
  int first;
  template <class S>
  UMOV_HD void operator()(index_t t, S& sums) const {
    const int at = model.material[t] - first;
    if (at >= 0 && at < materials_at_once) sums.v[at] += Shape(model, int(t)).volume;
  }
};
template <int Order>
struct MaterialForms {
  static constexpr bool costly = true;
  ModelView model;
  const double *u, *fixed;
  int first;
  template <class S>
  UMOV_HD void operator()(index_t t, S& sums) const {
    const int e = int(t), at = model.material[e] - first;
    if (at < 0 || at >= materials_at_once) return;
    const Shape s(model, e);
    const NodeValues<Order> v(model, e, u, fixed);
    double square = 0;
    for (int p = 0; p < element_points<Order>; ++p) {
      double w[3];
      v.gradient_at_point(s, p, w);
      square += w[0] * w[0] + w[1] * w[1] + w[2] * w[2];
    }
    sums.v[at] += s.volume / element_points<Order> * square;
  }
};

}  // namespace umov::eqs
