// IDR(s): induced dimension reduction for any matrix.
#pragma once

#include <algorithm>
#include <cstdint>

#include "linalg/krylov/krylov.hpp"

namespace umov::krylov {

/// Component i of shadow vector k: a fixed pseudo-random number, made where it is needed instead of stored.
/// Steele, Lea and Flood's splitmix64 (OOPSLA 2014) gives 64 bits, 8 for each real of four vectors.
template <class T>
UMOV_HD inline Complex<T> shadow_component(index_t i, int k) {
  std::uint64_t z = (std::uint64_t(i) * 2 + std::uint64_t(k / 4) + 1) * 0x9E3779B97F4A7C15ull;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
  z = (z ^ (z >> 31)) >> (16 * (k % 4));
  return {T(int(z & 255)) / 128 - T(255) / 256, T(int((z >> 8) & 255)) / 128 - T(255) / 256};
}

template <class T, int S>
struct IdrsShadowDots {  // s_k = conj(shadow_k).a for all k, and |a|^2
  const Complex<T>* a;
  template <class Sum>
  UMOV_HD void operator()(index_t i, Sum& s) const {
    const Complex<T> ai = a[i];
    for (int k = 0; k < S; ++k) {
      const Complex<T> v = conj(shadow_component<T>(i, k)) * ai;
      s.v[2 * k] += v.re;
      s.v[2 * k + 1] += v.im;
    }
    s.v[2 * S] += norm2(ai);
  }
};

template <class T, int S>
struct IdrsDirection {  // u_k = w (r - sum c_j g_j) + sum c_j u_j over j = k..S-1
  Complex<T> w, c[S];
  int k;
  index_t n;
  const Complex<T>*r, *g;
  Complex<T>* u;
  UMOV_HD void operator()(index_t i) const {
    Complex<T> v = r[i], d(0, 0);
    for (int j = k; j < S; ++j) {
      v -= c[j] * g[j * n + i];
      d += c[j] * u[j * n + i];
    }
    u[k * n + i] = w * v + d;
  }
};

template <class T, int S>
struct IdrsUpdate {  // g_k -= sum a_j g_j, u_k -= sum a_j u_j over j < k; r -= b g_k, x += b u_k; sum |r|^2
  Complex<T> a[S], b;
  int k;
  index_t n;
  Complex<T>*g, *u, *x, *r;
  template <class Sum>
  UMOV_HD void operator()(index_t i, Sum& s) const {
    Complex<T> gk = g[k * n + i], uk = u[k * n + i];
    for (int j = 0; j < k; ++j) {
      gk -= a[j] * g[j * n + i];
      uk -= a[j] * u[j * n + i];
    }
    const Complex<T> xi = x[i] + b * uk, ri = r[i] - b * gk;
    g[k * n + i] = gk;
    u[k * n + i] = uk;
    x[i] = xi;
    r[i] = ri;
    s.v[0] += norm2(ri);
  }
};

template <class T, int S>
struct IdrsReduce {  // x += w r, r -= w t; sums conj(shadow_k).r and |r|^2
  Complex<T> w;
  const Complex<T>* t;
  Complex<T>*x, *r;
  template <class Sum>
  UMOV_HD void operator()(index_t i, Sum& s) const {
    const Complex<T> before = r[i], xi = x[i] + w * before;
    x[i] = xi;
    r[i] = before - w * t[i];
    IdrsShadowDots<T, S>{r}(i, s);
  }
};

/// IDR(s) with bi-orthogonal directions (van Gijzen and Sonneveld 2011, ACM Trans. Math. Softw. 38, 5), whose
/// omega keeps an angle of at least arccos 0.7. One iteration is one product: s of them
/// build the space, the next reduces it. Per s + 1 products 2 s^2 + 11 s + 5 vector reads or writes;
/// 2 s + 1 vectors besides x and r (the shadow vectors are not stored).
template <class Dev, class T, class Op, int S>
class Idrs : public Vectors<Dev, T, Op> {
  using Base = Vectors<Dev, T, Op>;
  using Base::dev_, Base::n_, Base::op_, Base::r_, Base::rr_, Base::x_;
  using typename Base::A, typename Base::C, typename Base::Z, typename Base::Vector;

 public:
  static constexpr const char* name = S == 4 ? "idr4" : S == 8 ? "idr8" : "idr";
  static constexpr int vectors = 2 * S + 1, products = 1;

  Idrs(Dev& dev, Op& op, index_t n) : Base(dev, op, n), size_(int(std::min<index_t>(S, n))) {}

  void start(C* x, C* r, double rr) {
    this->begin(x, r, rr);
    omega_ = Z(1, 0);
    for (auto* a : {&g_, &u_}) dev_.fill_zero(a->data(), S * n_);
    for (int i = 0; i < S; ++i)
      for (int j = 0; j < S; ++j) m_[i][j] = Z(i == j ? A(1) : A(0), 0);
    take(dev_.template map_reduce<2 * S + 1, A>(n_, IdrsShadowDots<T, S>{r}));
    k_ = seen_by_all_shadows() ? 0 : size_;
  }

  /// Goes on, with all directions, after r was computed anew and x, maybe, put aside: r differs little from
  /// what it was.
  void renew() { take(dev_.template map_reduce<2 * S + 1, A>(n_, IdrsShadowDots<T, S>{r_})); }

  Step iterate() { return k_ < size_ ? build() : reduce(); }

  template <class Archive>
  void state(Archive& archive) {
    for (auto* a : {&g_, &u_}) archive.vector(*a);
    for (auto& row : m_)
      for (auto& z : row) archive.scalar(z);
    for (auto& z : f_) archive.scalar(z);
    archive.scalar(omega_);
    archive.scalar(k_);
    archive.scalar(rr_);
  }

 private:
  /// What an earlier run left is orthogonal to shadow vectors that it had used: no direction would move it,
  /// and the next one would be the same again. It is reduced first.
  bool seen_by_all_shadows() const {
    constexpr A little = A(1e-6);  // of |shadow_k.r|^2, on average 2/3 |r|^2
    for (int k = 0; k < size_; ++k)
      if (!(norm2(f_[k]) > little * A(rr_))) return false;
    return true;
  }

  /// One direction u_k and its image g_k, orthogonal to the shadow vectors before k.
  Step build() {
    const int k = k_;
    IdrsDirection<T, S> direction{C(omega_), {}, k, n_, r_, g_.data(), u_.data()};
    Z c[S];
    for (int i = 0; i < S; ++i) {  // M c = f, lower triangular from k on
      Z sum = i < size_ ? f_[i] : Z(0, 0);
      for (int j = k; j < std::min(i, size_); ++j) sum -= m_[i][j] * c[j];
      c[i] = i >= k && i < size_ ? sum / m_[i][i] : Z(0, 0);
      direction.c[i] = C(c[i]);
    }
    dev_.for_each(n_, direction);
    op_.apply(u_.data() + k * n_, g_.data() + k * n_, false);
    const auto dots = dev_.template map_reduce<2 * S + 1, A>(n_, IdrsShadowDots<T, S>{g_.data() + k * n_});

    IdrsUpdate<T, S> update{{}, {}, k, n_, g_.data(), u_.data(), x_, r_};
    Z h[S], a[S];
    for (int i = 0; i < size_; ++i) {
      h[i] = {dots.v[2 * i], dots.v[2 * i + 1]};
      for (int j = 0; j < std::min(i, k); ++j) h[i] -= m_[i][j] * a[j];
      if (i < k) a[i] = h[i] / m_[i][i];
    }
    // |shadow_k|^2 is about 2 n / 3, for numbers uniform in the square (-1, 1) x (-i, i); its scalar product
    // with anything else is about a sqrt(n)-th of the product of norms, and so is the rounding in it
    if (lost<T>(h[k], dots.v[2 * S] * 2 / 3)) return {rr_, "a direction's image left the shadow space"};
    for (int j = 0; j < S; ++j) update.a[j] = j < k ? C(a[j]) : C(Z(0, 0));
    for (int i = k; i < size_; ++i) m_[i][k] = h[i];
    const Z beta = f_[k] / h[k];
    update.b = C(beta);
    rr_ = double(dev_.template map_reduce<1, A>(n_, update).v[0]);
    for (int i = k + 1; i < size_; ++i) f_[i] -= beta * m_[i][k];
    f_[k] = Z(0, 0);
    ++k_;
    return {rr_};
  }

  /// r, now orthogonal to all shadow vectors, enters the next smaller space.
  Step reduce() {
    const auto product = op_.apply(r_, t_.data(), false);
    const Z r_dot_t = product.xhy;
    if (lost<T>(r_dot_t, A(rr_) * product.yy)) return {rr_, "the dimension reduction stood still"};
    const A cosine = abs(r_dot_t) / std::sqrt(A(rr_) * product.yy), least = A(0.7);
    omega_ = (std::max(A(1), least / cosine) / product.yy) * conj(r_dot_t);
    take(dev_.template map_reduce<2 * S + 1, A>(n_, IdrsReduce<T, S>{C(omega_), t_.data(), x_, r_}));
    k_ = 0;
    return {rr_};
  }

  template <class Sum>
  void take(const Sum& s) {
    for (int i = 0; i < S; ++i) f_[i] = {s.v[2 * i], s.v[2 * i + 1]};
    rr_ = double(s.v[2 * S]);
  }

  int size_;  ///< shadow vectors in use, at most n
  Vector g_ = this->vector(S), u_ = this->vector(S), t_ = this->vector();
  Z m_[S][S], f_[S], omega_{1, 0};
  int k_ = 0;
};

template <class Dev, class T, class Op>
using Idr4 = Idrs<Dev, T, Op, 4>;
template <class Dev, class T, class Op>
using Idr8 = Idrs<Dev, T, Op, 8>;

}  // namespace umov::krylov
