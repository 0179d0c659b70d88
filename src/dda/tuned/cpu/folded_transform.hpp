// Cosine and sine transforms of the lines of a mirror fraction, over lanes of interleaved lines.
#pragma once

#include <omp.h>

#include <vector>

#include "dda/mirror/parity.hpp"
#include "dda/tuned/cpu/half_transform.hpp"

namespace umov::dda::cpu {

/// Along an axis of g = 2L points whose lines are even or odd about their middle: the stored upper half of n
/// sites is transformed to the frequencies 0 <= k <= L; those beyond are their images. `sign` is the line's
/// parity. Frequency k = 2 slot + p of parity p lies at `slot`.
///
/// With n and L even no site lies on the plane, and frequencies (about the middle) are 2 C(k) of an even line
/// x_j, j + 1/2 steps above it, C(k) = sum_j x_j cos(pi k (j + 1/2)/L), and -2i S(k) of an odd one, where
/// S(k) is C(L - k) of (-1)^j x_j. C(k) = (t_k V(k) + t_k* V(L - k))/2 with t_k = exp(-i pi k/(2L)) and V the
/// transform of length L of x_0, x_2, ..., x_3, x_1 (Makhoul 1980, IEEE Trans. Acoust. Speech Signal Process.
/// 28, 27), of which the upper half of x is zero: one transform of length L/2 for each parity of k. Otherwise
/// the line is unfolded into HalfTransform, which takes twice the work and a half more. Without a plane this
/// is HalfTransform.
template <class T>
class FoldedTransform {
  using C = Complex<T>;
  using F = backend::cpu::Fftw<T>;
  using Lanes = Pack<T>;
  static constexpr int W = lanes<T>;

 public:
  FoldedTransform(int g, int n, bool plane, int threads)
      : half_(g), g_(g), whole_(n), plane_(plane), folds_(plane && n % 2 == 0 && g % 4 == 0), short_(g / 4) {
    if (!plane) return;
    if (folds_) {
      for (int k = 0; k < g / 2; ++k) turn_.push_back(root(-long(k), 2 * long(g)));  // t_k
      for (int j = 0; j < short_; ++j) step_.push_back(root(-2 * long(j), g));       // exp(-2 pi i j/L)
      backend::HostArray<C> sample(std::size_t(short_) * W);
      const std::lock_guard<std::mutex> hold(backend::cpu::planner_lock());
      forward_ = F::make(short_, W, sample.data(), W, 1, FFTW_FORWARD, FFTW_ESTIMATE);
      backward_ = F::make(short_, W, sample.data(), W, 1, FFTW_BACKWARD, FFTW_ESTIMATE);
    } else {
      for (int k = 0; k < g; ++k) turn_.push_back(root(long(k) * (n - 1), g));
      for (int t = 0; t < threads; ++t) scratch_.emplace_back(std::size_t(n + g / 2) * W);
    }
  }
  ~FoldedTransform() {
    if (!folds_) return;
    const std::lock_guard<std::mutex> hold(backend::cpu::planner_lock());
    F::destroy(forward_);
    F::destroy(backward_);
  }
  FoldedTransform(const FoldedTransform&) = delete;
  FoldedTransform& operator=(const FoldedTransform&) = delete;

  bool plain() const { return !plane_; }
  int half() const { return g_ / 2; }
  int slots(int p) const { return plane_ ? (g_ / 2 - p) / 2 + 1 : half_.half(); }
  int frequency(int p, int slot) const { return plane_ ? 2 * slot + p : half_.frequency(p, slot); }
  int slot(int k) const { return plane_ ? k / 2 : half_.slot(k); }

  /// to = frequencies of parity p of the line `from` of n stored points, `stride` elements apart.
  void forward(const C* from, std::ptrdiff_t stride, int n, int p, C* to, int sign) const {
    if (!plane_) return half_.forward(from, stride, n, p, to);
    if (!folds_) return forward_unfolded(from, stride, n, p, to, sign);
    gather(from, stride, n, p, sign, to);
    F::run(forward_, to, to);
    sign > 0 ? to_even(p, to) : to_odd(p, to);
  }

  /// Inverse of parity p in `from` (overwritten); set (p = 0) or added (p = 1) to n points of the line `to`.
  void backward(C* from, int p, int n, C* to, std::ptrdiff_t stride, int sign) const {
    if (!plane_) return half_.backward(from, p, n, to, stride);
    if (!folds_) return backward_unfolded(from, p, n, to, stride, sign);
    sign > 0 ? from_even(p, from) : from_odd(p, from);
    F::run(backward_, from, from);
    spread(from, p, n, sign, to, stride);
  }

 private:
  /// exp(2 pi i k/n)
  static C root(long k, long n) {
    const long double a = 2 * 3.14159265358979323846264338327950288L * (k % n) / n;
    return C(T(std::cos(a)), T(std::sin(a)));
  }
  static Lanes times(const C& factor, const Lanes& a) { return factor * Operand<T>(a); }
  static Lanes load(const C* line, int slot, int l) {
    return Lanes::load(line + std::ptrdiff_t(slot) * W + l);
  }
  static void store(const Lanes& a, C* line, int slot, int l) {
    a.store(line + std::ptrdiff_t(slot) * W + l);
  }

  /// Which point x_i stands at place j of the short line.
  int point(int j) const { return 2 * j < short_ ? 2 * j : 2 * (short_ - 1 - j) + 1; }
  /// Its sign there: the wrapped half changes sign with odd frequencies, odd lines with every other point.
  T sign_at(int j, int p, int sign) const {
    const bool second = 2 * j >= short_;
    return second && (p == 1) != (sign < 0) ? T(-1) : T(1);
  }

  void gather(const C* from, std::ptrdiff_t stride, int n, int p, int sign, C* to) const {
    for (int j = 0; j < short_; ++j) {
      const int i = point(j);
      const C factor = sign_at(j, p, sign) * (p ? step_[j] : C(1, 0));
      for (int l = 0; l < W; l += Lanes::size)
        store(i < n ? times(factor, Lanes::load(from + i * stride + l)) : Lanes{}, to, j, l);
    }
  }
  void spread(const C* from, int p, int n, int sign, C* to, std::ptrdiff_t stride) const {
    for (int j = 0; j < short_; ++j) {
      const int i = point(j);
      if (i >= n) continue;
      const C factor = sign_at(j, p, sign) * (p ? conj(step_[j]) : C(1, 0));
      for (int l = 0; l < W; l += Lanes::size) {
        C* at = to + i * stride + l;
        const Lanes v = times(factor, load(from, j, l));
        (p ? Lanes::load(at) + v : v).store(at);
      }
    }
  }

  /// Calls f(slot of k, slot of L - k, k) for the pairs of parity p, k from 0 or 1 up to L/2; slots are those
  /// of V, where L is 0 again and left out.
  template <class Pair>
  void for_pairs(int p, const Pair& f) const {
    for (int q = p ? 0 : 1; 2 * (2 * q + p) <= 2 * short_; ++q) f(q, short_ - p - q, 2 * q + p);
  }

  // u = t_k V(k), v = t_k* V(L - k): an even line has u + v at k and i (u - v) at L - k; an odd one, whose
  // C(L - k) is S(k), u - v at k and -i (u + v) at L - k.
  void to_even(int p, C* v) const {
    if (p == 0)
      for (int l = 0; l < W; l += Lanes::size) {
        const Lanes a = load(v, 0, l);
        store(a + a, v, 0, l);
        store(Lanes{}, v, short_, l);
      }
    for_pairs(p, [&](int q, int r, int k) {
      for (int l = 0; l < W; l += Lanes::size) {
        const Lanes a = times(turn_[k], load(v, q, l)), b = times(conj(turn_[k]), load(v, r, l));
        if (q != r) store(turned(a - b), v, r, l);
        store(a + b, v, q, l);
      }
    });
  }
  void to_odd(int p, C* v) const {
    if (p == 0)
      for (int l = 0; l < W; l += Lanes::size) {
        const Lanes a = load(v, 0, l);
        store(Lanes{}, v, 0, l);
        store(T(-1) * turned(a + a), v, short_, l);
      }
    for_pairs(p, [&](int q, int r, int k) {
      for (int l = 0; l < W; l += Lanes::size) {
        const Lanes a = times(turn_[k], load(v, q, l)), b = times(conj(turn_[k]), load(v, r, l));
        if (q != r) store(T(-1) * turned(a + b), v, r, l);
        store(a - b, v, q, l);
      }
    });
  }
  // V(k) = t_k* (Y(k) - i Y(L - k)), V(L - k) = t_k (Y(k) + i Y(L - k)), Y(L) = 0, of an even line; an odd
  // one's Y(k) is i times what stands at L - k.
  void from_even(int p, C* y) const {
    for_pairs(p, [&](int q, int r, int k) {
      for (int l = 0; l < W; l += Lanes::size) {
        const Lanes a = load(y, q, l), b = turned(load(y, r, l));
        if (q != r) store(times(turn_[k], a + b), y, r, l);
        store(times(conj(turn_[k]), a - b), y, q, l);
      }
    });
  }
  void from_odd(int p, C* y) const {
    if (p == 0)
      for (int l = 0; l < W; l += Lanes::size) store(turned(load(y, short_, l)), y, 0, l);
    for_pairs(p, [&](int q, int r, int k) {
      for (int l = 0; l < W; l += Lanes::size) {
        const Lanes a = load(y, q, l), b = turned(load(y, r, l));
        if (q != r) store(times(turn_[k], b - a), y, r, l);
        store(times(conj(turn_[k]), b + a), y, q, l);
      }
    });
  }

  C* scratch() const { return scratch_[omp_get_thread_num()].data(); }
  HalvedAxis axis(int n, int sign) const { return {whole_, n, sign}; }

  void forward_unfolded(const C* from, std::ptrdiff_t stride, int n, int p, C* to, int sign) const {
    C* line = scratch();
    C* all = line + std::ptrdiff_t(whole_) * W;
    const HalvedAxis halved = axis(n, sign);
    for (int i = 0; i < whole_; ++i)
      for (int l = 0; l < W; l += Lanes::size)
        store(T(halved.weight(i, false)) * Lanes::load(from + halved.kept(i) * stride + l), line, i, l);
    half_.forward(line, W, whole_, p, all);
    for (int s = 0; s < slots(p); ++s)
      for (int l = 0; l < W; l += Lanes::size) store(load(all, half_.slot(2 * s + p), l), to, s, l);
  }
  void backward_unfolded(C* from, int p, int n, C* to, std::ptrdiff_t stride, int sign) const {
    C* line = scratch();
    C* all = line + std::ptrdiff_t(whole_) * W;
    for (int s = 0; s < slots(p); ++s) {
      const int k = 2 * s + p;
      const C factor = T(sign) * turn_[k];
      for (int l = 0; l < W; l += Lanes::size) {
        const Lanes v = load(from, s, l);
        store(v, all, half_.slot(k), l);
        if (k > 0 && 2 * k < g_) store(times(factor, v), all, half_.slot(g_ - k), l);
      }
    }
    if (p)
      for (int i = 0; i < whole_; ++i)
        for (int l = 0; l < W; l += Lanes::size) store(Lanes{}, line, i, l);
    half_.backward(all, p, whole_, line, W);
    for (int j = 0; j < n; ++j)
      for (int l = 0; l < W; l += Lanes::size) {
        C* at = to + j * stride + l;
        const Lanes v = load(line, whole_ - n + j, l);
        (p ? Lanes::load(at) + v : v).store(at);
      }
  }

  HalfTransform<T> half_;
  int g_, whole_;
  bool plane_, folds_;
  int short_;  ///< L/2
  std::vector<C> turn_, step_;
  mutable std::vector<backend::HostArray<C>> scratch_;
  typename F::plan forward_, backward_;
};

}  // namespace umov::dda::cpu
