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
class Cgnr : public Vectors<Dev, T, Op> {
  using Base = Vectors<Dev, T, Op>;
  using Base::dev_, Base::n_, Base::op_, Base::r_, Base::rr_, Base::x_;
  using typename Base::A, typename Base::C, typename Base::Vector;

 public:
  static constexpr const char* name = "cgnr";
  static constexpr int vectors = 2, products = 2;

  using Base::Base;

  void start(C* x, C* r, double rr) {
    this->begin(x, r, rr);
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

  template <class Archive>
  void state(Archive& archive) {
    archive.vector(p_);
    archive.scalar(rho_);
    archive.scalar(rr_);
  }

 private:
  Vector p_ = this->vector(), q_ = this->vector();
  A rho_ = 0;  ///< |A^H r|^2, zero before the first iteration
};

}  // namespace umov::krylov
