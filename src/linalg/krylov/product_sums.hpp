// The five sums over a product y = A x that Krylov solvers ask for, and how a kernel adds to them.
#pragma once

#include "backend/reduce.hpp"
#include "core/complex.hpp"

namespace umov::krylov {

/// Sums over a product y = A x that the operator forms on its way: x.y (bilinear), conj(x).y, |y|^2.
template <class A>
struct ProductSums {
  Complex<A> xy, xhy;
  A yy;
};

/// What an element of x and its y add to them, in a reduction of five sums.
template <class Sums, class T>
UMOV_HD inline void add_product(Sums& s, Complex<T> x, Complex<T> y) {
  const Complex<T> xy = x * y, xhy = conj(x) * y;
  s.v[0] += xy.re;
  s.v[1] += xy.im;
  s.v[2] += xhy.re;
  s.v[3] += xhy.im;
  s.v[4] += norm2(y);
}

template <class A>
ProductSums<A> product_sums(const backend::Sums<A, 5>& s) {
  return {{s.v[0], s.v[1]}, {s.v[2], s.v[3]}, s.v[4]};
}

}  // namespace umov::krylov
