// ML(n)BiCGSTAB: stabilised bi-conjugate gradients with n Lanczos starting vectors, in its first definition.
#pragma once

#include <algorithm>
#include <vector>

#include "linalg/krylov/combine.hpp"

namespace umov::krylov {

template <class T>
struct MlUpdate {  // u -= a d, x += b g, r -= b w; sum |r|^2
  Complex<T> a, b;
  const Complex<T>*d, *g, *w;
  Complex<T>*u, *x, *r;
  template <class Sum>
  UMOV_HD void operator()(index_t i, Sum& s) const {
    const Complex<T> ui = u[i] - a * d[i], xi = x[i] + b * g[i], ri = r[i] - b * w[i];
    u[i] = ui;
    x[i] = xi;
    r[i] = ri;
    s.v[0] += norm2(ri);
  }
};

/// ML(n)BiCGSTAB (Yeung and Chan 1999, SIAM J. Sci. Comput. 21, 1263) with the shadow vectors q_1 = r_0 and
/// pseudo-random q_2 ... q_n. After k = j n + i steps, i = 1 ... n, the residual is phi_j+1(A) times that of
/// ML(n)BiCG and u is phi_j(A) times it, phi_j+1(z) = (1 + rho z) phi_j(z); directions are g, w = A g, and
/// d = rho A phi_j(A) times the direction of ML(n)BiCG. `Original`: their algorithm 3, whose sums z_g begin
/// with r, else its reformulation (Yeung 2012, Numer. Math. Theor. Meth. Appl. 5, 447), whose sums z_w do:
/// the same numbers but for rounding. For n = 1 both are BiCGSTAB. An iteration is one product; n directions
/// and a step of phi are n + 1 of them.
template <class Dev, class T, class Op, bool Original>
class MlbicgstabOf : public Combining<Dev, T, Op> {
  using Base = Combining<Dev, T, Op>;
  using Base::combine, Base::dev_, Base::n_, Base::op_, Base::out_of_shadow, Base::r_, Base::rr_,
      Base::shadow_norm2_, Base::shadow_, Base::x_;
  using typename Base::A, typename Base::C, typename Base::Z, typename Base::Vector;

 public:
  static constexpr const char* name = Original ? "mlbicgstab_orig" : "mlbicgstab";
  static constexpr int usual_order = 4, products = 1;
  static constexpr int vectors_with(int order) { return 2 * order + std::max(order - 1, 1) + 2; }
  static constexpr int vectors = vectors_with(usual_order);

  MlbicgstabOf(Dev& dev, Op& op, index_t n, int order = usual_order)
      : Base(dev, op, n), order_(order), size_(this->in_use(order)), c_(order) {}

  void start(C* x, C* r, double rr) {
    this->begin_with_shadow(x, r, rr);
    dev_.for_each(n_, Copy<T>{r, g(size_)});
    i_ = size_;
    age_ = 0;
  }

  Step iterate() {
    if (i_ == 0) return reduce();
    return i_ == size_ ? first_half() : build(i_);
  }

  template <class Archive>
  void state(Archive& archive) {
    for (auto* a : {&shadow_, &g_, &w_, &d_, &u_}) archive.vector(*a);
    for (auto& c : c_) archive.scalar(c);
    archive.scalar(rho_);
    archive.scalar(shadow_norm2_);
    archive.scalar(i_);
    archive.scalar(age_);
    archive.scalar(rr_);
  }

 private:
  C* g(int i) { return g_.data() + (i - 1) * n_; }
  C* w(int i) { return w_.data() + (i - 1) * n_; }
  C* d(int i) { return d_.data() + (i - 1) * n_; }

  /// The step along direction n, with which the next polynomial begins: u.
  Step first_half() {
    const int n = size_;
    if (age_ > 0) direction(n);
    op_.apply(g(n), w(n), false);
    const auto image = combine(w(n), 0);
    if (out_of_shadow(image, 0)) return {rr_, image_left};
    c_[n - 1] = image.dot;
    const Z alpha = combine(r_, 0).dot / image.dot;
    rr_ = double(dev_.template map_reduce<1, A>(n_, StepAlong<T>{C(alpha), g(n), w(n), x_, r_}).v[0]);
    dev_.for_each(n_, Copy<T>{r_, u_.data()});
    i_ = 0;
    ++age_;
    return {rr_};
  }

  /// u enters the next polynomial, whose root makes the residual least.
  Step reduce() {
    if (!this->least_residual(u_.data(), r_, rho_)) {
      dev_.for_each(n_, Copy<T>{u_.data(), r_});
      return {rr_, Base::still};
    }
    i_ = 1;
    return {rr_};
  }

  /// Direction i < n and the step along it.
  Step build(int i) {
    direction(i);
    const auto image = combine(d(i), i, Term<T>{d(i), w(i), C(Z(-1, 0)), u_.data()});  // d_i = z_w - u
    if (out_of_shadow(image, i)) return {rr_, image_left};
    c_[i - 1] = image.dot;
    const Z alpha = combine(u_.data(), i).dot / image.dot;
    op_.apply(g(i), w(i), false);
    const MlUpdate<T> update{C(alpha), C(rho_ * alpha), d(i), g(i), w(i), u_.data(), x_, r_};
    rr_ = double(dev_.template map_reduce<1, A>(n_, update).v[0]);
    ++i_;
    return {rr_};
  }

  /// Direction i in g_i, and z_w in w_i. Slot i of g, w, d holds the sums while they are made: what was there
  /// goes into them first.
  void direction(int i) {
    const int n = size_;
    C *zg = g(i), *zw = w(i);
    const C *sum_g = Original ? r_ : nullptr, *sum_w = Original ? nullptr : r_;
    Z dot(0, 0);
    if (i < n && age_ > 1) {  // directions i ... n - 1 of the polynomial before
      C* zd = d(i);
      const C* sum_d = u_.data();
      dot = combine(sum_d, i).dot;
      for (int s = i; s < n; ++s) {
        const Z b = -(dot / c_[s - 1]);
        dot = combine(s + 1 < n ? zd : zw, s + 1 < n ? s + 1 : 0, Term<T>{zd, sum_d, C(b), d(s)},
                      Term<T>{zg, sum_g, C(b), g(s)}, Term<T>{zw, sum_w, C(rho_ * b), w(s)})
                  .dot;
        sum_d = zd;
        sum_g = zg;
        sum_w = zw;
      }
      if (Original) dot += combine(r_, 0).dot;
    } else {
      dot = combine(r_, 0).dot;
    }
    const Z b = -(dot / (rho_ * c_[n - 1]));  // its direction n
    const Term<T> next_w{zw, sum_w, C(rho_ * b), w(n)}, next_g{zg, sum_g, C(b), g(n), zw};
    const int k = i > 1 ? 1 : 0;
    dot = Original ? combine(zw, k, next_w, next_g, Term<T>{zw, zw, C(Z(1, 0)), r_}).dot
                   : combine(zw, k, next_w, next_g).dot;
    for (int s = 1; s < i; ++s) {  // directions of this polynomial
      const Z a = -(dot / c_[s - 1]);
      dot = combine(zw, s + 1 < i ? s + 1 : 0, Term<T>{zg, zg, C(a), g(s)}, Term<T>{zw, zw, C(a), d(s)}).dot;
    }
  }

  static constexpr const char* image_left = "a search direction's image left the shadow space";

  int order_, size_;  ///< starting vectors: those that were asked for, those in use
  Vector g_ = this->vector(order_), w_ = this->vector(order_), d_ = this->vector(std::max(order_ - 1, 1)),
         u_ = this->vector();
  std::vector<Z> c_;
  Z rho_{0, 0};
  int i_ = 0;    ///< the next direction; 0: the step of the polynomial
  int age_ = 0;  ///< polynomials begun: 0, 1, or more
};

template <class Dev, class T, class Op>
using Mlbicgstab = MlbicgstabOf<Dev, T, Op, false>;
template <class Dev, class T, class Op>
using MlbicgstabOrig = MlbicgstabOf<Dev, T, Op, true>;

}  // namespace umov::krylov
