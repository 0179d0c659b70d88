// Quasi-minimal residual method for complex symmetric matrices, coupled two-term recurrences.
#pragma once

#include "linalg/krylov/krylov.hpp"

namespace umov::krylov {

template <class T>
struct Qmr2Vector {  // v = q - b v; sums v.v and |v|^2
  Complex<T> b;
  const Complex<T>* q;
  Complex<T>* v;
  template <class S>
  UMOV_HD void operator()(index_t i, S& s) const {
    const Complex<T> vi = q[i] - b * v[i], vv = vi * vi;
    v[i] = vi;
    s.v[0] += vv.re;
    s.v[1] += vv.im;
    s.v[2] += norm2(vi);
  }
};

template <class T>
struct Qmr2Update {  // d = eta p + f d; x += d; r = s2 r - eta v; p = a v - b p; sum |r|^2
  Complex<T> eta, b;
  T f, s2, a;
  const Complex<T>* v;
  Complex<T>*p, *d, *x, *r;
  template <class S>
  UMOV_HD void operator()(index_t i, S& s) const {
    const Complex<T> pi = p[i], vi = v[i], di = eta * pi + f * d[i];
    const Complex<T> xi = x[i] + di, ri = s2 * r[i] - eta * vi;
    d[i] = di;
    x[i] = xi;
    r[i] = ri;
    p[i] = a * vi - b * pi;
    s.v[0] += norm2(ri);
  }
};

/// QMR on coupled two-term recurrences (Freund and Nachtigal 1994, SIAM J. Sci. Comput. 15, 313,
/// with equal sequences), less sensitive to rounding than `qmr` and in exact arithmetic the same.
/// One product and 12 vector reads or writes an iteration; 4 vectors besides x and r.
template <class Dev, class T, class Op>
class Qmr2 : public Vectors<Dev, T, Op> {
  using Base = Vectors<Dev, T, Op>;
  using Base::dev_, Base::n_, Base::op_, Base::r_, Base::rr_, Base::x_;
  using typename Base::A, typename Base::C, typename Base::Z, typename Base::Vector;

 public:
  static constexpr const char* name = "qmr2";
  static constexpr int vectors = 4, products = 1;

  using Base::Base;

  void start(C* x, C* r, double rr) {
    this->begin(x, r, rr);
    const auto s = dev_.template map_reduce<3, A>(n_, BilinearAndNorm<T>{r});
    rho_ = std::sqrt(s.v[2]);
    delta_ = rho_ > 0 ? (1 / s.v[2]) * Z(s.v[0], s.v[1]) : Z(0, 0);
    dev_.for_each(n_, Copy<T>{r, v_.data()});
    dev_.for_each(n_, Scaled<T>{C(Z(rho_ > 0 ? 1 / rho_ : A(0), 0)), r, p_.data()});
    dev_.fill_zero(d_.data(), n_);
    c_ = 1;
    theta_ = 0;
    eta_ = Z(-1, 0);
  }

  /// v and |v| = rho are kept unscaled; delta is v.v of the scaled vector, p is scaled.
  Step iterate() {
    if (lost<T>(delta_, A(1))) return {rr_, "a Lanczos vector became orthogonal to its own conjugate"};
    const auto product = op_.apply(p_.data(), q_.data(), false);
    const Z epsilon = product.xy, beta = epsilon / delta_;
    if (lost<T>(epsilon, product.yy)) return {rr_, "a search direction became orthogonal to its image"};
    const auto s =
        dev_.template map_reduce<3, A>(n_, Qmr2Vector<T>{C((1 / rho_) * beta), q_.data(), v_.data()});
    const A rho = std::sqrt(s.v[2]), theta = rho / (c_ * abs(beta));
    const A c = 1 / std::sqrt(1 + theta * theta), s2 = theta * theta / (1 + theta * theta);
    eta_ = -((rho_ * c * c / (c_ * c_)) * eta_ / beta);
    const A f = theta_ * c;

    delta_ = rho > 0 ? (1 / s.v[2]) * Z(s.v[0], s.v[1]) : Z(0, 0);
    const auto rr = dev_.template map_reduce<1, A>(
        n_, Qmr2Update<T>{C(eta_), C(rho * delta_ / epsilon), T(f * f), T(s2), T(rho > 0 ? 1 / rho : A(0)),
                          v_.data(), p_.data(), d_.data(), x_, r_});
    rho_ = rho;
    c_ = c;
    theta_ = theta;
    rr_ = double(rr.v[0]);
    return {rr_};
  }

  template <class Archive>
  void state(Archive& archive) {
    for (auto* a : {&v_, &p_, &d_}) archive.vector(*a);
    for (auto* z : {&delta_, &eta_}) archive.scalar(*z);
    for (auto* a : {&rho_, &c_, &theta_}) archive.scalar(*a);
    archive.scalar(rr_);
  }

 private:
  Vector v_ = this->vector(), p_ = this->vector(), d_ = this->vector(), q_ = this->vector();
  Z delta_{0, 0}, eta_{-1, 0};
  A rho_ = 0, c_ = 1, theta_ = 0;
};

}  // namespace umov::krylov
