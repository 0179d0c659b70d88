// Bi-conjugate gradients for complex symmetric matrices.
#pragma once

#include "linalg/krylov/krylov.hpp"

namespace umov::krylov {

template <class T>
struct BicgUpdate {  // x += a p, r -= a q; sums r.r and |r|^2
  Complex<T> a;
  const Complex<T>*p, *q;
  Complex<T>*x, *r;
  template <class S>
  UMOV_HD void operator()(index_t i, S& s) const {
    const Complex<T> xi = x[i] + a * p[i], ri = r[i] - a * q[i], rr = ri * ri;
    x[i] = xi;
    r[i] = ri;
    s.v[0] += rr.re;
    s.v[1] += rr.im;
    s.v[2] += norm2(ri);
  }
};

template <class T>
struct BicgDirection {  // p = r + b p
  Complex<T> b;
  const Complex<T>* r;
  Complex<T>* p;
  UMOV_HD void operator()(index_t i) const { p[i] = r[i] + b * p[i]; }
};

/// Bi-CG with both sequences equal, for A = A^T (van der Vorst and Melissen 1990; Freund 1992, sec. 3).
/// One product and 9 vector reads or writes an iteration; 2 vectors besides x and r.
template <class Dev, class T, class Op>
class Bicg : public Vectors<Dev, T, Op> {
  using Base = Vectors<Dev, T, Op>;
  using Base::dev_, Base::n_, Base::op_, Base::r_, Base::rr_, Base::x_;
  using typename Base::A, typename Base::C, typename Base::Vector;

 public:
  static constexpr const char* name = "bicg";
  static constexpr int vectors = 2, products = 1;

  using Base::Base;

  void start(C* x, C* r, double rr) {
    this->begin(x, r, rr);
    dev_.for_each(n_, Copy<T>{r, p_.data()});
    const auto s = dev_.template map_reduce<3, A>(n_, BilinearAndNorm<T>{r});
    rho_ = {s.v[0], s.v[1]};
  }

  Step iterate() {
    if (lost<T>(rho_, A(rr_) * A(rr_))) return {rr_, "the residual became orthogonal to its own conjugate"};
    const auto product = op_.apply(p_.data(), q_.data(), false);
    const Complex<A> mu = product.xy;
    // |r| stands for |p|, which would cost another reduction
    if (lost<T>(mu, product.yy * A(rr_))) return {rr_, "a search direction became orthogonal to its image"};
    const auto s =
        dev_.template map_reduce<3, A>(n_, BicgUpdate<T>{C(rho_ / mu), p_.data(), q_.data(), x_, r_});
    const Complex<A> rho(s.v[0], s.v[1]);
    dev_.for_each(n_, BicgDirection<T>{C(rho / rho_), r_, p_.data()});
    rho_ = rho;
    rr_ = double(s.v[2]);
    return {rr_};
  }

  template <class Archive>
  void state(Archive& archive) {
    archive.vector(p_);
    archive.scalar(rho_);
    archive.scalar(rr_);
  }

 private:
  Vector p_ = this->vector(), q_ = this->vector();
  Complex<A> rho_{0, 0};
};

}  // namespace umov::krylov
