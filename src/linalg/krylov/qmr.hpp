// Quasi-minimal residual method for complex symmetric matrices.
#pragma once

#include <utility>

#include "linalg/krylov/krylov.hpp"

namespace umov::krylov {

template <class T>
struct LanczosVector {  // w = q - alpha v - beta w; sums w.w and |w|^2
  Complex<T> alpha, beta;
  const Complex<T>*q, *v;
  Complex<T>* w;
  template <class S>
  UMOV_HD void operator()(index_t i, S& s) const {
    const Complex<T> wi = q[i] - alpha * v[i] - beta * w[i], ww = wi * wi;
    w[i] = wi;
    s.v[0] += ww.re;
    s.v[1] += ww.im;
    s.v[2] += norm2(wi);
  }
};

template <class T>
struct QmrUpdate {
  // u = (v - eta p - theta u) / zeta becomes the new direction (over the one before p); x += tau u;
  // w *= 1/beta is the next Lanczos vector; r = s2 r + g w; sum |r|^2
  Complex<T> inv_zeta, eta, theta, tau, inv_beta, g;
  T s2;
  const Complex<T>*v, *p;
  Complex<T>*u, *x, *w, *r;
  template <class S>
  UMOV_HD void operator()(index_t i, S& s) const {
    const Complex<T> ui = inv_zeta * (v[i] - eta * p[i] - theta * u[i]);
    const Complex<T> xi = x[i] + tau * ui, wi = inv_beta * w[i], ri = s2 * r[i] + g * wi;
    u[i] = ui;
    x[i] = xi;
    w[i] = wi;
    r[i] = ri;
    s.v[0] += norm2(ri);
  }
};

template <class T>
struct Scaled {  // to = a from
  Complex<T> a;
  const Complex<T>* from;
  Complex<T>* to;
  UMOV_HD void operator()(index_t i) const { to[i] = a * from[i]; }
};

/// QMR without look-ahead on the three-term complex symmetric Lanczos process (Freund 1992, SIAM J. Sci.
/// Stat. Comput. 13, 425, Algorithm 3.2). One product and 14 vector reads or writes an iteration;
/// 5 vectors besides x and r. The residual is carried along exactly (eq. 3.13 there), not bounded.
template <class Dev, class T, class Op>
class Qmr {
  using C = Complex<T>;
  using A = backend::Accumulator<T>;
  using Z = Complex<A>;

 public:
  static constexpr const char* name = "qmr";
  static constexpr int vectors = 5;
  Qmr(Dev& dev, Op& op, index_t n)
      : dev_(dev),
        op_(op),
        n_(n),
        v_(dev.template allocate<C>(n)),
        w_(dev.template allocate<C>(n)),
        p_(dev.template allocate<C>(n)),
        u_(dev.template allocate<C>(n)),
        q_(dev.template allocate<C>(n)) {}

  void start(C* x, C* r, double rr) {
    attach(x, r);
    rr_ = rr;
    const auto s = dev_.template map_reduce<3, A>(n_, BilinearAndNorm<T>{r});
    beta_ = sqrt(Z(s.v[0], s.v[1]));
    omega_ = beta_is_zero(s.v[2]) ? A(0) : std::sqrt(s.v[2]) / abs(beta_);
    tau_ = omega_ * beta_;
    if (omega_ > 0) dev_.for_each(n_, Scaled<T>{C(Z(1, 0) / beta_), r, v_.data()});
    for (auto* a : {&w_, &p_, &u_}) dev_.fill_zero(a->data(), n_);
    first_ = true;
    omega_before_ = 0;
    c_ = c_before_ = 1;
    s_ = s_before_ = Z(0, 0);
  }

  Step iterate() {
    if (omega_ == 0) return {rr_, "a Lanczos vector is orthogonal to its conjugate"};
    const Z alpha = op_.apply(v_.data(), q_.data(), false).xy;
    // w holds the Lanczos vector before v, which the first step does not have
    const Z beta_used = first_ ? Z(0, 0) : beta_;
    const auto sum = dev_.template map_reduce<3, A>(
        n_, LanczosVector<T>{C(alpha), C(beta_used), q_.data(), v_.data(), w_.data()});
    const Z beta_next = sqrt(Z(sum.v[0], sum.v[1]));
    const bool lost = beta_is_zero(sum.v[2], abs(beta_next));
    const A omega_next = lost ? A(0) : std::sqrt(sum.v[2]) / abs(beta_next);

    const Z theta = conj(s_before_) * (omega_before_ * beta_used);
    const Z eta = (c_ * c_before_ * omega_before_) * beta_used + conj(s_) * (omega_ * alpha);
    const Z zeta_tilde = (c_ * omega_) * alpha - s_ * ((c_before_ * omega_before_) * beta_used);
    // |omega_next beta_next| is the norm of the unscaled vector, also when beta_next vanishes
    const A length = std::sqrt(norm2(zeta_tilde) + sum.v[2]), size = abs(zeta_tilde);
    if (length == 0) return {rr_, "the Lanczos process stopped"};
    const Z zeta = size > 0 ? (length / size) * zeta_tilde : Z(length, 0);
    const A c_new = size / length;
    const Z s_new = omega_next * beta_next / zeta;
    const Z tau = c_new * tau_;
    tau_ = -(s_new * tau_);

    const Z inv_beta = lost ? Z(0, 0) : Z(1, 0) / beta_next;
    const Z g = lost ? Z(0, 0) : (c_new / omega_next) * tau_;
    const auto rr = dev_.template map_reduce<1, A>(
        n_, QmrUpdate<T>{C(Z(1, 0) / zeta), C(eta), C(theta), C(tau), C(inv_beta), C(g), T(norm2(s_new)),
                         v_.data(), p_.data(), u_.data(), x_, w_.data(), r_});
    std::swap(v_, w_);
    std::swap(p_, u_);
    beta_ = beta_next;
    omega_before_ = omega_;
    omega_ = omega_next;
    c_before_ = c_;
    c_ = c_new;
    s_before_ = s_;
    s_ = s_new;
    first_ = false;
    rr_ = double(rr.v[0]);
    return {rr_, nullptr};
  }

  void attach(C* x, C* r) {
    x_ = x;
    r_ = r;
  }
  template <class Archive>
  void state(Archive& archive) {
    for (auto* a : {&v_, &w_, &p_, &u_}) archive.vector(*a);
    for (auto* z : {&beta_, &tau_, &s_, &s_before_}) archive.scalar(*z);
    for (auto* a : {&omega_, &omega_before_, &c_, &c_before_}) archive.scalar(*a);
    archive.scalar(first_);
    archive.scalar(rr_);
  }

 private:
  bool beta_is_zero(A ww) const { return beta_is_zero(ww, abs(beta_)); }
  bool beta_is_zero(A ww, A beta) const { return ww == 0 || beta * beta <= breakdown_threshold * ww; }

  Dev& dev_;
  Op& op_;
  index_t n_;
  typename Dev::template Array<C> v_, w_, p_, u_, q_;
  C *x_ = nullptr, *r_ = nullptr;
  Z beta_{0, 0}, tau_{0, 0}, s_{0, 0}, s_before_{0, 0};
  A omega_ = 0, omega_before_ = 0, c_ = 1, c_before_ = 1;
  bool first_ = true;
  double rr_ = 0;
};

}  // namespace umov::krylov
