// Bi-conjugate gradients and quasi-minimal residuals with a complex symmetric preconditioner.
#pragma once

#include "linalg/krylov/bicg.hpp"

namespace umov::krylov {

template <class T>
struct SmoothResidual {  // x += e (xb - x), r += e (rb - r); sum |r|^2
  T e;
  const Complex<T>*xb, *rb;
  Complex<T>*x, *r;
  template <class S>
  UMOV_HD void operator()(index_t i, S& s) const {
    const Complex<T> xi = x[i] + e * (xb[i] - x[i]), ri = r[i] + e * (rb[i] - r[i]);
    x[i] = xi;
    r[i] = ri;
    s.v[0] += norm2(ri);
  }
};

template <class T>
struct ShiftOrigin {  // xb -= x, rb += s - r, x = 0, r = s
  const Complex<T>* s;
  Complex<T>*x, *r, *xb, *rb;
  UMOV_HD void operator()(index_t i) const {
    const Complex<T> si = s[i], xi = xb[i] - x[i], ri = rb[i] + (si - r[i]);
    xb[i] = xi;
    rb[i] = ri;
    x[i] = Complex<T>(0, 0);
    r[i] = si;
  }
};

/// Bi-CG for A = A^T and M = M^T (Freund 1992, sec. 3, with the bilinear form of M). One product with A and
/// one with M an iteration; 2 vectors besides x and r.
template <class Dev, class T, class Op, class M>
class PreconditionedBicg : public Vectors<Dev, T, Op> {
  using Base = Vectors<Dev, T, Op>;
  using Base::dev_, Base::n_, Base::op_, Base::r_, Base::rr_, Base::x_;
  using typename Base::A, typename Base::C, typename Base::Z, typename Base::Vector;

 public:
  static constexpr const char* name = "bicg";
  static constexpr int vectors = 2, products = 1;

  PreconditionedBicg(Dev& dev, Op& op, M& m, index_t n) : Base(dev, op, n), m_(m) {}

  void start(C* x, C* r, double rr) {
    this->begin(x, r, rr);
    rho_ = Z(1, 0);
    dev_.fill_zero(p_.data(), n_);
    first_ = true;
  }

  Step iterate() {
    const auto z = m_.apply(r_, q_.data(), false);  // xy = r.z
    if (lost<T>(z.xy, A(rr_) * z.yy))
      return {rr_, "the residual became orthogonal to its preconditioned conjugate"};
    const Z beta = first_ ? Z(0, 0) : z.xy / rho_;
    rho_ = z.xy;
    first_ = false;
    dev_.for_each(n_, BicgDirection<T>{C(beta), q_.data(), p_.data()});
    const auto image = op_.apply(p_.data(), q_.data(), false);
    // |z| stands for |p|, which would cost another reduction
    if (lost<T>(image.xy, image.yy * z.yy)) return {rr_, "a search direction became orthogonal to its image"};
    rr_ = double(
        dev_.template map_reduce<1, A>(n_, StepAlong<T>{C(rho_ / image.xy), p_.data(), q_.data(), x_, r_})
            .v[0]);
    return {rr_};
  }

  /// See PreconditionedCocr.
  void replace(const C* r, double rr) {
    dev_.for_each(n_, Copy<T>{r, r_});
    dev_.fill_zero(x_, n_);
    rr_ = rr;
  }

  template <class Archive>
  void state(Archive& archive) {
    archive.vector(p_);
    archive.scalar(rho_);
    archive.scalar(first_);
    archive.scalar(rr_);
  }

 private:
  M& m_;
  Vector p_ = this->vector(), q_ = this->vector();
  Z rho_{1, 0};
  bool first_ = true;
};

/// QMR for A = A^T and M = M^T as the quasi-minimal smoothing of Bi-CG's residuals (Zhou and Walker 1994,
/// SIAM J. Sci. Comput. 15, 297, sec. 3): the weights 1/|r_k|^2 give the quasi-minimal residual in the space
/// of the residuals themselves, so that the norm it bounds is that of A x - b. 4 vectors besides x and r.
template <class Dev, class T, class Op, class M, bool coupled>
class PreconditionedQmr : public Vectors<Dev, T, Op> {
  using Base = Vectors<Dev, T, Op>;
  using Base::dev_, Base::n_, Base::r_, Base::rr_, Base::x_;
  using typename Base::A, typename Base::C, typename Base::Vector;

 public:
  static constexpr const char* name = coupled ? "qmr2" : "qmr";
  static constexpr int vectors = 4, products = 1;

  PreconditionedQmr(Dev& dev, Op& op, M& m, index_t n) : Base(dev, op, n), bicg_(dev, op, m, n) {}

  void start(C* x, C* r, double rr) {
    this->begin(x, r, rr);
    dev_.for_each(n_, Copy<T>{x, xb_.data()});
    dev_.for_each(n_, Copy<T>{r, rb_.data()});
    tau2_ = rr;
    bicg_.start(xb_.data(), rb_.data(), rr);
  }

  Step iterate() {
    const Step step = bicg_.iterate();
    if (step.breakdown) return {rr_, step.breakdown};
    const double eta = tau2_ / (tau2_ + step.rr);  // tau_k^2 / |r_k|^2, 1/tau_k^2 = 1/tau_(k-1)^2 + 1/|r_k|^2
    tau2_ = eta * step.rr;
    rr_ = double(
        dev_.template map_reduce<1, A>(n_, SmoothResidual<T>{T(eta), xb_.data(), rb_.data(), x_, r_}).v[0]);
    return {rr_};
  }

  /// See PreconditionedCocr; Bi-CG's own residual moves by as much.
  void replace(const C* r, double rr) {
    dev_.for_each(n_, ShiftOrigin<T>{r, x_, r_, xb_.data(), rb_.data()});
    rr_ = rr;
  }

  void attach(C* x, C* r) {
    Base::attach(x, r);
    bicg_.attach(xb_.data(), rb_.data());
  }
  template <class Archive>
  void state(Archive& archive) {
    for (auto* a : {&xb_, &rb_}) archive.vector(*a);
    bicg_.state(archive);
    archive.scalar(tau2_);
    archive.scalar(rr_);
  }

 private:
  Vector xb_ = this->vector(), rb_ = this->vector();  // Bi-CG's own
  PreconditionedBicg<Dev, T, Op, M> bicg_;
  double tau2_ = 0;
};

}  // namespace umov::krylov
