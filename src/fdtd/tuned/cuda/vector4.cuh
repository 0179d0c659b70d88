// Four neighbouring cells in one register quadruple, and their update with coefficients by id.
#pragma once

#include <cstdint>

#include "backend/cuda/store.hpp"

namespace umov::fdtd::tuned {

using backend::cuda::store;

inline constexpr std::uint32_t all_frozen = 0xffffffffu;

__device__ __forceinline__ float4 operator-(float4 a, float4 b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z, a.w - b.w};
}
/// a + s b
__device__ __forceinline__ float4 add(float4 a, float s, float4 b) {
  return {fmaf(s, b.x, a.x), fmaf(s, b.y, a.y), fmaf(s, b.z, a.z), fmaf(s, b.w, a.w)};
}
/// v one cell on: element i is that of cell i + 1.
__device__ __forceinline__ float4 from_right(float4 v) {
  return {v.y, v.z, v.w, __shfl_down_sync(0xffffffffu, v.x, 1)};
}
__device__ __forceinline__ float4 from_left(float4 v) {
  return {__shfl_up_sync(0xffffffffu, v.w, 1), v.x, v.y, v.z};
}

/// Decay and drive of four cells, by four ids in one word.
struct Media4 {
  float4 decay, drive;
};
__device__ __forceinline__ Media4 look_up(const float2* medium, std::uint32_t id) {
  const float2 a = medium[id & 255u], b = medium[id >> 8 & 255u], c = medium[id >> 16 & 255u],
               d = medium[id >> 24];
  return {{a.x, b.x, c.x, d.x}, {a.y, b.y, c.y, d.y}};
}
/// f' = decay f + drive curl, rounded as in kernels/rounding.hpp
__device__ __forceinline__ float4 update(float4 f, float4 curl, const Media4& m) {
  return {fmaf(m.drive.x, curl.x, m.decay.x * f.x), fmaf(m.drive.y, curl.y, m.decay.y * f.y),
          fmaf(m.drive.z, curl.z, m.decay.z * f.z), fmaf(m.drive.w, curl.w, m.decay.w * f.w)};
}

}  // namespace umov::fdtd::tuned
