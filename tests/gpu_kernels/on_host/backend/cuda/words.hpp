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
#define __grid_constant__

struct __attribute__((may_alias)) double2 {
  double x, y;
};
struct __attribute__((may_alias)) float2 {
  float x, y;
};
struct __attribute__((may_alias, aligned(16))) float4 {
  float x, y, z, w;
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
inline int __popc(unsigned v) { return __builtin_popcount(v); }
inline int min(int a, int b) { return std::min(a, b); }
inline int max(int a, int b) { return std::max(a, b); }

/// Barriers: 0 of the block, 1 to 15 named ones, from 16 on those of warps.
inline void __syncthreads() { umov::test::threads_of_block().wait(0, int(blockDim.x)); }
inline void __syncwarp() { umov::test::threads_of_block().wait(16 + int(threadIdx.x) / 32, 32); }

namespace umov::test {
/// What the 32 threads of a warp tell each other: each gives its own value and gets that of lane from(lane).
template <class V, class From>
V exchange_in_warp(V own, const From& from) {
  static V given[1024];
  given[threadIdx.x] = own;
  __syncwarp();
  const int lane = int(threadIdx.x) % 32, other = from(lane);
  const V got = other >= 0 && other < 32 ? given[int(threadIdx.x) - lane + other] : own;
  __syncwarp();
  return got;
}
}  // namespace umov::test

inline float __shfl_up_sync(unsigned, float v, int by) {
  return umov::test::exchange_in_warp(v, [=](int lane) { return lane - by; });
}
inline float __shfl_down_sync(unsigned, float v, int by) {
  return umov::test::exchange_in_warp(v, [=](int lane) { return lane + by; });
}
inline unsigned __ballot_sync(unsigned, bool v) {
  static unsigned given[1024];
  given[threadIdx.x] = v;
  __syncwarp();
  unsigned all = 0;
  for (unsigned lane = 0; lane < 32; ++lane) all |= given[threadIdx.x / 32 * 32 + lane] << lane;
  __syncwarp();
  return all;
}
