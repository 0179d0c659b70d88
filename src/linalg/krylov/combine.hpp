// Sums of vectors followed by a scalar product with a shadow vector, in one pass; the shadow vectors.
#pragma once

#include <algorithm>

#include "linalg/krylov/idrs.hpp"

namespace umov::krylov {

/// to = base + c v + plus, where base and plus may be missing (nullptr).
template <class T>
struct Term {
  Complex<T>* to = nullptr;
  const Complex<T>* base = nullptr;
  Complex<T> c{T(0), T(0)};
  const Complex<T>*v = nullptr, *plus = nullptr;
};

/// Up to three such sums, one after the other; then conj(shadow k).a and |a|^2 of one vector a. Shadow vector
/// 0 is stored, the others are IDR's pseudo-random ones.
template <class T>
struct Combine {
  Term<T> terms[3];
  int count;
  const Complex<T>* a;
  int k;
  const Complex<T>* shadow;
  template <class Sum>
  UMOV_HD void operator()(index_t i, Sum& s) const {
    run(i, i, s);
  }
  /// `place`: the number of the unknown in the whole.
  template <class Sum>
  UMOV_HD void run(index_t i, index_t place, Sum& s) const {
    for (int t = 0; t < 3; ++t) {
      if (t == count) break;
      const Term<T>& term = terms[t];
      Complex<T> v = term.c * term.v[i];
      if (term.base) v += term.base[i];
      if (term.plus) v += term.plus[i];
      term.to[i] = v;
    }
    const Complex<T> ai = a[i], dot = conj(k == 0 ? shadow[i] : shadow_component<T>(place, k - 1)) * ai;
    s.v[0] += dot.re;
    s.v[1] += dot.im;
    s.v[2] += norm2(ai);
  }
};

/// Counts unknowns: of all ranks.
struct Count {
  template <class Sum>
  UMOV_HD void operator()(index_t, Sum& s) const {
    s.v[0] += 1;
  }
};

template <class T>
struct PolynomialStep {  // x -= p u, r = u + p image, where u or image may be r itself; sum |r|^2
  Complex<T> p;
  const Complex<T>*u, *image;
  Complex<T>*x, *r;
  template <class Sum>
  UMOV_HD void operator()(index_t i, Sum& s) const {
    const Complex<T> ui = u[i], xi = x[i] - p * ui, ri = ui + p * image[i];
    x[i] = xi;
    r[i] = ri;
    s.v[0] += norm2(ri);
  }
};

/// conj(shadow k).a and |a|^2.
template <class A>
struct ShadowProduct {
  Complex<A> dot;
  A norm;
};

/// Solvers of an order that is chosen when they are made, with such passes.
template <class Dev, class T, class Op>
class Combining : public Vectors<Dev, T, Op> {
  using Base = Vectors<Dev, T, Op>;

 public:
  using Base::Base;

 protected:
  using Base::dev_, Base::n_, Base::op_, Base::r_, Base::rr_, Base::x_;
  using typename Base::A, typename Base::C, typename Base::Vector, typename Base::Z;

  /// Makes the sums and returns the product of `a` with shadow vector k.
  template <class... Terms>
  ShadowProduct<A> combine(const C* a, int k, const Terms&... terms) {
    const Combine<T> f{{terms...}, int(sizeof...(terms)), a, k, shadow_.data()};
    const auto s = dev_.template map_reduce<3, A>(n_, f);
    return {{s.v[0], s.v[1]}, s.v[2]};
  }
  /// Starting vectors in use where so many are asked for: there are no more than unknowns.
  int in_use(int order) const {
    return int(std::min(A(order), dev_.template map_reduce<1, A>(n_, Count{}).v[0]));
  }
  void begin_with_shadow(C* x, C* r, double rr) {
    this->begin(x, r, rr);
    dev_.for_each(n_, Copy<T>{r, shadow_.data()});
    shadow_norm2_ = A(rr);
  }
  /// Against |shadow k|^2; of pseudo-random ones against a n-th of it, as in Idrs.
  bool out_of_shadow(const ShadowProduct<A>& p, int k) const {
    return lost<T>(p.dot, (k == 0 ? shadow_norm2_ : A(2) / 3) * p.norm);
  }

  /// r = (1 + rho A) u of least norm, with A u in `image`; u, or its image, may be r. False, with the image
  /// made alone, where rho vanishes.
  bool least_residual(const C* u, C* image, Z& rho) {
    const auto product = op_.apply(u, image, false);
    if (lost<T>(product.xhy, A(rr_) * product.yy)) return false;
    rho = (-1 / product.yy) * conj(product.xhy);
    rr_ = double(dev_.template map_reduce<1, A>(n_, PolynomialStep<T>{C(rho), u, image, x_, r_}).v[0]);
    return true;
  }

  static constexpr const char* still = "the stabilising step stood still";

  Vector shadow_ = this->vector();
  A shadow_norm2_ = 0;
};

}  // namespace umov::krylov
