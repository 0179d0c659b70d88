// Common to QMR and CSYM: a tridiagonal matrix factored by Givens rotations, and the passes around it.
#pragma once

#include "linalg/krylov/krylov.hpp"

namespace umov::krylov {

/// QR factors of a tridiagonal matrix column by column, with the right-hand side tau~ e_1
/// (Freund 1992, SIAM J. Sci. Stat. Comput. 13, 425, eqs. 3.5 to 3.8).
template <class A>
class TridiagonalQr {
  using Z = Complex<A>;

 public:
  struct Column {
    Z theta, eta, inv_zeta;  ///< second and first superdiagonal, 1 / diagonal of R
    Z tau;                   ///< entry of the rotated right-hand side
    A s2;                    ///< |s|^2 of the rotation
  };

  void start(Z tau) {
    tau_ = tau;
    c_ = c_before_ = 1;
    s_ = s_before_ = Z(0, 0);
  }

  /// Column (upper, diagonal, lower); `lower2` is |lower|^2, known also when `lower` itself is not.
  /// False when the column vanishes: the matrix is singular.
  bool next(Z upper, Z diagonal, Z lower, A lower2, Column& out) {
    out.theta = conj(s_before_) * upper;
    out.eta = (c_ * c_before_) * upper + conj(s_) * diagonal;
    const Z pivot = c_ * diagonal - s_ * (c_before_ * upper);
    const A size = abs(pivot), length = std::sqrt(norm2(pivot) + lower2);
    if (!(length > 0)) return false;
    const Z zeta = size > 0 ? (length / size) * pivot : Z(length, 0);
    out.inv_zeta = Z(1, 0) / zeta;
    s_before_ = s_;
    s_ = lower * out.inv_zeta;
    c_before_ = c_;
    c_ = size / length;
    out.tau = c_ * tau_;
    tau_ = -(s_ * tau_);
    out.s2 = lower2 / (length * length);
    return true;
  }

  template <class Archive>
  void state(Archive& archive) {
    for (auto* z : {&tau_, &s_, &s_before_}) archive.scalar(*z);
    for (auto* a : {&c_, &c_before_}) archive.scalar(*a);
  }

 private:
  Z tau_{0, 0}, s_{0, 0}, s_before_{0, 0};
  A c_ = 1, c_before_ = 1;
};

template <class T, bool conjugate>
struct LanczosVector {
  // w = q - alpha v - beta w, with v and w conjugated for CSYM; sums w.w and |w|^2
  Complex<T> alpha, beta;
  const Complex<T>*q, *v;
  Complex<T>* w;
  template <class S>
  UMOV_HD void operator()(index_t i, S& s) const {
    const Complex<T> vi = conjugate ? conj(v[i]) : v[i], before = conjugate ? conj(w[i]) : w[i];
    const Complex<T> wi = q[i] - alpha * vi - beta * before, ww = wi * wi;
    w[i] = wi;
    s.v[0] += ww.re;
    s.v[1] += ww.im;
    s.v[2] += norm2(wi);
  }
};

template <class T, bool conjugate>
struct LanczosUpdate {
  // u = (v - eta p - theta u) / zeta becomes the new direction (over the one before p); x += tau u;
  // r = s2 r - (tau / zeta) w; w / beta (conjugated for CSYM) is the next Lanczos vector; sum |r|^2
  Complex<T> inv_zeta, eta, theta, tau, inv_beta, g;
  T s2;
  const Complex<T>*v, *p;
  Complex<T>*u, *x, *w, *r;
  template <class S>
  UMOV_HD void operator()(index_t i, S& s) const {
    const Complex<T> ui = inv_zeta * (v[i] - eta * p[i] - theta * u[i]);
    const Complex<T> xi = x[i] + tau * ui, wi = w[i], ri = s2 * r[i] - g * wi;
    u[i] = ui;
    x[i] = xi;
    w[i] = inv_beta * (conjugate ? conj(wi) : wi);
    r[i] = ri;
    s.v[0] += norm2(ri);
  }
};

}  // namespace umov::krylov
