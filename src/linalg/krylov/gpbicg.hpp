// Generalised product-type bi-conjugate gradients for any matrix.
#pragma once

#include "linalg/krylov/krylov.hpp"

namespace umov::krylov {

template <class T>
struct GpbicgDirection {  // w = w + b q (w holds A t); p = r + b (p - u)
  Complex<T> b;
  const Complex<T>*r, *u, *q;
  Complex<T>*p, *w;
  UMOV_HD void operator()(index_t i) const {
    const Complex<T> wi = w[i] + b * q[i], pi = r[i] + b * (p[i] - u[i]);
    w[i] = wi;
    p[i] = pi;
  }
};

template <class T>
struct GpbicgHalf {
  // with d = t_(n-1) - r_n in y: u = d + b u; y = d - a (w - q); r -= a q is t_n; sums |y|^2, |t|^2,
  // conj(y).t
  Complex<T> a, b;
  const Complex<T>*w, *q;
  Complex<T>*y, *u, *r;
  template <class S>
  UMOV_HD void operator()(index_t i, S& s) const {
    const Complex<T> d = y[i], qi = q[i], ui = d + b * u[i], yi = d - a * (w[i] - qi), ti = r[i] - a * qi;
    const Complex<T> yt = conj(yi) * ti;
    u[i] = ui;
    y[i] = yi;
    r[i] = ti;
    s.v[0] += norm2(yi);
    s.v[1] += norm2(ti);
    s.v[2] += yt.re;
    s.v[3] += yt.im;
  }
};

template <class T>
struct GpbicgUpdate {
  // u = zeta q + eta u; z = zeta (t + a q) + eta z - a u; x += a p + z; y = eta y + zeta w (w = A t);
  // r = t - y; sums conj(shadow).r and |r|^2
  Complex<T> a, zeta, eta;
  const Complex<T>*p, *q, *w, *shadow;
  Complex<T>*u, *z, *y, *x, *r;
  template <class S>
  UMOV_HD void operator()(index_t i, S& s) const {
    const Complex<T> pi = p[i], qi = q[i], ti = r[i], ui = zeta * qi + eta * u[i];
    const Complex<T> zi = zeta * (ti + a * qi) + eta * z[i] - a * ui, xi = x[i] + a * pi + zi;
    const Complex<T> di = eta * y[i] + zeta * w[i], ri = ti - di, rho = conj(shadow[i]) * ri;
    u[i] = ui;
    z[i] = zi;
    y[i] = di;
    x[i] = xi;
    r[i] = ri;
    s.v[0] += rho.re;
    s.v[1] += rho.im;
    s.v[2] += norm2(ri);
  }
};

/// GPBi-CG (Zhang 1997, SIAM J. Sci. Comput. 18, 537): Bi-CG times a three-term polynomial of
/// minimal residual, for spectra that Bi-CGSTAB's linear factors fit badly. Two products and 33 vector reads
/// or writes an iteration; 7 vectors besides x and r (t lives in r, A t in w, t_(n-1) - r_n in y).
template <class Dev, class T, class Op>
class Gpbicg : public Vectors<Dev, T, Op> {
  using Base = Vectors<Dev, T, Op>;
  using Base::dev_, Base::n_, Base::op_, Base::r_, Base::rr_, Base::x_;
  using typename Base::A, typename Base::C, typename Base::Z, typename Base::Vector;

 public:
  static constexpr const char* name = "gpbicg";
  static constexpr int vectors = 7, products = 2;

  using Base::Base;

  void start(C* x, C* r, double rr) {
    this->begin(x, r, rr);
    rho_ = Z(A(rr), 0);
    shadow_norm2_ = A(rr);
    beta_ = Z(0, 0);
    dev_.for_each(n_, Copy<T>{r, shadow_.data()});
    for (auto* a : {&p_, &q_, &w_, &u_, &z_, &y_}) dev_.fill_zero(a->data(), n_);
    first_ = true;
  }

  Step iterate() {
    if (lost<T>(rho_, shadow_norm2_ * A(rr_))) return {rr_, "the residual became orthogonal to its shadow"};
    dev_.for_each(n_, GpbicgDirection<T>{C(beta_), r_, u_.data(), q_.data(), p_.data(), w_.data()});
    const A qq = op_.apply(p_.data(), q_.data(), false).yy;
    const auto sigma_sum = dev_.template map_reduce<2, A>(n_, ShadowDot<T>{shadow_.data(), q_.data()});
    const Z sigma(sigma_sum.v[0], sigma_sum.v[1]);
    if (lost<T>(sigma, shadow_norm2_ * qq)) return {rr_, "a search direction's image left the shadow space"};
    const Z alpha = rho_ / sigma;
    const auto s = dev_.template map_reduce<4, A>(
        n_, GpbicgHalf<T>{C(alpha), C(beta_), w_.data(), q_.data(), y_.data(), u_.data(), r_});
    const A yy = s.v[0], tt = s.v[1];
    const Z y_dot_t(s.v[2], s.v[3]);

    const auto product = op_.apply(r_, w_.data(), false);
    const Z w_dot_t = conj(product.xhy);
    Z zeta, eta(0, 0);
    if (first_)
      zeta = lost<T>(w_dot_t, tt * product.yy) ? Z(0, 0) : (1 / product.yy) * w_dot_t;
    else
      minimise(yy, product.yy, y_dot_t, w_dot_t, zeta, eta);
    return update(alpha, zeta, eta);
  }

  template <class Archive>
  void state(Archive& archive) {
    for (auto* a : {&shadow_, &p_, &q_, &w_, &u_, &z_, &y_}) archive.vector(*a);
    for (auto* z : {&rho_, &beta_}) archive.scalar(*z);
    archive.scalar(shadow_norm2_);
    archive.scalar(first_);
    archive.scalar(rr_);
  }

 private:
  /// zeta, eta of minimal |t - eta y - zeta w|; eta = 0 where y and w are parallel.
  void minimise(A yy, A ww, Z y_dot_t, Z w_dot_t, Z& zeta, Z& eta) {
    const auto s = dev_.template map_reduce<2, A>(n_, ShadowDot<T>{y_.data(), w_.data()});
    const Z y_dot_w(s.v[0], s.v[1]);
    const A det = yy * ww - norm2(y_dot_w), tiny = 4 * std::numeric_limits<T>::epsilon();
    if (det > tiny * yy * ww) {
      eta = (1 / det) * (ww * y_dot_t - y_dot_w * w_dot_t);
      zeta = (1 / det) * (yy * w_dot_t - conj(y_dot_w) * y_dot_t);
    } else {
      eta = Z(0, 0);
      zeta = ww > 0 ? (1 / ww) * w_dot_t : Z(0, 0);
    }
  }

  Step update(Z alpha, Z zeta, Z eta) {
    const auto s = dev_.template map_reduce<3, A>(
        n_, GpbicgUpdate<T>{C(alpha), C(zeta), C(eta), p_.data(), q_.data(), w_.data(), shadow_.data(),
                            u_.data(), z_.data(), y_.data(), x_, r_});
    rr_ = double(s.v[2]);
    if (!(norm2(zeta) > 0)) return {rr_, "the stabilising step stood still"};
    const Z rho(s.v[0], s.v[1]);
    beta_ = (alpha / zeta) * (rho / rho_);
    rho_ = rho;
    first_ = false;
    return {rr_};
  }

  Vector shadow_ = this->vector(), p_ = this->vector(), q_ = this->vector(), w_ = this->vector(),
         u_ = this->vector(), z_ = this->vector(), y_ = this->vector();
  Z rho_{0, 0}, beta_{0, 0};
  A shadow_norm2_ = 0;
  bool first_ = true;
};

}  // namespace umov::krylov
