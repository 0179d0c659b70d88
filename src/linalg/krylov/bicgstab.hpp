// Stabilised bi-conjugate gradients for any matrix.
#pragma once

#include "linalg/krylov/krylov.hpp"

namespace umov::krylov {

template <class T>
struct BicgstabDirection {  // p = r + b (p - w v)
  Complex<T> b, w;
  const Complex<T>*r, *v;
  Complex<T>* p;
  UMOV_HD void operator()(index_t i) const { p[i] = r[i] + b * (p[i] - w * v[i]); }
};

template <class T>
struct BicgstabHalf {  // r -= a v; sum |r|^2
  Complex<T> a;
  const Complex<T>* v;
  Complex<T>* r;
  template <class S>
  UMOV_HD void operator()(index_t i, S& s) const {
    const Complex<T> ri = r[i] - a * v[i];
    r[i] = ri;
    s.v[0] += norm2(ri);
  }
};

template <class T>
struct BicgstabUpdate {  // x += a p + w r; r -= w t; sums conj(shadow).r and |r|^2
  Complex<T> a, w;
  const Complex<T>*p, *t, *shadow;
  Complex<T>*x, *r;
  template <class S>
  UMOV_HD void operator()(index_t i, S& s) const {
    const Complex<T> half = r[i], xi = x[i] + a * p[i] + w * half, ri = half - w * t[i];
    const Complex<T> rho = conj(shadow[i]) * ri;
    x[i] = xi;
    r[i] = ri;
    s.v[0] += rho.re;
    s.v[1] += rho.im;
    s.v[2] += norm2(ri);
  }
};

template <class T>
struct Advance {  // x += a p
  Complex<T> a;
  const Complex<T>* p;
  Complex<T>* x;
  UMOV_HD void operator()(index_t i) const { x[i] = x[i] + a * p[i]; }
};

/// Bi-CGSTAB (van der Vorst 1992, SIAM J. Sci. Stat. Comput. 13, 631), shadow residual r_0.
/// Two products and 16 vector reads or writes an iteration; 4 vectors besides x and r.
/// stop_at() lets it end after the first product of an iteration.
template <class Dev, class T, class Op>
class Bicgstab : public Vectors<Dev, T, Op> {
  using Base = Vectors<Dev, T, Op>;
  using Base::dev_, Base::n_, Base::op_, Base::r_, Base::rr_, Base::x_;
  using typename Base::A, typename Base::C, typename Base::Z, typename Base::Vector;

 public:
  static constexpr const char* name = "bicgstab";
  static constexpr int vectors = 4, products = 2;

  using Base::Base;

  /// |r|^2 at which the first half of an iteration is enough.
  void stop_at(double rr) { target_ = rr; }

  void start(C* x, C* r, double rr) {
    this->begin(x, r, rr);
    rho_ = Z(A(rr), 0);
    shadow_norm2_ = A(rr);
    dev_.for_each(n_, Copy<T>{r, shadow_.data()});
    dev_.for_each(n_, Copy<T>{r, p_.data()});
    first_ = true;
  }

  Step iterate() {
    if (lost<T>(rho_, shadow_norm2_ * A(rr_))) return {rr_, "the residual became orthogonal to its shadow"};
    if (!first_) {
      const Z beta = (rho_ / rho_before_) * (alpha_ / omega_);
      dev_.for_each(n_, BicgstabDirection<T>{C(beta), C(omega_), r_, v_.data(), p_.data()});
    }
    const A vv = op_.apply(p_.data(), v_.data(), false).yy;
    const auto sigma_sum = dev_.template map_reduce<2, A>(n_, ShadowDot<T>{shadow_.data(), v_.data()});
    const Z sigma(sigma_sum.v[0], sigma_sum.v[1]);
    if (lost<T>(sigma, shadow_norm2_ * vv)) return {rr_, "a search direction's image left the shadow space"};
    alpha_ = rho_ / sigma;
    const A half = dev_.template map_reduce<1, A>(n_, BicgstabHalf<T>{C(alpha_), v_.data(), r_}).v[0];
    if (half <= A(target_)) return finish_half(half, nullptr);

    const auto product = op_.apply(r_, t_.data(), false);
    const Z r_dot_t = product.xhy;
    if (lost<T>(r_dot_t, half * product.yy)) return finish_half(half, "the stabilising step stood still");
    omega_ = (1 / product.yy) * conj(r_dot_t);
    const auto s = dev_.template map_reduce<3, A>(
        n_, BicgstabUpdate<T>{C(alpha_), C(omega_), p_.data(), t_.data(), shadow_.data(), x_, r_});
    rho_before_ = rho_;
    rho_ = {s.v[0], s.v[1]};
    first_ = false;
    rr_ = double(s.v[2]);
    return {rr_};
  }

  template <class Archive>
  void state(Archive& archive) {
    for (auto* a : {&shadow_, &p_, &v_}) archive.vector(*a);
    for (auto* z : {&rho_, &rho_before_, &alpha_, &omega_}) archive.scalar(*z);
    archive.scalar(shadow_norm2_);
    archive.scalar(first_);
    archive.scalar(target_);
    archive.scalar(rr_);
  }

 private:
  /// Takes the half step into x; nothing may follow it but a new start.
  Step finish_half(A half, const char* breakdown) {
    dev_.for_each(n_, Advance<T>{C(alpha_), p_.data(), x_});
    rho_ = Z(0, 0);
    rr_ = double(half);
    return {rr_, breakdown};
  }

  Vector shadow_ = this->vector(), p_ = this->vector(), v_ = this->vector(), t_ = this->vector();
  Z rho_{0, 0}, rho_before_{1, 0}, alpha_{1, 0}, omega_{1, 0};
  A shadow_norm2_ = 0;
  bool first_ = true;
  double target_ = 0;
};

}  // namespace umov::krylov
