// The words of CUDA that kernels are written in, for a processor.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "backend/cuda/threads.hpp"

#define __device__
#define __global__
#define __shared__
#define __forceinline__ inline
#define __launch_bounds__(...)
#define __align__(bytes)

struct __attribute__((may_alias)) double2 {
  double x, y;
};
struct __attribute__((may_alias)) float2 {
  float x, y;
};
template <class T>
T __ldg(const T* p) {
  return *p;
}
template <class To, class From>
To umov_bits(From v) {
  static_assert(sizeof(To) == sizeof(From));
  To bits;
  std::memcpy(&bits, &v, sizeof bits);
  return bits;
}
inline unsigned __umulhi(unsigned a, unsigned b) { return unsigned((std::uint64_t(a) * b) >> 32); }
inline int __popcll(std::uint64_t v) { return __builtin_popcountll(v); }
inline int __double2hiint(double v) { return int(umov_bits<std::uint64_t>(v) >> 32); }
inline int __double2loint(double v) { return int(umov_bits<std::uint64_t>(v)); }
inline double __hiloint2double(int high, int low) {
  return umov_bits<double>((std::uint64_t(unsigned(high)) << 32) | unsigned(low));
}
inline int __float_as_int(float v) { return umov_bits<int>(v); }
inline float __int_as_float(int v) { return umov_bits<float>(v); }
inline int min(int a, int b) { return std::min(a, b); }

/// Barriers: 0 of the block, 1 to 15 named ones, from 16 on those of warps.
inline void __syncthreads() { umov::test::threads_of_block().wait(0, int(blockDim.x)); }
inline void __syncwarp() { umov::test::threads_of_block().wait(16 + int(threadIdx.x) / 32, 32); }
