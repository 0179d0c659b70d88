// Residuals and sums of corrections in double, whatever the iteration computes in.
#pragma once

#include "harmonic/kernels/slab.hpp"

namespace umov::harmonic {

/// r = V E0 - R + V (G0 R) + k0^2 eps G phi over the nodes of the slab: the residual of the whole cell of the
/// field E0 + G0 R + G phi. E0: [3][planes]; phi may be null. `r` may be the place of G0 R. Sum |r|^2.
template <class T>
struct CellResidual {
  SlabView<T> s;
  const Complex<T>*layered, *mean, *keps, *currents, *field, *phi;
  Complex<T>* r;
  template <class S>
  UMOV_HD void operator()(index_t node, S& sums) const {
    const int i = int(node % s.nx), row = int(node / s.nx), q = row / s.ny;
    for (int c = 0; c < 3; ++c) {
      const index_t e = c * s.edges() + node;
      const int plane = c * s.planes + q;
      Complex<T> v = (keps[e] - mean[plane]) * (layered[plane] + field[e]) - currents[e];
      if (phi) v += keps[e] * Gradient<T>(s, phi, i, row % s.ny, q).v[c];
      r[e] = v;
      sums.v[0] += norm2(v);
    }
  }
};

/// to = scale from, in another type.
template <class From, class To>
struct ScaledTo {
  double scale;
  const Complex<From>* from;
  Complex<To>* to;
  UMOV_HD void operator()(index_t i) const {
    to[i] = Complex<To>(To(scale * from[i].re), To(scale * from[i].im));
  }
};

/// to += scale from, in another type.
template <class From, class To>
struct AddScaledTo {
  double scale;
  const Complex<From>* from;
  Complex<To>* to;
  UMOV_HD void operator()(index_t i) const {
    to[i] += Complex<To>(To(scale * from[i].re), To(scale * from[i].im));
  }
};

/// to += a from, a complex.
template <class From>
struct AddMultiple {
  Complex<double> a;
  const Complex<From>* from;
  Complex<double>* to;
  UMOV_HD void operator()(index_t i) const { to[i] += a * Complex<double>(from[i]); }
};

/// d becomes a - d.
template <class T>
struct SubtractFrom {
  const Complex<T>* a;
  Complex<T>* d;
  UMOV_HD void operator()(index_t i) const { d[i] = a[i] - d[i]; }
};

/// Sum of |E|^2.
struct SquareOfField {
  const Complex<double>* e;
  template <class Sum>
  UMOV_HD void operator()(index_t i, Sum& s) const {
    s.v[0] += norm2(e[i]);
  }
};

/// out += a field that is the same in every column of plane k: [3][planes][columns].
template <class T>
struct AddLayered {
  index_t columns;
  const Complex<T>* layered;
  Complex<T>* out;
  UMOV_HD void operator()(index_t i) const { out[i] += layered[i / columns]; }
};

}  // namespace umov::harmonic
