// BiCGSTAB(L) for any matrix.
#pragma once

#include <vector>

#include "linalg/krylov/combine.hpp"

namespace umov::krylov {

/// BiCGSTAB(L) (Sleijpen and Fokkema 1993, ETNA 1, 11, algorithm 3.1), shadow residual r_0; in the PIM
/// package and after it in OpenDDA called RBiCGSTAB. An iteration is one of the L steps of Bi-CG, two
/// products; the last one of L is followed by the step of least residual over r_1 ... r_L. For L = 1 it is
/// BiCGSTAB; for L = 2 not bcgs2, which keeps a coefficient of that step from being small.
template <class Dev, class T, class Op>
class Rbicgstab : public Combining<Dev, T, Op> {
  using Base = Combining<Dev, T, Op>;
  using Base::combine, Base::dev_, Base::n_, Base::op_, Base::out_of_shadow, Base::r_, Base::rr_,
      Base::shadow_norm2_, Base::shadow_, Base::x_;
  using typename Base::A, typename Base::C, typename Base::Z, typename Base::Vector;

 public:
  static constexpr const char* name = "rbicgstab";
  static constexpr int usual_order = 2, products = 2;
  static constexpr int vectors_with(int order) { return 2 * order + 2; }
  static constexpr int vectors = vectors_with(usual_order);

  Rbicgstab(Dev& dev, Op& op, index_t n, int order = usual_order) : Base(dev, op, n), order_(order) {}

  void start(C* x, C* r, double rr) {
    this->begin_with_shadow(x, r, rr);
    dev_.fill_zero(u_.data(), n_);
    rho_ = omega_ = Z(1, 0);
    alpha_ = Z(0, 0);
    j_ = 0;
  }

  Step iterate() {
    const int j = j_;
    if (j == 0) rho_ = -(omega_ * rho_);
    const auto product = combine(r(j), 0);
    if (out_of_shadow(product, 0)) return {rr_, "the residual became orthogonal to its shadow"};
    const Z beta = alpha_ * product.dot / rho_;
    rho_ = product.dot;
    for (int i = 0; i <= j; ++i) combine(r(i), 0, Term<T>{u(i), r(i), C(-beta), u(i)});
    op_.apply(u(j), u(j + 1), false);
    const auto image = combine(u(j + 1), 0);
    if (out_of_shadow(image, 0)) return {rr_, "a search direction's image left the shadow space"};
    alpha_ = rho_ / image.dot;
    rr_ = double(dev_.template map_reduce<1, A>(n_, StepAlong<T>{C(alpha_), u(0), u(1), x_, r_}).v[0]);
    for (int i = 1; i <= j; ++i) combine(r(i), 0, Term<T>{r(i), r(i), C(-alpha_), u(i + 1)});
    op_.apply(r(j), r(j + 1), false);
    if (++j_ < order_) return {rr_};
    j_ = 0;
    return minimise();
  }

  template <class Archive>
  void state(Archive& archive) {
    for (auto* a : {&shadow_, &u_, &more_}) archive.vector(*a);
    for (auto* z : {&rho_, &alpha_, &omega_}) archive.scalar(*z);
    archive.scalar(shadow_norm2_);
    archive.scalar(j_);
    archive.scalar(rr_);
  }

 private:
  /// r_i = A^i r_0 and u_i = A^i u_0.
  C* r(int i) { return i == 0 ? r_ : more_.data() + (i - 1) * n_; }
  C* u(int i) { return u_.data() + i * n_; }

  Z dot(const C* a, const C* b) {  // conj(a).b
    const auto s = dev_.template map_reduce<2, A>(n_, ShadowDot<T>{a, b});
    return {s.v[0], s.v[1]};
  }

  /// r_0 less its part along r_1 ... r_L, by modified Gram-Schmidt (numbers from 1, as in the paper).
  Step minimise() {
    const int L = order_;
    std::vector<Z> tau((L + 1) * (L + 1)), part(L + 1), gamma(L + 2);
    std::vector<A> sigma(L + 1);
    for (int j = 1; j <= L; ++j) {
      A norm = combine(r(j), 0).norm;
      const A before = norm;
      for (int i = 1; i < j; ++i) {
        Z& t = tau[i * (L + 1) + j];
        t = (1 / sigma[i]) * dot(r(i), r(j));
        norm = combine(r(j), 0, Term<T>{r(j), r(j), C(-t), r(i)}).norm;
      }
      sigma[j] = norm;
      const A tiny = 4 * std::numeric_limits<T>::epsilon();
      if (!(norm > tiny * tiny * before)) return {rr_, Base::still};
      part[j] = (1 / norm) * dot(r(j), r_);
      if (j == L && lost<T>(part[j], A(rr_) / norm)) return {rr_, Base::still};
    }
    omega_ = gamma[L] = part[L];
    for (int j = L - 1; j >= 1; --j) {
      gamma[j] = part[j];
      for (int i = j + 1; i <= L; ++i) gamma[j] -= tau[j * (L + 1) + i] * gamma[i];
    }
    for (int j = 1; j < L; ++j) {
      Z shifted = gamma[j + 1];
      for (int i = j + 1; i < L; ++i) shifted += tau[j * (L + 1) + i] * gamma[i + 1];
      if (j == 1) combine(r_, 0, Term<T>{x_, x_, C(gamma[1]), r_});
      combine(r_, 0, Term<T>{x_, x_, C(shifted), r(j)}, Term<T>{u(0), u(0), C(-gamma[j]), u(j)});
    }
    if (L == 1) combine(r_, 0, Term<T>{x_, x_, C(gamma[1]), r_});
    combine(u(0), 0, Term<T>{u(0), u(0), C(-gamma[L]), u(L)});
    for (int j = 1; j <= L; ++j) rr_ = double(combine(r_, 0, Term<T>{r_, r_, C(-part[j]), r(j)}).norm);
    return {rr_};
  }

  int order_;
  Vector u_ = this->vector(order_ + 1), more_ = this->vector(order_);
  Z rho_{1, 0}, alpha_{0, 0}, omega_{1, 0};
  int j_ = 0;
};

}  // namespace umov::krylov
