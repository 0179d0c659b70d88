// Transforms of zero-padded lines as two of half the length, over lanes of interleaved lines.
#pragma once

#include <fftw3.h>

#include <cmath>
#include <vector>

#include "backend/array.hpp"
#include "backend/cpu/fftw.hpp"
#include "dda/tuned/cpu/lanes.hpp"

namespace umov::dda::cpu {

/// A line of g = 2h points of which only the first n <= h are not zero, and of whose inverse only the first n
/// are wanted: its even frequencies are the transform of length h of the line, its odd ones that of the line
/// turned by exp(-2 pi i j/g). Neither the zeros nor the unwanted half are ever touched.
/// Buffers are [h][lanes]. FFTW_ESTIMATE, because measured plans differ from run to run and with them the
/// last bits of every result.
template <class T>
class HalfTransform {
  using C = Complex<T>;
  using F = backend::cpu::Fftw<T>;
  static constexpr int W = lanes<T>;

 public:
  explicit HalfTransform(int g) : half_(g / 2), turn_(g / 2) {
    for (int j = 0; j < half_; ++j) {
      const long double a = -2 * 3.14159265358979323846264338327950288L * j / g;
      turn_[j] = C(T(std::cos(a)), T(std::sin(a)));
    }
    backend::HostArray<C> sample(std::size_t(half_) * W);
    const std::lock_guard<std::mutex> hold(backend::cpu::planner_lock());
    forward_ = F::make(half_, W, sample.data(), W, 1, FFTW_FORWARD, FFTW_ESTIMATE);
    backward_ = F::make(half_, W, sample.data(), W, 1, FFTW_BACKWARD, FFTW_ESTIMATE);
  }
  ~HalfTransform() {
    const std::lock_guard<std::mutex> hold(backend::cpu::planner_lock());
    F::destroy(forward_);
    F::destroy(backward_);
  }
  HalfTransform(const HalfTransform&) = delete;
  HalfTransform& operator=(const HalfTransform&) = delete;

  int half() const { return half_; }

  /// to = frequencies of parity p of the line `from` of n points, `stride` elements apart.
  void forward(const C* from, std::ptrdiff_t stride, int n, int p, C* to) const {
    if (p == 0)
      for (int j = 0; j < n; ++j) Pack<T>::load(from + j * stride).store(to + j * W);
    else
      for (int j = 0; j < n; ++j) (turn_[j] * Operand<T>(Pack<T>::load(from + j * stride))).store(to + j * W);
    for (int j = n; j < half_; ++j) Pack<T>{}.store(to + j * W);
    F::run(forward_, to, to);
  }

  /// Inverse of parity p in `from` (overwritten); set (p = 0) or added (p = 1) to n points of the line `to`.
  void backward(C* from, int p, int n, C* to, std::ptrdiff_t stride) const {
    F::run(backward_, from, from);
    if (p == 0)
      for (int j = 0; j < n; ++j) Pack<T>::load(from + j * W).store(to + j * stride);
    else
      for (int j = 0; j < n; ++j)
        (Pack<T>::load(to + j * stride) + conj(turn_[j]) * Operand<T>(Pack<T>::load(from + j * W)))
            .store(to + j * stride);
  }

 private:
  int half_;
  std::vector<C> turn_;
  typename F::plan forward_, backward_;
};

}  // namespace umov::dda::cpu
