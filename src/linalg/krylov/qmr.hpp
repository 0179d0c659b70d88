// Quasi-minimal residual method for complex symmetric matrices, three-term recurrences.
#pragma once

#include <utility>

#include "linalg/krylov/tridiagonal.hpp"

namespace umov::krylov {

/// QMR without look-ahead on the three-term complex symmetric Lanczos process (Freund 1992, SIAM J. Sci.
/// Stat. Comput. 13, 425, Algorithm 3.2). One product and 15 vector reads or writes an iteration;
/// 5 vectors besides x and r. The residual is carried along exactly (from eq. 3.13 there), not bounded.
template <class Dev, class T, class Op>
class Qmr : public Vectors<Dev, T, Op> {
  using Base = Vectors<Dev, T, Op>;
  using Base::dev_, Base::n_, Base::op_, Base::r_, Base::rr_, Base::x_;
  using typename Base::A, typename Base::C, typename Base::Z, typename Base::Vector;

 public:
  static constexpr const char* name = "qmr";
  static constexpr int vectors = 5, products = 1;

  using Base::Base;

  void start(C* x, C* r, double rr) {
    this->begin(x, r, rr);
    const auto s = dev_.template map_reduce<3, A>(n_, BilinearAndNorm<T>{r});
    set_beta({s.v[0], s.v[1]}, s.v[2]);
    qr_.start(omega_ * beta_);
    if (omega_ > 0) dev_.for_each(n_, Scaled<T>{C(Z(1, 0) / beta_), r, v_.data()});
    for (auto* a : {&w_, &p_, &u_}) dev_.fill_zero(a->data(), n_);
    upper_ = beta_used_ = Z(0, 0);
  }

  Step iterate() {
    if (omega_ == 0) return {rr_, "a Lanczos vector became orthogonal to its own conjugate"};
    const Z alpha = op_.apply(v_.data(), q_.data(), false).xy;
    // w holds the Lanczos vector before v; the first step has none
    const auto sum = dev_.template map_reduce<3, A>(
        n_, LanczosVector<T, false>{C(alpha), C(beta_used_), q_.data(), v_.data(), w_.data()});
    const Z diagonal = omega_ * alpha;
    const A omega_before = omega_;
    set_beta({sum.v[0], sum.v[1]}, sum.v[2]);
    typename TridiagonalQr<A>::Column col;
    if (!qr_.next(upper_, diagonal, omega_ * beta_, sum.v[2], col)) return {rr_, "the matrix is singular"};

    const Z inv_beta = omega_ > 0 ? Z(1, 0) / beta_ : Z(0, 0);
    const auto rr = dev_.template map_reduce<1, A>(
        n_, LanczosUpdate<T, false>{C(col.inv_zeta), C(col.eta), C(col.theta), C(col.tau), C(inv_beta),
                                    C(col.tau * col.inv_zeta), T(col.s2), v_.data(), p_.data(), u_.data(), x_,
                                    w_.data(), r_});
    std::swap(v_, w_);
    std::swap(p_, u_);
    beta_used_ = beta_;
    upper_ = omega_before * beta_;
    rr_ = double(rr.v[0]);
    return {rr_};
  }

  template <class Archive>
  void state(Archive& archive) {
    for (auto* a : {&v_, &w_, &p_, &u_}) archive.vector(*a);
    for (auto* z : {&beta_, &beta_used_, &upper_}) archive.scalar(*z);
    archive.scalar(omega_);
    qr_.state(archive);
    archive.scalar(rr_);
  }

 private:
  /// beta = sqrt(w.w) and omega = |w / beta|, zero when w.w has vanished against |w|^2.
  void set_beta(Z ww, A norm) {
    beta_ = sqrt(ww);
    omega_ = lost<T>(ww, norm * norm) ? A(0) : std::sqrt(norm) / abs(beta_);
  }

  Vector v_ = this->vector(), w_ = this->vector(), p_ = this->vector(), u_ = this->vector(),
         q_ = this->vector();
  TridiagonalQr<A> qr_;
  Z beta_{0, 0}, beta_used_{0, 0}, upper_{0, 0};
  A omega_ = 0;
};

}  // namespace umov::krylov
