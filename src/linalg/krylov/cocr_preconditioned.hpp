// Conjugate orthogonal conjugate residuals with a complex symmetric preconditioner.
#pragma once

#include "linalg/krylov/krylov.hpp"

namespace umov::krylov {

template <class T>
struct PreconditionedCocrDirection {  // p = z + b p, q = s + b q; sum |q|^2
  Complex<T> b;
  const Complex<T>*z, *s;
  Complex<T>*p, *q;
  template <class S>
  UMOV_HD void operator()(index_t i, S& sum) const {
    const Complex<T> pi = z[i] + b * p[i], qi = s[i] + b * q[i];
    p[i] = pi;
    q[i] = qi;
    sum.v[0] += norm2(qi);
  }
};

template <class T>
struct PreconditionedCocrUpdate {  // x += a p, r -= a q, z -= a w; sums |r|^2 and |z|^2
  Complex<T> a;
  const Complex<T>*p, *q, *w;
  Complex<T>*x, *r, *z;
  template <class S>
  UMOV_HD void operator()(index_t i, S& s) const {
    const Complex<T> xi = x[i] + a * p[i], ri = r[i] - a * q[i], zi = z[i] - a * w[i];
    x[i] = xi;
    r[i] = ri;
    z[i] = zi;
    s.v[0] += norm2(ri);
    s.v[1] += norm2(zi);
  }
};

/// COCR (Sogabe and Zhang 2007) on the Krylov space of M A with the bilinear form of M: both A and M are
/// complex symmetric, M A is not but is self-adjoint in that form. r is the residual of A x = b itself. One
/// product with A, one with M and 14 vector reads or writes an iteration; 4 vectors besides x and r.
template <class Dev, class T, class Op, class M>
class PreconditionedCocr : public Vectors<Dev, T, Op> {
  using Base = Vectors<Dev, T, Op>;
  using Base::dev_, Base::n_, Base::op_, Base::r_, Base::rr_, Base::x_;
  using typename Base::A, typename Base::C, typename Base::Z, typename Base::Vector;

 public:
  static constexpr const char* name = "cocr";
  static constexpr int vectors = 4, products = 1;

  PreconditionedCocr(Dev& dev, Op& op, M& m, index_t n) : Base(dev, op, n), m_(m) {}

  void start(C* x, C* r, double rr) {
    this->begin(x, r, rr);
    zz_ = m_.apply(r, z_.data(), false).yy;
    rho_ = Z(1, 0);
    for (auto* a : {&p_, &q_}) dev_.fill_zero(a->data(), n_);
    first_ = true;
  }

  Step iterate() {
    const auto image = op_.apply(z_.data(), s_.data(), false);
    if (lost<T>(image.xy, zz_ * image.yy))
      return {rr_, "the preconditioned residual became orthogonal to its own image"};
    const Z beta = first_ ? Z(0, 0) : image.xy / rho_;
    rho_ = image.xy;
    first_ = false;
    const A qq =
        dev_.template map_reduce<1, A>(
                n_, PreconditionedCocrDirection<T>{C(beta), z_.data(), s_.data(), p_.data(), q_.data()})
            .v[0];
    const auto w = m_.apply(q_.data(), s_.data(), false);
    if (lost<T>(w.xy, qq * w.yy)) return {rr_, "a direction's image became orthogonal to its own conjugate"};
    const auto s = dev_.template map_reduce<2, A>(
        n_, PreconditionedCocrUpdate<T>{C(rho_ / w.xy), p_.data(), q_.data(), s_.data(), x_, r_, z_.data()});
    rr_ = double(s.v[0]);
    zz_ = s.v[1];
    return {rr_};
  }

  /// Takes r for the residual, more exact than its own, and x for zero; its directions stay (residual
  /// replacement, van der Vorst and Ye 2000, SIAM J. Sci. Comput. 22, 835).
  void replace(const C* r, double rr) {
    dev_.for_each(n_, Copy<T>{r, r_});
    dev_.fill_zero(x_, n_);
    rr_ = rr;
    zz_ = m_.apply(r_, z_.data(), false).yy;
  }

  template <class Archive>
  void state(Archive& archive) {
    for (auto* a : {&z_, &p_, &q_}) archive.vector(*a);
    archive.scalar(rho_);
    archive.scalar(first_);
    archive.scalar(rr_);
    archive.scalar(zz_);
  }

 private:
  M& m_;
  Vector z_ = this->vector(), p_ = this->vector(), q_ = this->vector(),
         s_ = this->vector();  // z = M r, q = A p, s = A z and then M q
  Z rho_{1, 0};
  bool first_ = true;
  A zz_ = 0;
};

}  // namespace umov::krylov
