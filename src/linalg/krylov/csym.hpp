// CSYM: true minimal residuals for complex symmetric matrices, without breakdown.
#pragma once

#include <utility>

#include "linalg/krylov/tridiagonal.hpp"

namespace umov::krylov {

template <class T>
struct ScaledConjugate {  // to = a conj(from)
  T a;
  const Complex<T>* from;
  Complex<T>* to;
  UMOV_HD void operator()(index_t i) const { to[i] = a * conj(from[i]); }
};

/// CSYM (Bunse-Gerstner and Stoever 1999, Linear Algebra Appl. 287, 105): unitary tridiagonalisation
/// A q_k = beta_k conj(q_(k-1)) + alpha_k conj(q_k) + beta_(k+1) conj(q_(k+1)) and a least-squares solution.
/// The residual never grows and is at most CGNR's for the same products; convergence is that of normal
/// equations. One product and 15 vector reads or writes an iteration; 5 vectors besides x and r.
template <class Dev, class T, class Op>
class Csym : public Vectors<Dev, T, Op> {
  using Base = Vectors<Dev, T, Op>;
  using Base::dev_, Base::n_, Base::op_, Base::r_, Base::rr_, Base::x_;
  using typename Base::A, typename Base::C, typename Base::Z, typename Base::Vector;

 public:
  static constexpr const char* name = "csym";
  static constexpr int vectors = 5, products = 1;

  using Base::Base;

  void start(C* x, C* r, double rr) {
    this->begin(x, r, rr);
    beta_ = 0;
    const A norm = std::sqrt(A(rr));
    qr_.start(Z(norm, 0));
    dev_.for_each(n_, ScaledConjugate<T>{T(norm > 0 ? 1 / norm : A(0)), r, v_.data()});
    for (auto* a : {&w_, &p_, &u_}) dev_.fill_zero(a->data(), n_);
    exhausted_ = !(norm > 0);
  }

  Step iterate() {
    if (exhausted_) return {rr_, "the Krylov space is exhausted"};
    const Z alpha = op_.apply(v_.data(), q_.data(), false).xy;
    const auto sum = dev_.template map_reduce<3, A>(
        n_, LanczosVector<T, true>{C(alpha), C(Z(beta_, 0)), q_.data(), v_.data(), w_.data()});
    const A beta = std::sqrt(sum.v[2]);
    typename TridiagonalQr<A>::Column col;
    if (!qr_.next(Z(beta_, 0), alpha, Z(beta, 0), sum.v[2], col)) return {rr_, "the matrix is singular"};

    const Z inv_beta(beta > 0 ? 1 / beta : A(0), 0);
    const auto rr = dev_.template map_reduce<1, A>(
        n_, LanczosUpdate<T, true>{C(col.inv_zeta), C(col.eta), C(col.theta), C(col.tau), C(inv_beta),
                                   C(col.tau * col.inv_zeta), T(col.s2), v_.data(), p_.data(), u_.data(), x_,
                                   w_.data(), r_});
    std::swap(v_, w_);
    std::swap(p_, u_);
    beta_ = beta;
    exhausted_ = !(beta > 0);
    rr_ = double(rr.v[0]);
    return {rr_};
  }

  template <class Archive>
  void state(Archive& archive) {
    for (auto* a : {&v_, &w_, &p_, &u_}) archive.vector(*a);
    archive.scalar(beta_);
    archive.scalar(exhausted_);
    qr_.state(archive);
    archive.scalar(rr_);
  }

 private:
  Vector v_ = this->vector(), w_ = this->vector(), p_ = this->vector(), u_ = this->vector(),
         q_ = this->vector();
  TridiagonalQr<A> qr_;
  A beta_ = 0;
  bool exhausted_ = false;
};

}  // namespace umov::krylov
