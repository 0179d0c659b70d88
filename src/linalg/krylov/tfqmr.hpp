// Transpose-free quasi-minimal residuals for any matrix.
#pragma once

#include "linalg/krylov/krylov.hpp"

namespace umov::krylov {

template <class T>
struct TfqmrResidual {  // w -= a q; sums conj(shadow).w and |w|^2
  Complex<T> a;
  const Complex<T>*q, *shadow;
  Complex<T>* w;
  template <class S>
  UMOV_HD void operator()(index_t i, S& s) const {
    const Complex<T> wi = w[i] - a * q[i], rho = conj(shadow[i]) * wi;
    w[i] = wi;
    s.v[0] += rho.re;
    s.v[1] += rho.im;
    s.v[2] += norm2(wi);
  }
};

template <class T>
struct TfqmrStep {  // d = y + c d; e = q + c e (= A d); x += h d; r -= h e; sum |r|^2
  Complex<T> c, h;
  const Complex<T>*y, *q;
  Complex<T>*d, *e, *x, *r;
  template <class S>
  UMOV_HD void operator()(index_t i, S& s) const {
    const Complex<T> di = y[i] + c * d[i], ei = q[i] + c * e[i], xi = x[i] + h * di, ri = r[i] - h * ei;
    d[i] = di;
    e[i] = ei;
    x[i] = xi;
    r[i] = ri;
    s.v[0] += norm2(ri);
  }
};

template <class T>
struct TfqmrNext {  // y = w + b y; v = b (q + b v), to which A y is added
  Complex<T> b;
  const Complex<T>*w, *q;
  Complex<T>*y, *v;
  UMOV_HD void operator()(index_t i) const {
    const Complex<T> yi = w[i] + b * y[i], vi = b * (q[i] + b * v[i]);
    y[i] = yi;
    v[i] = vi;
  }
};

template <class T>
struct TfqmrAdd {  // y += a x
  Complex<T> a;
  const Complex<T>* x;
  Complex<T>* y;
  UMOV_HD void operator()(index_t i) const { y[i] = y[i] + a * x[i]; }
};

/// TFQMR (Freund 1993, SIAM J. Sci. Comput. 14, 470, algorithm 5.1), shadow residual r_0: the half steps of
/// CGS, combined for a quasi-minimal residual. The paper bounds the residual; here it is carried along by the
/// images of the directions, one vector more, so that it is the true one. Two products (two half steps) and
/// 38 vector reads or writes an iteration; 7 vectors besides x and r.
template <class Dev, class T, class Op>
class Tfqmr : public Vectors<Dev, T, Op> {
  using Base = Vectors<Dev, T, Op>;
  using Base::dev_, Base::n_, Base::op_, Base::r_, Base::rr_, Base::x_;
  using typename Base::A, typename Base::C, typename Base::Z, typename Base::Vector;

 public:
  static constexpr const char* name = "tfqmr";
  static constexpr int vectors = 7, products = 2;

  using Base::Base;

  void start(C* x, C* r, double rr) {
    this->begin(x, r, rr);
    rho_ = Z(A(rr), 0);
    eta_ = Z(0, 0);
    theta2_ = 0;
    shadow_norm2_ = ww_ = A(rr);
    tau_ = std::sqrt(A(rr));
    for (auto* a : {&shadow_, &w_, &y_}) dev_.for_each(n_, Copy<T>{r, a->data()});
    for (auto* a : {&d_, &e_, &v_}) dev_.fill_zero(a->data(), n_);
    first_ = true;
  }

  Step iterate() {
    if (lost<T>(rho_, shadow_norm2_ * ww_)) return {rr_, "the residual became orthogonal to its shadow"};
    if (!first_) {
      const Z beta = rho_ / rho_before_;
      dev_.for_each(n_, TfqmrNext<T>{C(beta), w_.data(), q_.data(), y_.data(), v_.data()});
    }
    op_.apply(y_.data(), q_.data(), false);
    dev_.for_each(n_, TfqmrAdd<T>{C(Z(1, 0)), q_.data(), v_.data()});
    const auto sum = dev_.template map_reduce<2, A>(n_, ShadowDot<T>{shadow_.data(), v_.data()});
    const A vv = dev_.template map_reduce<1, A>(n_, Norm<T>{v_.data()}).v[0];
    const Z sigma(sum.v[0], sum.v[1]);
    if (lost<T>(sigma, shadow_norm2_ * vv)) return {rr_, "a search direction's image left the shadow space"};
    const Z alpha = rho_ / sigma;
    half_step(alpha);
    dev_.for_each(n_, TfqmrAdd<T>{C(Z(0, 0) - alpha), v_.data(), y_.data()});
    op_.apply(y_.data(), q_.data(), false);
    rho_before_ = rho_;
    rho_ = half_step(alpha);
    first_ = false;
    return {rr_};
  }

  template <class Archive>
  void state(Archive& archive) {
    for (auto* a : {&shadow_, &w_, &y_, &q_, &v_, &d_, &e_}) archive.vector(*a);
    for (auto* z : {&rho_, &rho_before_, &eta_}) archive.scalar(*z);
    for (auto* a : {&shadow_norm2_, &ww_, &tau_, &theta2_}) archive.scalar(*a);
    archive.scalar(first_);
    archive.scalar(rr_);
  }

 private:
  /// With q = A y: the next residual of CGS in w, and its part in the quasi-minimal one. Returns
  /// conj(shadow).w.
  Z half_step(Z alpha) {
    const auto s =
        dev_.template map_reduce<3, A>(n_, TfqmrResidual<T>{C(alpha), q_.data(), shadow_.data(), w_.data()});
    const Z coupling = theta2_ * (eta_ / alpha);  // of the half step before
    ww_ = s.v[2];
    theta2_ = tau_ > 0 ? ww_ / (tau_ * tau_) : A(0);
    const A cosine2 = 1 / (1 + theta2_);
    eta_ = cosine2 * alpha;
    rr_ = double(dev_.template map_reduce<1, A>(n_, TfqmrStep<T>{C(coupling), C(eta_), y_.data(), q_.data(),
                                                                 d_.data(), e_.data(), x_, r_})
                     .v[0]);
    tau_ *= std::sqrt(theta2_ * cosine2);
    return {s.v[0], s.v[1]};
  }

  Vector shadow_ = this->vector(), w_ = this->vector(), y_ = this->vector(), q_ = this->vector(),
         v_ = this->vector(), d_ = this->vector(), e_ = this->vector();
  Z rho_{0, 0}, rho_before_{1, 0}, eta_{0, 0};
  A shadow_norm2_ = 0, ww_ = 0, tau_ = 0, theta2_ = 0;
  bool first_ = true;
};

}  // namespace umov::krylov
