// ML(n)BiCGSTAB in its storage-saving definition.
#pragma once

#include <vector>

#include "linalg/krylov/combine.hpp"

namespace umov::krylov {

/// The second definition of ML(n)BiCGSTAB, which needs no d and no u (Yeung 2012, Numer. Math. Theor. Meth.
/// Appl. 5, 447, algorithm 5.1): the polynomial takes its step after n directions instead of one. Shadow
/// vectors and iterations as in MlbicgstabOf.
template <class Dev, class T, class Op>
class MlbicgstabSs : public Combining<Dev, T, Op> {
  using Base = Combining<Dev, T, Op>;
  using Base::combine, Base::dev_, Base::n_, Base::op_, Base::out_of_shadow, Base::r_, Base::rr_,
      Base::shadow_norm2_, Base::shadow_, Base::x_;
  using typename Base::A, typename Base::C, typename Base::Z, typename Base::Vector;

 public:
  static constexpr const char* name = "mlbicgstab_ss";
  static constexpr int usual_order = 4, products = 1;
  static constexpr int vectors_with(int order) { return 2 * order + 2; }
  static constexpr int vectors = vectors_with(usual_order);

  MlbicgstabSs(Dev& dev, Op& op, index_t n, int order = usual_order)
      : Base(dev, op, n), order_(order), size_(this->in_use(order)), c_(order) {}

  void start(C* x, C* r, double rr) {
    this->begin_with_shadow(x, r, rr);
    k_ = 0;
    first_ = true;
  }

  Step iterate() { return k_ < size_ ? build(k_) : reduce(); }

  template <class Archive>
  void state(Archive& archive) {
    for (auto* a : {&shadow_, &g_, &w_}) archive.vector(*a);
    for (auto& c : c_) archive.scalar(c);
    archive.scalar(rho_);
    archive.scalar(shadow_norm2_);
    archive.scalar(k_);
    archive.scalar(first_);
    archive.scalar(rr_);
  }

 private:
  C* g(int k) { return g_.data() + k * n_; }
  C* w(int k) { return w_.data() + k * n_; }

  /// Direction k and the step along it.
  Step build(int k) {
    if (first_)
      dev_.for_each(n_, Copy<T>{r_, g(k)});
    else
      from_before(k);
    op_.apply(g(k), w(k), false);
    auto image = combine(w(k), 0);
    for (int s = 0; s < k; ++s) {
      const Z b = -(image.dot / c_[s]);
      image = combine(w(k), s + 1, Term<T>{w(k), w(k), C(b), w(s)}, Term<T>{g(k), g(k), C(b), g(s)});
    }
    if (out_of_shadow(image, k)) return {rr_, "a search direction's image left the shadow space"};
    c_[k] = image.dot;
    const Z alpha = combine(r_, k).dot / image.dot;
    rr_ = double(dev_.template map_reduce<1, A>(n_, StepAlong<T>{C(alpha), g(k), w(k), x_, r_}).v[0]);
    ++k_;
    return {rr_};
  }

  /// g_k from r and the directions k ... n - 1 of the polynomial before; slots k hold the sums z_g and z_w.
  void from_before(int k) {
    const C *sum_g = nullptr, *sum_w = r_;
    Z dot = combine(r_, k).dot;
    for (int s = k; s < size_; ++s) {
      const bool last = s + 1 == size_;
      const Z b = -(dot / (rho_ * c_[s]));
      dot = combine(w(k), last ? 0 : s + 1, Term<T>{w(k), sum_w, C(rho_ * b), w(s)},
                    Term<T>{g(k), sum_g, C(b), g(s), last ? w(k) : nullptr})
                .dot;
      sum_g = g(k);
      sum_w = w(k);
    }
  }

  /// The step of the polynomial, whose root makes the residual least.
  Step reduce() {
    if (!this->least_residual(r_, t_.data(), rho_)) return {rr_, Base::still};
    k_ = 0;
    first_ = false;
    return {rr_};
  }

  int order_, size_;  ///< starting vectors: those that were asked for, those in use
  Vector g_ = this->vector(order_), w_ = this->vector(order_), t_ = this->vector();
  std::vector<Z> c_;
  Z rho_{0, 0};
  int k_ = 0;
  bool first_ = true;  ///< no polynomial before
};

}  // namespace umov::krylov
