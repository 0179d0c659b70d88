// The factors of a butterfly: powers of one root of unity, formed in registers.
#pragma once

#include "dda/tuned/cuda/dft.hpp"

namespace umov::dda::tuned {

/// Loads through the read-only path: the compiler may then move them ahead of other work.
__device__ __forceinline__ Complex<double> constant(const Complex<double>* p) {
  const double2 v = __ldg(reinterpret_cast<const double2*>(p));
  return {v.x, v.y};
}
__device__ __forceinline__ Complex<float> constant(const Complex<float>* p) {
  const float2 v = __ldg(reinterpret_cast<const float2*>(p));
  return {v.x, v.y};
}

/// The factors w^q = exp(-2 pi i q j / n) of one butterfly: w is loaded, its powers formed by at most four
/// multiplications in a row. (Loading all of them costs more in the L1 cache than the arithmetic.)
template <class T, int R, bool Many = (R > 10)>
struct Roots {
  using C = Complex<T>;
  C power[R > 2 ? R : 2];
  __device__ Roots(const C* roots, int j) {
    power[1] = constant(roots + j);
    unrolled<(R > 2 ? R - 2 : 0)>([&](auto p) {
      constexpr int q = p.value + 2;
      power[q] = power[q / 2] * power[q - q / 2];
    });
  }
  template <int Q>
  __device__ C get() const {
    return power[Q];
  }
};

/// w^(4 i), i = 1 ... (N - 1) / 4, from w^2, the first of them as a square.
template <int N, class C>
__device__ __forceinline__ void fourth_powers(C (&high)[N], C square) {
  unrolled<N - 1>([&](auto m) {
    constexpr int i = m.value + 1;
    high[i] = i == 1 ? square * square : high[i / 2] * high[i - i / 2];
  });
}

/// More than ten do not fit registers: w, w^2, w^3 and w^4, w^8, ... do.
template <class T, int R>
struct Roots<T, R, true> {
  using C = Complex<T>;
  C low[4], high[(R + 3) / 4];
  __device__ Roots(const C* roots, int j) {
    low[1] = constant(roots + j);
    low[2] = low[1] * low[1];
    low[3] = low[2] * low[1];
    fourth_powers(high, low[2]);
  }
  template <int Q>
  __device__ C get() const {
    if constexpr (Q % 4 == 0) return high[Q / 4];
    if constexpr (Q < 4) return low[Q];
    return high[Q / 4] * low[Q % 4];
  }
};

/// The factors w^(2q) of the even frequencies of a butterfly of 2H points taken in halves; after `turn`, the
/// factors w^(2q + 1) of the odd ones.
template <class T, int H>
struct HalfRoots {
  using C = Complex<T>;
  C w, low[4], high[(H + 3) / 4];
  __device__ HalfRoots(const C* roots, int k) : w(constant(roots + k)) {
    low[0] = C(1, 0);
    low[1] = w * w;
    low[2] = low[1] * low[1];
    low[3] = low[2] * low[1];
    fourth_powers(high, low[2]);
  }
  __device__ void turn() {
    low[0] = w;
    unrolled<3>([&](auto m) { low[m.value + 1] = low[m.value + 1] * w; });
  }
  template <int Q, bool Odd>
  __device__ C get() const {
    if constexpr (Q < 4) return low[Q];
    if constexpr (Q % 4 == 0 && !Odd) return high[Q / 4];
    return high[Q / 4] * low[Q % 4];
  }
};

}  // namespace umov::dda::tuned
