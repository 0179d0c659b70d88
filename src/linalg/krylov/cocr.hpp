// Conjugate orthogonal conjugate residuals for complex symmetric matrices.
#pragma once

#include "linalg/krylov/krylov.hpp"

namespace umov::krylov {

template <class T>
struct CocrDirection {  // p = r + b p, q = s + b q; sums q.q and |q|^2
  Complex<T> b;
  const Complex<T>*r, *s;
  Complex<T>*p, *q;
  template <class S>
  UMOV_HD void operator()(index_t i, S& sum) const {
    const Complex<T> pi = r[i] + b * p[i], qi = s[i] + b * q[i], qq = qi * qi;
    p[i] = pi;
    q[i] = qi;
    sum.v[0] += qq.re;
    sum.v[1] += qq.im;
    sum.v[2] += norm2(qi);
  }
};

/// COCR (Sogabe and Zhang 2007, J. Comput. Appl. Math. 199, 297): conjugate A-orthogonal residuals, usually
/// smoother than Bi-CG. One product and 12 vector reads or writes an iteration; 3 vectors besides x and r.
template <class Dev, class T, class Op>
class Cocr : public Vectors<Dev, T, Op> {
  using Base = Vectors<Dev, T, Op>;
  using Base::dev_, Base::n_, Base::op_, Base::r_, Base::rr_, Base::x_;
  using typename Base::A, typename Base::C, typename Base::Z, typename Base::Vector;

 public:
  static constexpr const char* name = "cocr";
  static constexpr int vectors = 3, products = 1;

  using Base::Base;

  void start(C* x, C* r, double rr) {
    this->begin(x, r, rr);
    rho_ = Z(1, 0);
    for (auto* a : {&p_, &q_}) dev_.fill_zero(a->data(), n_);
    first_ = true;
  }

  Step iterate() {
    const auto product = op_.apply(r_, s_.data(), false);
    if (lost<T>(product.xy, A(rr_) * product.yy))
      return {rr_, "the residual became orthogonal to its own image"};
    const Z beta = first_ ? Z(0, 0) : product.xy / rho_;
    rho_ = product.xy;
    first_ = false;
    const auto s =
        dev_.template map_reduce<3, A>(n_, CocrDirection<T>{C(beta), r_, s_.data(), p_.data(), q_.data()});
    const Z mu(s.v[0], s.v[1]);
    if (lost<T>(mu, s.v[2] * s.v[2]))
      return {rr_, "a direction's image became orthogonal to its own conjugate"};
    rr_ = double(
        dev_.template map_reduce<1, A>(n_, StepAlong<T>{C(rho_ / mu), p_.data(), q_.data(), x_, r_}).v[0]);
    return {rr_};
  }

  template <class Archive>
  void state(Archive& archive) {
    for (auto* a : {&p_, &q_}) archive.vector(*a);
    archive.scalar(rho_);
    archive.scalar(first_);
    archive.scalar(rr_);
  }

 private:
  Vector p_ = this->vector(), q_ = this->vector(), s_ = this->vector();  // q = A p, s = A r
  Z rho_{1, 0};
  bool first_ = true;
};

}  // namespace umov::krylov
