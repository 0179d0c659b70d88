// Common to all Krylov solvers: scalars, the operator they see, fused vector passes, state for checkpoints.
#pragma once

#include <cmath>
#include <complex>
#include <limits>

#include "backend/reduce.hpp"
#include "core/complex.hpp"
#include "linalg/krylov/product_sums.hpp"
#include "linalg/krylov/vectors.hpp"

namespace umov::krylov {

/// What one iteration reports: |r|^2 after it, and why it could not go on (nullptr when it could).
struct Step {
  double rr;
  const char* breakdown = nullptr;
};

// A solver is a class template `template <class Dev, class T, class Op> class Name` on Vectors<Dev, T, Op>,
// with
//   static constexpr const char* name;
//   static constexpr int vectors, products;          vectors besides x and r; products an iteration
//   Name(Dev&, Op&, index_t n)                       allocates its vectors
//   void start(Complex<T>* x, Complex<T>* r, double rr)   x: start vector, r = b - A x, rr = |r|^2
//   void attach(Complex<T>* x, Complex<T>* r)        the same after state() restored the rest
//   Step iterate()                                   one iteration; x and r are kept current
//   template <class Archive> void state(Archive&)    archive.vector(array), archive.scalar(value) for each
// and nothing that knows a family or a device. One whose x lags behind r has void settle() too, which brings
// it up to date. Those with a preconditioner M take it after the operator, M having the same apply(). Op has
//   ProductSums<A> apply(const Complex<T>* x, Complex<T>* y, bool adjoint)
// TO ADD A SOLVER: write it in this folder and add one line to solvers.hpp.

/// Vector passes as functors over element i; each reads all, computes, then writes all.
template <class T>
struct Residual {  // r = b - y, sum |r|^2
  const Complex<T>*b, *y;
  Complex<T>* r;
  template <class S>
  UMOV_HD void operator()(index_t i, S& s) const {
    const Complex<T> v = b[i] - y[i];
    r[i] = v;
    s.v[0] += norm2(v);
  }
};

template <class T>
struct Copy {
  const Complex<T>* from;
  Complex<T>* to;
  UMOV_HD void operator()(index_t i) const { to[i] = from[i]; }
};

template <class T>
struct Scaled {  // to = a from
  Complex<T> a;
  const Complex<T>* from;
  Complex<T>* to;
  UMOV_HD void operator()(index_t i) const { to[i] = a * from[i]; }
};

template <class T>
struct ShadowDot {  // conj(s).a
  const Complex<T>*s, *a;
  template <class S>
  UMOV_HD void operator()(index_t i, S& sum) const {
    const Complex<T> v = conj(s[i]) * a[i];
    sum.v[0] += v.re;
    sum.v[1] += v.im;
  }
};

template <class T>
struct Norm {
  const Complex<T>* a;
  template <class S>
  UMOV_HD void operator()(index_t i, S& s) const {
    s.v[0] += norm2(a[i]);
  }
};

template <class T>
struct BilinearAndNorm {  // a.a (bilinear) and |a|^2
  const Complex<T>* a;
  template <class S>
  UMOV_HD void operator()(index_t i, S& s) const {
    const Complex<T> v = a[i], vv = v * v;
    s.v[0] += vv.re;
    s.v[1] += vv.im;
    s.v[2] += norm2(v);
  }
};

template <class T>
struct StepAlong {  // x += a p, r -= a q; sum |r|^2
  Complex<T> a;
  const Complex<T>*p, *q;
  Complex<T>*x, *r;
  template <class S>
  UMOV_HD void operator()(index_t i, S& s) const {
    const Complex<T> xi = x[i] + a * p[i], ri = r[i] - a * q[i];
    x[i] = xi;
    r[i] = ri;
    s.v[0] += norm2(ri);
  }
};

/// sqrt of a complex scalar, branch with non-negative real part.
template <class A>
Complex<A> sqrt(Complex<A> z) {
  const std::complex<A> w = std::sqrt(std::complex<A>(z.re, z.im));
  return {w.real(), w.imag()};
}
template <class A>
A abs(Complex<A> z) {
  return std::sqrt(norm2(z));
}

/// Has a scalar product lost all its digits to cancellation, |form| <= 4 eps |a||b|, eps of the vectors'
/// type? `scale2` is |a|^2 |b|^2. True also for NaN, so that no iteration goes on from one.
template <class T, class A>
bool lost(Complex<A> form, A scale2) {
  const A tiny = A(4 * std::numeric_limits<T>::epsilon());
  return !(norm2(form) > tiny * tiny * scale2);
}

}  // namespace umov::krylov
