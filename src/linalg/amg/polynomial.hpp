// Smoothers that are polynomials in D^-1 A: Jacobi and Chebyshev, one product per degree and nothing else.
#pragma once

#include <utility>
#include <vector>

#include "core/complex.hpp"
#include "core/types.hpp"
#include "linalg/amg/options.hpp"

namespace umov::amg {

/// Largest over smallest eigenvalue that Chebyshev smoothing damps when Options says 0.
inline constexpr double default_ratio = 20;

/// x_{k+1} = x_k + momentum_k (x_k - x_{k-1}) + step_k D^-1 (b - A x_k), momentum_0 = 0.
struct Polynomial {
  std::vector<double> momentum, step;
  int degree() const { return int(step.size()); }
};

/// For a spectrum of D^-1 A in (0, largest]. Chebyshev: small on [largest / ratio, largest] (Adams, Brezina,
/// Hu, Tuminaro 2003, J. Comput. Phys. 188, 593); Jacobi: damped by 4 / (3 largest).
Polynomial make_polynomial(Smoother, int degree, double ratio, double largest);

template <class T>
struct FirstStep {  // x_1 from x_0 = 0
  const T *b, *inverse_diagonal;
  T* x;
  T step;
  UMOV_HD void operator()(index_t i) const { x[i] = step * inverse_diagonal[i] * b[i]; }
};
/// `before` and `next` may be one array; no `before` where x_{k-1} is zero or does not count.
template <class T>
struct PolynomialStep {
  const T *b, *inverse_diagonal, *x, *before;
  T* next;
  T keep, back, step;
  UMOV_HD void operator()(index_t i, T ax) const {
    T v = keep * x[i] + step * inverse_diagonal[i] * (b[i] - ax);
    if (before) v -= back * before[i];
    next[i] = v;
  }
};

/// The steps after the first from x_0 = 0, which left x_1 in `x`. The result ends in `x` again (the two
/// pointers are exchanged with every step); `product(x, f)` calls f(i, (A x)_i) for all i.
template <class T, class Product>
void smooth_from_first(const Polynomial& poly, const T* b, const T* inverse_diagonal, T*& x, T*& other,
                       const Product& product) {
  for (int k = 1; k < poly.degree(); ++k) {
    const T momentum = T(poly.momentum[k]);
    product(x, PolynomialStep<T>{b, inverse_diagonal, x, k > 1 ? other : nullptr, other, T(1) + momentum,
                                 momentum, T(poly.step[k])});
    std::swap(x, other);
  }
}
/// All steps from the x at hand: 6 streams of vectors a step besides the product's own (b, D^-1, x twice,
/// x before, x next).
template <class T, class Product>
void smooth(const Polynomial& poly, const T* b, const T* inverse_diagonal, T*& x, T*& other,
            const Product& product) {
  for (int k = 0; k < poly.degree(); ++k) {
    const T momentum = T(poly.momentum[k]);
    product(x, PolynomialStep<T>{b, inverse_diagonal, x, k > 0 ? other : nullptr, other, T(1) + momentum,
                                 momentum, T(poly.step[k])});
    std::swap(x, other);
  }
}

}  // namespace umov::amg
