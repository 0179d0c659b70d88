// Conjugate gradients on the normal equations, for any matrix.
#pragma once

#include "linalg/krylov/krylov.hpp"

namespace umov::krylov {

template <class T>
struct CgnrDirection {  // p = q + b p
  T b;
  const Complex<T>* q;
  Complex<T>* p;
  UMOV_HD void operator()(index_t i) const { p[i] = q[i] + b * p[i]; }
};

/// CG on A^H A x = A^H b, minimising |b - A x| (Hestenes and Stiefel 1952, J. Res. NBS 49, 409).
/// The residual never grows; the condition number is squared. Two products, one of them adjoint, and
/// 9 vector reads or writes an iteration; 2 vectors besides x and r.
template <class Dev, class T, class Op>
class Cgnr {
  using C = Complex<T>;
  using A = backend::Accumulator<T>;

 public:
  using Real = T;
  static constexpr const char* name = "cgnr";
  static constexpr int vectors = 2, products = 2;

  Cgnr(Dev& dev, Op& op, index_t n)
      : dev_(dev), op_(op), n_(n), p_(dev.template allocate<C>(n)), q_(dev.template allocate<C>(n)) {}

  void start(C* x, C* r, double rr) {
    attach(x, r);
    rr_ = rr;
    rho_ = 0;
  }

  Step iterate() {
    const bool first = rho_ == 0;
    const A rho = op_.apply(r_, (first ? p_ : q_).data(), true).yy;
    if (!(rho > 0)) return {rr_, "the residual is orthogonal to the range of the matrix"};
    if (!first) dev_.for_each(n_, CgnrDirection<T>{T(rho / rho_), q_.data(), p_.data()});
    rho_ = rho;
    const A qq = op_.apply(p_.data(), q_.data(), false).yy;
    if (!(qq > 0)) return {rr_, "the matrix is singular"};
    rr_ = double(
        dev_.template map_reduce<1, A>(n_, StepAlong<T>{C(T(rho / qq), T(0)), p_.data(), q_.data(), x_, r_})
            .v[0]);
    return {rr_};
  }

  void attach(C* x, C* r) {
    x_ = x;
    r_ = r;
  }
  template <class Archive>
  void state(Archive& archive) {
    archive.vector(p_);
    archive.scalar(rho_);
    archive.scalar(rr_);
  }

 private:
  Dev& dev_;
  Op& op_;
  index_t n_;
  typename Dev::template Array<C> p_, q_;
  C *x_ = nullptr, *r_ = nullptr;
  A rho_ = 0;  ///< |A^H r|^2, zero before the first iteration
  double rr_ = 0;
};

}  // namespace umov::krylov
