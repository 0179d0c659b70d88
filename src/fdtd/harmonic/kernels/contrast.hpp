// What differs from the layered cell: products over the edges of the rough planes.
#pragma once

#include "core/complex.hpp"
#include "core/types.hpp"
#include "linalg/krylov/product_sums.hpp"

namespace umov::fdtd::harmonic {

/// out = V x over the rough edges.
template <class T>
struct Multiply {
  const Complex<T>*v, *x;
  Complex<T>* out;
  UMOV_HD void operator()(index_t i) const { out[i] = v[i] * x[i]; }
};

/// y = x - V g and the sums x.y, conj(x).y and |y|^2 that Krylov solvers ask for.
template <class T>
struct SubtractScattered {
  const Complex<T>*x, *v, *g;
  Complex<T>* y;
  template <class S>
  UMOV_HD void operator()(index_t i, S& s) const {
    const Complex<T> xi = x[i], yi = xi - v[i] * g[i];
    y[i] = yi;
    krylov::add_product(s, xi, yi);
  }
};

/// out = V E of a field that is the same in every column of plane k: [3][planes][columns].
template <class T>
struct MultiplyLayered {
  index_t columns;
  const Complex<T>*v, *layered;  ///< layered: [3][planes]
  Complex<T>* out;
  UMOV_HD void operator()(index_t i) const { out[i] = v[i] * layered[i / columns]; }
};

/// out += the same field.
template <class T>
struct AddLayered {
  index_t columns;
  const Complex<T>* layered;
  Complex<T>* out;
  UMOV_HD void operator()(index_t i) const { out[i] += layered[i / columns]; }
};

}  // namespace umov::fdtd::harmonic
