// Transforms of zero-padded lines as two of half the length, over lanes of interleaved lines.
#pragma once

#include <fftw3.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "backend/array.hpp"
#include "backend/cpu/fftw.hpp"
#include "dda/tuned/cpu/lanes.hpp"

namespace umov::dda::cpu {

/// Transform of R packs, without factor; `sign` is that of the exponent.
template <int R, int sign, class T>
inline void small_transform(Pack<T>* x) {
  if constexpr (R == 2) {
    const Pack<T> a = x[0], b = x[1];
    x[0] = a + b;
    x[1] = a - b;
  } else if constexpr (R == 3) {
    const T half = T(0.5), sine = T(sign * 0.866025403784438646763723170752936183L);
    const Pack<T> sum = x[1] + x[2], rest = x[0] - half * sum, side = sine * turned(x[1] - x[2]);
    x[0] = x[0] + sum;
    x[1] = rest + side;
    x[2] = rest - side;
  } else if constexpr (R == 4) {
    const Pack<T> a = x[0] + x[2], b = x[0] - x[2], c = x[1] + x[3], d = T(sign) * turned(x[1] - x[3]);
    x[0] = a + c;
    x[1] = b + d;
    x[2] = a - c;
    x[3] = b - d;
  }
}

/// A line of g = 2h points of which only the first n <= h are not zero, and of whose inverse only the first n
/// are wanted: its even frequencies are the transform of length h of the line, its odd ones that of the line
/// turned by exp(-2 pi i j/g). Neither the zeros nor the unwanted half are ever touched.
///
/// The transform of length h is split once more, into R of length h/R, where those are among FFTW's
/// straight-line codes: the step between costs no pass of its own since the line is turned anyway, and
/// frequencies stay in the order it leaves, slot s of parity p holding frequency(p, s). Buffers are
/// [h][lanes]. FFTW_ESTIMATE, because measured plans differ from run to run and with them the last bits of
/// every result.
template <class T>
class HalfTransform {
  using C = Complex<T>;
  using F = backend::cpu::Fftw<T>;
  using Lanes = Pack<T>;
  static constexpr int W = lanes<T>;

 public:
  explicit HalfTransform(int g) : half_(g / 2), split_(best_split(g / 2)), short_(half_ / split_), turn_(g) {
    for (int residue = 0; residue < 2 * split_; ++residue)
      for (int j = 0; j < short_; ++j) turn_[residue * short_ + j] = root(-j * residue, g);
    for (int s = 0; s < half_; ++s) even_.push_back(2 * split_ * (s % short_) + 2 * (s / short_));
    for (int q = 0; q < split_; ++q) odd_[q] = root(-q, 2 * split_);
    backend::HostArray<C> sample(std::size_t(short_) * W);
    const std::lock_guard<std::mutex> hold(backend::cpu::planner_lock());
    forward_ = F::make(short_, W, sample.data(), W, 1, FFTW_FORWARD, FFTW_ESTIMATE);
    backward_ = F::make(short_, W, sample.data(), W, 1, FFTW_BACKWARD, FFTW_ESTIMATE);
  }
  ~HalfTransform() {
    const std::lock_guard<std::mutex> hold(backend::cpu::planner_lock());
    F::destroy(forward_);
    F::destroy(backward_);
  }
  HalfTransform(const HalfTransform&) = delete;
  HalfTransform& operator=(const HalfTransform&) = delete;

  int half() const { return half_; }
  int frequency(int p, int slot) const { return even_[slot] + p; }
  /// Where its own parity keeps frequency k.
  int slot(int k) const { return k % (2 * split_) / 2 * short_ + k / (2 * split_); }

  /// to = frequencies of parity p of the line `from` of n points, `stride` elements apart.
  void forward(const C* from, std::ptrdiff_t stride, int n, int p, C* to) const {
    switch (split_) {
      case 2:
        spread<2>(from, stride, n, p, to);
        break;
      case 3:
        spread<3>(from, stride, n, p, to);
        break;
      case 4:
        spread<4>(from, stride, n, p, to);
        break;
      default:
        spread<1>(from, stride, n, p, to);
    }
    for (int r = 0; r < split_; ++r) F::run(forward_, to + r * short_ * W, to + r * short_ * W);
  }

  /// Inverse of parity p in `from` (overwritten); set (p = 0) or added (p = 1) to n points of the line `to`.
  void backward(C* from, int p, int n, C* to, std::ptrdiff_t stride) const {
    for (int r = 0; r < split_; ++r) F::run(backward_, from + r * short_ * W, from + r * short_ * W);
    switch (split_) {
      case 2:
        return collect<2>(from, p, n, to, stride);
      case 3:
        return collect<3>(from, p, n, to, stride);
      case 4:
        return collect<4>(from, p, n, to, stride);
      default:
        return collect<1>(from, p, n, to, stride);
    }
  }

 private:
  /// exp(2 pi i k/n)
  static C root(int k, int n) {
    const long double a = 2 * 3.14159265358979323846264338327950288L * k / n;
    return C(T(std::cos(a)), T(std::sin(a)));
  }
  static int best_split(int half) {
    const auto straight = [](int n) { return n <= 16 || n == 20 || n == 25 || n == 32 || n == 64; };
    for (int r = 1; r <= 4; ++r)
      if (half % r == 0 && straight(half / r)) return r;
    return 1;
  }

  /// The step before the transforms: residue 2 r + p modulo 2 R of the frequencies, from points h/R apart.
  template <int R>
  void spread(const C* from, std::ptrdiff_t stride, int n, int p, C* to) const {
    for (int j = 0; j < short_; ++j)
      for (int l = 0; l < W; l += Lanes::size) {
        Lanes x[R];
        for (int q = 0; q < R; ++q) {
          const int at = j + q * short_;
          x[q] = at < n ? Lanes::load(from + at * stride + l) : Lanes{};
          if (p && q > 0) x[q] = odd_[q] * Operand<T>(x[q]);
        }
        small_transform<R, -1>(x);
        for (int r = 0; r < R; ++r) {
          const int residue = 2 * r + p;
          if (residue > 0) x[r] = turn_[residue * short_ + j] * Operand<T>(x[r]);
          x[r].store(to + (r * short_ + j) * W + l);
        }
      }
  }

  /// The step after the inverse transforms: the adjoint of `spread`.
  template <int R>
  void collect(const C* from, int p, int n, C* to, std::ptrdiff_t stride) const {
    for (int j = 0; j < std::min(short_, n); ++j)
      for (int l = 0; l < W; l += Lanes::size) {
        Lanes x[R];
        for (int r = 0; r < R; ++r) {
          const int residue = 2 * r + p;
          x[r] = Lanes::load(from + (r * short_ + j) * W + l);
          if (residue > 0) x[r] = conj(turn_[residue * short_ + j]) * Operand<T>(x[r]);
        }
        small_transform<R, 1>(x);
        for (int q = 0; q < R; ++q) {
          C* at = to + (j + q * short_) * stride + l;
          if (j + q * short_ >= n) break;
          if (p && q > 0) x[q] = conj(odd_[q]) * Operand<T>(x[q]);
          if (p) x[q] = Lanes::load(at) + x[q];
          x[q].store(at);
        }
      }
  }

  int half_, split_, short_;
  std::vector<int> even_;  // frequency of each slot of parity 0
  std::vector<C> turn_;    // exp(-2 pi i j residue/g), [residue][j]
  C odd_[4];               // exp(-2 pi i q/(2 R))
  typename F::plan forward_, backward_;
};

}  // namespace umov::dda::cpu
