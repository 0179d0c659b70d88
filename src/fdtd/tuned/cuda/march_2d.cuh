// Several steps of a two-dimensional grid in one pass through memory: each warp marches up a strip of rows.
#pragma once

#include <cuda_pipeline.h>

#include "fdtd/tuned/cuda/march.hpp"
#include "fdtd/tuned/cuda/vector4.cuh"

namespace umov::fdtd::tuned {

inline constexpr int march_warps = 4;  ///< of a block; they share nothing but the table of media
inline constexpr int march_ahead = 4;  ///< rows in flight

/// Columns a warp writes; at each end `steps`, rounded up to 4, are computed by two neighbours.
constexpr int march_halo(int steps) { return (steps + 3) / 4 * 4; }
constexpr int march_width(int steps) { return 128 - 2 * march_halo(steps); }

namespace march {

/// One row of the three fields at one time.
template <Mode M>
struct Row {
  float4 f[3];
  std::uint32_t id[M == Mode::tm ? 1 : 2];
};

/// Takes row j from time t to t + 1. `above` is row j + 1 at t; `below` what row j needs of row j - 1 at
/// t + 1 (TM: Hx, TE: Hz), replaced by that of row j.
template <Mode M>
__device__ __forceinline__ void step(Row<M>& r, const Row<M>& above, float4& below, float drive,
                                     const float2* medium) {
  if constexpr (M == Mode::tm) {
    float4 &e = r.f[0], &hx = r.f[1], &hy = r.f[2];
    hx = add(hx, -drive, above.f[0] - e);
    hy = add(hy, drive, from_right(e) - e);
    e = update(e, (hy - from_left(hy)) - (hx - below), look_up(medium, r.id[0]));
    below = hx;
  } else {
    float4 &h = r.f[0], &ex = r.f[1], &ey = r.f[2];
    h = add(h, -drive, (from_right(ey) - ey) - (above.f[1] - ex));
    ex = update(ex, h - below, look_up(medium, r.id[0]));
    ey = update(ey, from_left(h) - h, look_up(medium, r.id[1]));
    below = h;
  }
}

/// Rows on their way from memory, one lane's part of each.
template <Mode M>
struct Ring {
  float4 f[march_ahead][3][32];
  std::uint32_t id[march_ahead][2][32];
};

}  // namespace march

/// `Steps` steps of cells without layers, lists or walls other than electric ones: whatever else there is
/// is stepped by the patches. Row r of memory enters; step t acts on row r - t, whose row above just got
/// there. Per cell and pass 24 bytes and the ids; 13 flops a cell and step.
template <Mode M, int Steps>
__global__ void __launch_bounds__(32 * march_warps) march_plane(const __grid_constant__ MarchPlane p) {
  using namespace march;
  constexpr int ids = M == Mode::tm ? 1 : 2;
  __shared__ float2 medium[256];
  __shared__ Ring<M> rings[march_warps];
  for (int m = threadIdx.x; m < 256; m += blockDim.x) medium[m] = p.medium[m];
  __syncthreads();

  const int lane = threadIdx.x % 32, warp = blockIdx.x * march_warps + threadIdx.x / 32;
  Ring<M>& ring = rings[threadIdx.x / 32];
  const int first = warp / p.tiles * p.rows, last = min(first + p.rows, p.ny);
  if (first >= p.ny) return;
  constexpr int halo = march_halo(Steps);
  const int x = warp % p.tiles * march_width(Steps) - halo + 4 * lane;
  const bool inside = x >= 0 && x < p.nx;
  const bool writes = inside && lane >= halo / 4 && lane < 32 - halo / 4;
  // cells of the vector on or beyond the walls along x
  std::uint32_t still = 0;
  for (int v = 0; v < 4; ++v)
    if (x + v < 0 || x + v >= p.nx) still |= 255u << (8 * v);
  const std::uint32_t still_on_wall = still | (x == 0 ? 255u : 0u);

  const int start = max(first - Steps, 0), end = last + Steps;
  const auto fetch = [&](int r) {
    const int slot = r % march_ahead;
    const index_t at = p.base + x + p.pitch * r;
    if (inside && r < p.ny) {
#pragma unroll
      for (int c = 0; c < 3; ++c) __pipeline_memcpy_async(&ring.f[slot][c][lane], p.in[c] + at, 16);
#pragma unroll
      for (int c = 0; c < ids; ++c)
        if (p.id[c]) __pipeline_memcpy_async(&ring.id[slot][c][lane], p.id[c] + at, 4);
    } else {
#pragma unroll
      for (int c = 0; c < 3; ++c) ring.f[slot][c][lane] = float4{0, 0, 0, 0};
    }
    __pipeline_commit();
  };

  Row<M> row[Steps];
  float4 below[Steps];
#pragma unroll
  for (int t = 0; t < Steps; ++t) {
    row[t] = Row<M>{};
#pragma unroll
    for (int c = 0; c < ids; ++c) row[t].id[c] = all_frozen;
    below[t] = float4{0, 0, 0, 0};
  }
#pragma unroll
  for (int ahead = 0; ahead < march_ahead - 1; ++ahead) fetch(start + ahead);

#pragma unroll 1
  for (int r = start; r < end; ++r) {
    fetch(r + march_ahead - 1);
    __pipeline_wait_prior(march_ahead - 1);
    const int slot = r % march_ahead;
    Row<M> moving;
#pragma unroll
    for (int c = 0; c < 3; ++c) moving.f[c] = ring.f[slot][c][lane];
    const bool beyond = r >= p.ny;
#pragma unroll
    for (int c = 0; c < ids; ++c) {
      std::uint32_t id = p.id[c] ? ring.id[slot][c][lane] : p.uniform_id[c];
      // Ez and Ey lie on the wall x = 0, Ez and Ex on y = 0
      id |= M == Mode::te && c == 0 ? still : still_on_wall;
      if (beyond || (r == 0 && !(M == Mode::te && c == 1))) id = all_frozen;
      moving.id[c] = id;
    }
#pragma unroll
    for (int t = 0; t < Steps; ++t) {
      step<M>(row[t], moving, below[t], p.magnetic_drive, medium);
      const Row<M> done = row[t];
      row[t] = moving;
      moving = done;
    }
    const int j = r - Steps;
    if (writes && j >= first) {
      const index_t at = p.base + x + p.pitch * j;
#pragma unroll
      for (int c = 0; c < 3; ++c) *reinterpret_cast<float4*>(p.out[c] + at) = moving.f[c];
    }
  }
}

}  // namespace umov::fdtd::tuned
