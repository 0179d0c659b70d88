// Short discrete Fourier transforms in registers, unrolled, with all constants known to the compiler.
#pragma once

#include "core/complex.hpp"

namespace umov::dda::tuned {

/// cos and sin of 2 pi k / n at compile time, by series on the first octant.
struct Turn {
  double cos, sin;
};
UMOV_HD constexpr Turn turn(int k, int n) {
  k = (k % n + n) % n;
  // 8 k = octant n + rest
  const int octant = 8 * k / n;
  const bool odd = octant % 2;
  const double rest = double(odd ? (octant + 1) * n - 8 * k : 8 * k - octant * n) / (8.0 * n);
  const double a = rest * 6.28318530717958647692528676655900577, a2 = a * a;
  double c = 1, s = 1;
  for (int m = 24; m >= 2; m -= 2) {
    c = 1 - c * a2 / ((m - 1) * m);
    s = 1 - s * a2 / (m * (m + 1));
  }
  s *= a;
  switch ((octant + 1) / 2 % 4) {  // quarter turns; odd octants count back from the next one
    case 0:
      return odd ? Turn{c, -s} : Turn{c, s};
    case 1:
      return odd ? Turn{s, c} : Turn{-s, c};
    case 2:
      return odd ? Turn{-c, s} : Turn{-c, -s};
    default:
      return odd ? Turn{-s, -c} : Turn{s, -c};
  }
}

/// z exp(Sign 2 pi i K / N), with the cheap turns done cheaply.
template <int N, int K, int Sign, class T>
__device__ inline Complex<T> times_root(Complex<T> z) {
  constexpr int k = ((Sign * K) % N + N) % N;
  if constexpr (k == 0) {
    return z;
  } else if constexpr (4 * k == N) {
    return {-z.im, z.re};
  } else if constexpr (2 * k == N) {
    return {-z.re, -z.im};
  } else if constexpr (4 * k == 3 * N) {
    return {z.im, -z.re};
  } else if constexpr (8 * k % N == 0) {
    constexpr T half = T(0.70710678118654752440084436210484904);
    if constexpr (8 * k == N) return {half * (z.re - z.im), half * (z.re + z.im)};
    if constexpr (8 * k == 3 * N) return {-half * (z.re + z.im), half * (z.re - z.im)};
    if constexpr (8 * k == 5 * N) return {half * (z.im - z.re), -half * (z.re + z.im)};
    return {half * (z.re + z.im), half * (z.im - z.re)};
  } else {
    constexpr Turn w = turn(k, N);
    return {T(w.cos) * z.re - T(w.sin) * z.im, T(w.cos) * z.im + T(w.sin) * z.re};
  }
}

/// Calls f with integral constants 0 ... N-1.
template <int I>
struct Constant {
  static constexpr int value = I;
};
template <int N, int I = 0, class F>
__device__ __forceinline__ void unrolled(const F& f) {
  if constexpr (I < N) {
    f(Constant<I>{});
    unrolled<N, I + 1>(f);
  }
}

UMOV_HD constexpr int first_factor(int n) {
  return n % 4 == 0 && n > 4 ? 4 : n % 2 == 0 ? 2 : n % 3 == 0 ? 3 : n % 5 == 0 ? 5 : n;
}

/// X_k = sum_n x_n exp(Sign 2 pi i n k / R), in place.
template <int R, int Sign, class T>
__device__ __forceinline__ void dft(Complex<T>* a) {
  using C = Complex<T>;
  if constexpr (R == 2) {
    const C b = a[0] - a[1];
    a[0] += a[1];
    a[1] = b;
  } else if constexpr (R == 4) {
    const C s02 = a[0] + a[2], d02 = a[0] - a[2], s13 = a[1] + a[3];
    const C d13 = times_root<4, 1, Sign>(a[1] - a[3]);
    a[0] = s02 + s13;
    a[1] = d02 + d13;
    a[2] = s02 - s13;
    a[3] = d02 - d13;
  } else if constexpr (R == 3 || R == 5 || R == 7) {
    // Pairs n and R - n share their cosines and sines.
    constexpr int H = (R - 1) / 2;
    C sum[H], diff[H], x0 = a[0];
    unrolled<H>([&](auto h) {
      constexpr int n = decltype(h)::value + 1;
      sum[n - 1] = a[n] + a[R - n];
      diff[n - 1] = a[n] - a[R - n];
      x0 += sum[n - 1];
    });
    unrolled<H>([&](auto h) {
      constexpr int k = decltype(h)::value + 1;
      C even = a[0], odd(0, 0);
      unrolled<H>([&](auto g) {
        constexpr int n = decltype(g)::value + 1;
        constexpr Turn w = turn(n * k, R);
        even += T(w.cos) * sum[n - 1];
        odd += T(Sign * w.sin) * diff[n - 1];
      });
      a[R - k].re = even.re + odd.im;
      a[R - k].im = even.im - odd.re;
      a[k].re = even.re - odd.im;
      a[k].im = even.im + odd.re;
    });
    a[0] = x0;
  } else if constexpr (R > 1) {
    // Cooley and Tukey 1965: n = B n1 + n2, k = k1 + A k2.
    constexpr int A = first_factor(R), B = R / A;
    C y[R];
    unrolled<B>([&](auto n2) {
      constexpr int n = decltype(n2)::value;
      C t[A];
      unrolled<A>([&](auto n1) { t[decltype(n1)::value] = a[B * decltype(n1)::value + n]; });
      dft<A, Sign>(t);
      unrolled<A>([&](auto k1) {
        constexpr int k = decltype(k1)::value;
        y[k * B + n] = times_root<R, n * k, Sign>(t[k]);
      });
    });
    unrolled<A>([&](auto k1) {
      constexpr int k = decltype(k1)::value;
      dft<B, Sign>(y + k * B);
      unrolled<B>([&](auto k2) { a[k + A * decltype(k2)::value] = y[k * B + decltype(k2)::value]; });
    });
  }
}

/// The forward transform of x whose upper half is zero (R even): a[0 .. R/2) in, a[0 .. R) out.
template <int R, class T>
__device__ __forceinline__ void dft_of_half(Complex<T>* a) {
  constexpr int H = R / 2;
  Complex<T> odd[H];
  unrolled<H>([&](auto n) {
    odd[decltype(n)::value] = times_root<R, decltype(n)::value, -1>(a[decltype(n)::value]);
  });
  dft<H, -1>(a);
  dft<H, -1>(odd);
  Complex<T> even[H];
  unrolled<H>([&](auto n) { even[decltype(n)::value] = a[decltype(n)::value]; });
  unrolled<H>([&](auto n) {
    a[2 * decltype(n)::value] = even[decltype(n)::value];
    a[2 * decltype(n)::value + 1] = odd[decltype(n)::value];
  });
}

/// The lower half of the inverse transform (R even): a[0 .. R) in, a[0 .. R/2) out.
template <int R, class T>
__device__ __forceinline__ void dft_to_half(Complex<T>* a) {
  constexpr int H = R / 2;
  Complex<T> even[H], odd[H];
  unrolled<H>([&](auto n) {
    even[decltype(n)::value] = a[2 * decltype(n)::value];
    odd[decltype(n)::value] = a[2 * decltype(n)::value + 1];
  });
  dft<H, +1>(even);
  dft<H, +1>(odd);
  unrolled<H>([&](auto n) {
    a[decltype(n)::value] =
        even[decltype(n)::value] + times_root<R, decltype(n)::value, +1>(odd[decltype(n)::value]);
  });
}

}  // namespace umov::dda::tuned
