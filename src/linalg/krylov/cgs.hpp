// Conjugate gradients squared for any matrix.
#pragma once

#include "linalg/krylov/krylov.hpp"

namespace umov::krylov {

template <class T>
struct CgsDirections {  // u = r + b q; p = u + b (q + b p)
  Complex<T> b;
  const Complex<T>*r, *q;
  Complex<T>*u, *p;
  UMOV_HD void operator()(index_t i) const {
    const Complex<T> qi = q[i], ui = r[i] + b * qi, pi = ui + b * (qi + b * p[i]);
    u[i] = ui;
    p[i] = pi;
  }
};

template <class T>
struct CgsHalf {  // q = u - a v; u = u + q, the direction of the step
  Complex<T> a;
  const Complex<T>* v;
  Complex<T>*u, *q;
  UMOV_HD void operator()(index_t i) const {
    const Complex<T> ui = u[i], qi = ui - a * v[i];
    q[i] = qi;
    u[i] = ui + qi;
  }
};

template <class T>
struct ShadowStep {  // x += a p, r -= a q; sums conj(shadow).r and |r|^2
  Complex<T> a;
  const Complex<T>*p, *q, *shadow;
  Complex<T>*x, *r;
  template <class S>
  UMOV_HD void operator()(index_t i, S& s) const {
    const Complex<T> xi = x[i] + a * p[i], ri = r[i] - a * q[i], rho = conj(shadow[i]) * ri;
    x[i] = xi;
    r[i] = ri;
    s.v[0] += rho.re;
    s.v[1] += rho.im;
    s.v[2] += norm2(ri);
  }
};

/// CGS (Sonneveld 1989, SIAM J. Sci. Stat. Comput. 10, 36), shadow residual r_0: the polynomials of Bi-CG
/// squared, so twice as fast where that converges, and with humps squared where it does not. Two products and
/// 18 vector reads or writes an iteration; 5 vectors besides x and r.
template <class Dev, class T, class Op>
class Cgs : public Vectors<Dev, T, Op> {
  using Base = Vectors<Dev, T, Op>;
  using Base::dev_, Base::n_, Base::op_, Base::r_, Base::rr_, Base::x_;
  using typename Base::A, typename Base::C, typename Base::Z, typename Base::Vector;

 public:
  static constexpr const char* name = "cgs";
  static constexpr int vectors = 5, products = 2;

  using Base::Base;

  void start(C* x, C* r, double rr) {
    this->begin(x, r, rr);
    rho_ = Z(A(rr), 0);
    beta_ = Z(0, 0);
    shadow_norm2_ = A(rr);
    dev_.for_each(n_, Copy<T>{r, shadow_.data()});
    for (auto* a : {&p_, &q_}) dev_.fill_zero(a->data(), n_);
  }

  Step iterate() {
    if (lost<T>(rho_, shadow_norm2_ * A(rr_))) return {rr_, "the residual became orthogonal to its shadow"};
    dev_.for_each(n_, CgsDirections<T>{C(beta_), r_, q_.data(), u_.data(), p_.data()});
    const A vv = op_.apply(p_.data(), v_.data(), false).yy;
    const auto sum = dev_.template map_reduce<2, A>(n_, ShadowDot<T>{shadow_.data(), v_.data()});
    const Z sigma(sum.v[0], sum.v[1]);
    if (lost<T>(sigma, shadow_norm2_ * vv)) return {rr_, "a search direction's image left the shadow space"};
    const Z alpha = rho_ / sigma;
    dev_.for_each(n_, CgsHalf<T>{C(alpha), v_.data(), u_.data(), q_.data()});
    op_.apply(u_.data(), v_.data(), false);
    const auto s = dev_.template map_reduce<3, A>(
        n_, ShadowStep<T>{C(alpha), u_.data(), v_.data(), shadow_.data(), x_, r_});
    const Z rho(s.v[0], s.v[1]);
    beta_ = rho / rho_;
    rho_ = rho;
    rr_ = double(s.v[2]);
    return {rr_};
  }

  template <class Archive>
  void state(Archive& archive) {
    for (auto* a : {&shadow_, &p_, &q_}) archive.vector(*a);
    for (auto* z : {&rho_, &beta_}) archive.scalar(*z);
    archive.scalar(shadow_norm2_);
    archive.scalar(rr_);
  }

 private:
  Vector shadow_ = this->vector(), p_ = this->vector(), q_ = this->vector(), u_ = this->vector(),
         v_ = this->vector();
  Z rho_{0, 0}, beta_{0, 0};
  A shadow_norm2_ = 0;
};

}  // namespace umov::krylov
