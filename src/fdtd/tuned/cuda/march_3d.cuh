// One or more steps of a three-dimensional grid in one pass through memory: blocks march along z through
// columns of 64 x 32 cells (64 x 16 where shared memory is small), absorbing layers included.
#pragma once

#include <cuda_pipeline.h>

#include "backend/cuda/launch.hpp"
#include "fdtd/tuned/cuda/march.hpp"
#include "fdtd/tuned/cuda/vector4.cuh"

namespace umov::fdtd::tuned {

inline constexpr int lanes_x = tile_x / 4;
constexpr int march_threads(int rows) { return rows * lanes_x; }

namespace march {

/// Threads of a column whose psi along x and y waits in shared memory: enough for 10 layers at two of its
/// walls.
inline constexpr int psi_slots = 268;

/// Planes of one column in shared memory.
template <int Rows>
struct Column {
  static constexpr bool tall = Rows == tall_rows;
  static constexpr int threads = march_threads(Rows);
  /// A row of zeros follows the rows of E: the wall, or rows that nobody keeps.
  static constexpr int padded = threads + lanes_x;
  float4 e[3][3][padded];   ///< incoming E: this plane, the next, one in flight
  float4 h[2][3][threads];  ///< incoming H
  std::uint32_t id[2][3][threads];
  float4 h_below[2][threads];    ///< Hx, Hz, for the row above
  float4 e_above[2][2][padded];  ///< Ex, Ez between two steps, by parity of the plane
  float2 medium[256];
  float4 ey_wait[tall ? threads : 1];   ///< Ey between two steps
  float4 psi[8][tall ? psi_slots : 1];  ///< psi along x and y between the steps, of the threads that have any
};

/// Where a thread's four cells are.
struct Place {
  int x, y;
  bool inside, writes;
  bool layer[2][2];  ///< [field][axis x, y]: psi has a place for these cells
};

/// Where a thread keeps psi between the steps of a pass: [parity of the plane][field][derivative].
struct Kept {
  float4* at;
  int stride;
  __device__ __forceinline__ float4& operator()(int parity, int field, int derivative) const {
    return at[((parity * 2 + field) * 2 + derivative) * stride];
  }
};

/// psi of one derivative, and what it adds to a field: psi' = b psi + c D, f += drive (psi' + stretch D).
struct Profile {
  float4 b, c, stretch;
};
__device__ __forceinline__ void absorb(const Profile& q, float4 d, float4 drive, float4& psi, float4& f) {
  psi = {fmaf(q.b.x, psi.x, q.c.x * d.x), fmaf(q.b.y, psi.y, q.c.y * d.y), fmaf(q.b.z, psi.z, q.c.z * d.z),
         fmaf(q.b.w, psi.w, q.c.w * d.w)};
  f = {fmaf(drive.x, fmaf(q.stretch.x, d.x, psi.x), f.x), fmaf(drive.y, fmaf(q.stretch.y, d.y, psi.y), f.y),
       fmaf(drive.z, fmaf(q.stretch.z, d.z, psi.z), f.z), fmaf(drive.w, fmaf(q.stretch.w, d.w, psi.w), f.w)};
}
__device__ __forceinline__ float4 times(float s, float4 v) { return {s * v.x, s * v.y, s * v.z, s * v.w}; }
__device__ __forceinline__ float4 same(float s) { return {s, s, s, s}; }

/// Along x each of the four cells has its own place in the layers, along y and z all have the same.
template <int Axis>
__device__ __forceinline__ Profile profile_at(const float* table, index_t length, int position) {
  const float *b = table + position, *c = b + length, *stretch = c + length;
  if constexpr (Axis == 0)
    return {__ldg(reinterpret_cast<const float4*>(b)), __ldg(reinterpret_cast<const float4*>(c)),
            __ldg(reinterpret_cast<const float4*>(stretch))};
  else
    return {same(__ldg(b)), same(__ldg(c)), same(__ldg(stretch))};
}

/// Layers of all derivatives along one axis: of components Axis + 1 (second term of its curl) and Axis + 2
/// (first term). Both psi are asked for before either is used. `kept` is psi between the steps of a pass.
template <int Axis, bool Electric, bool First, bool Last>
__device__ __forceinline__ void add_layers_along(const MarchVolume& p, const Place& at, int k, bool writes,
                                                 const float4 (&d)[3][2], const std::uint32_t (&id)[3],
                                                 const float2* medium, float4 (&f)[3], const Kept& kept) {
  constexpr int c = (Axis + 1) % 3, e = (Axis + 2) % 3, field = Electric ? 0 : 3;
  const int position = Axis == 0 ? at.x : Axis == 1 ? at.y : k;
  const int side = position + (Axis == 0 ? 3 : 0) >= p.high_begin[0][Axis];
  const MarchLayer &lc = p.layer[field + c][1][side], &le = p.layer[field + e][0][side];
  const index_t spot = at.x + p.layer_pitch[Axis] * at.y + p.layer_plane[Axis] * k;
  float4 psi_c, psi_e;
  if (First) {
    psi_c = *reinterpret_cast<const float4*>(lc.in + spot);
    psi_e = *reinterpret_cast<const float4*>(le.in + spot);
  } else {
    psi_c = kept(k & 1, Electric, 0), psi_e = kept(k & 1, Electric, 1);
  }
  const Profile q = profile_at<Axis>(p.profile[Electric][Axis], p.profile_length, position);
  // looked up again, as keeping them costs registers where there are no layers
  const float4 drive_c = Electric ? look_up(medium, id[c]).drive : same(-p.magnetic_drive);
  const float4 drive_e = Electric ? look_up(medium, id[e]).drive : same(-p.magnetic_drive);
  absorb(q, d[c][1], times(-1.0f, drive_c), psi_c, f[c]);
  absorb(q, d[e][0], drive_e, psi_e, f[e]);
  if (!Last) kept(k & 1, Electric, 0) = psi_c, kept(k & 1, Electric, 1) = psi_e;
  if (Last && writes) {
    store(lc.out + spot, psi_c);
    store(le.out + spot, psi_e);
  }
}

/// Layers of the three components of one field at plane k. d[c][w]: derivative of term w of component c's
/// curl. Psi waits for the next step in shared memory, or in memory of the thread's own (z, and the rest if
/// it does not fit).
template <bool PsiInShared, bool Electric, bool First, bool Last, int Rows>
__device__ __forceinline__ void add_layers(const MarchVolume& p, const Place& at, int k, bool writes,
                                           const float4 (&d)[3][2], const std::uint32_t (&id)[3],
                                           float4 (&f)[3], Column<Rows>& col, unsigned slots,
                                           float4 (&own)[PsiInShared ? 1 : 3][8]) {
  if (!at.inside || unsigned(k) >= unsigned(p.n[2])) return;
  if (at.layer[Electric][0])
    add_layers_along<0, Electric, First, Last>(p, at, k, writes, d, id, col.medium, f,
                                               PsiInShared ? Kept{&col.psi[0][slots & 0xffffu], psi_slots}
                                                           : Kept{own[1 % (PsiInShared ? 1 : 3)], 1});
  if (at.layer[Electric][1])
    add_layers_along<1, Electric, First, Last>(
        p, at, k, writes, d, id, col.medium, f,
        PsiInShared ? Kept{&col.psi[0][slots >> 16], psi_slots} : Kept{own[2 % (PsiInShared ? 1 : 3)], 1});
  if (k < p.low_end[2] || k >= p.high_begin[Electric][2])
    add_layers_along<2, Electric, First, Last>(p, at, k, writes, d, id, col.medium, f, Kept{own[0], 1});
}

/// Gives threads with layers along x (low half of the word) or y (high half) a place in Column::psi.
template <int Rows>
__device__ __forceinline__ unsigned find_slots(const MarchVolume& p, const Place& at, int ly) {
  const int lane = threadIdx.x % 32, lx = lane % lanes_x, row = lane / lanes_x * lanes_x;
  const unsigned in_row = __ballot_sync(all_frozen, at.layer[0][0] || at.layer[1][0]) >> row & 0xffffu;
  const int along_x = __popc(in_row), bottom = at.y - ly;
  const int low = min(max(p.low_end[1] - bottom, 0), Rows);
  const int rank = at.y < p.low_end[1] ? ly : low + at.y - max(p.high_begin[0][1], bottom);
  return unsigned(ly * along_x + __popc(in_row & ((1u << lx) - 1))) |
         unsigned(Rows * along_x + rank * lanes_x + lx) << 16;
}

/// Asks for psi of a plane to come.
template <int Axis>
__device__ __forceinline__ void prefetch_along(const MarchVolume& p, const Place& at, int k) {
  const int position = Axis == 0 ? at.x : Axis == 1 ? at.y : k;
  const int side = position + (Axis == 0 ? 3 : 0) >= p.high_begin[0][Axis];
  const index_t spot = at.x + p.layer_pitch[Axis] * at.y + p.layer_plane[Axis] * k;
  for (int field = 0; field < 6; field += 3) {
    const MarchLayer &lc = p.layer[field + (Axis + 1) % 3][1][side],
                     &le = p.layer[field + (Axis + 2) % 3][0][side];
    backend::cuda::prefetch(lc.in + spot);
    backend::cuda::prefetch(le.in + spot);
  }
}
__device__ __forceinline__ void prefetch_layers(const MarchVolume& p, const Place& at, int k) {
  if (!at.inside || k >= p.n[2]) return;
  if (at.layer[1][0]) prefetch_along<0>(p, at, k);
  if (at.layer[1][1]) prefetch_along<1>(p, at, k);
  if (k < p.low_end[2] || k >= p.high_begin[1][2]) prefetch_along<2>(p, at, k);
}

/// Curl of E at plane k: own values, those one row up, one cell right and one plane up.
__device__ __forceinline__ void derivatives_of_e(const float4 (&e)[3], float4 ex_row, float4 ez_row,
                                                 float4 ex_plane, float4 ey_plane, float4 (&d)[3][2]) {
  const float4 ey_right = from_right(e[1]), ez_right = from_right(e[2]);
  d[0][0] = ez_row - e[2], d[0][1] = ey_plane - e[1];
  d[1][0] = ex_plane - e[0], d[1][1] = ez_right - e[2];
  d[2][0] = ey_right - e[1], d[2][1] = ex_row - e[0];
}
__device__ __forceinline__ void derivatives_of_h(const float4 (&h)[3], float4 hx_row, float4 hz_row,
                                                 float4 hx_plane, float4 hy_plane, float4 (&d)[3][2]) {
  const float4 hy_left = from_left(h[1]), hz_left = from_left(h[2]);
  d[0][0] = h[2] - hz_row, d[0][1] = h[1] - hy_plane;
  d[1][0] = h[0] - hx_plane, d[1][1] = h[2] - hz_left;
  d[2][0] = h[1] - hy_left, d[2][1] = h[0] - hx_row;
}

}  // namespace march

/// Two steps of all cells with layers, without lists and walls other than electric ones: those are stepped
/// by the patches. Step s acts on plane k - s while plane k + 1 of E comes in. Per cell and pass 48 bytes and
/// the ids; 36 flops a cell and step.
template <int Rows, bool PsiInShared>
__global__ void __launch_bounds__(march_threads(Rows), 1)
    march_volume(const __grid_constant__ MarchVolume p) {
  constexpr int Steps = volume_steps, threads = march_threads(Rows);
  static_assert(Steps == 2, "psi waits for one step at most");
  using namespace march;
  extern __shared__ __align__(16) unsigned char memory[];
  Column<Rows>& col = *reinterpret_cast<Column<Rows>*>(memory);
  static_assert(Column<Rows>::tall || !PsiInShared);
  const int tid = threadIdx.x, lx = tid % lanes_x, ly = tid / lanes_x;
  const int block = p.order[blockIdx.x], tile = block % p.tiles, tx = tile % p.tiles_x, ty = tile / p.tiles_x;
  const int first = p.begin + block / p.tiles * p.planes, last = min(first + p.planes, p.end);
  Place at;
  at.x = tx * written_x - margin_x + 4 * lx;
  at.y = ty * (Rows - 2 * Steps) + ly;
  at.inside = at.x >= 0 && at.x < p.n[0] && at.y < p.n[1];
  at.writes = at.inside && 4 * lx >= margin_x && 4 * lx < tile_x - margin_x && (ty == 0 || ly >= Steps) &&
              ((ty + 1) * p.tiles_x == p.tiles || ly < Rows - Steps);
  for (int field = 0; field < 2; ++field) {
    at.layer[field][0] = at.inside && (at.x < p.low_end[0] || at.x + 3 >= p.high_begin[field][0]);
    at.layer[field][1] = at.inside && (at.y < p.low_end[1] || at.y >= p.high_begin[field][1]);
  }
  const index_t home = p.base + at.x + p.pitch * at.y;
  // which of the four cells never change, by component: those on and beyond walls along x and y
  std::uint32_t still[3];
  {
    std::uint32_t beyond = at.inside ? 0 : all_frozen;
    for (int v = 0; v < 4; ++v)
      if (at.x + v >= p.n[0]) beyond |= 255u << (8 * v);
    const std::uint32_t wall_x = at.x == 0 ? 255u : 0u, wall_y = at.y == 0 ? all_frozen : 0u;
    still[0] = beyond | wall_y, still[1] = beyond | wall_x, still[2] = beyond | wall_x | wall_y;
  }
  for (int m = tid; m < 256; m += threads) col.medium[m] = p.medium[m];
  // what is read before it was ever written must be finite, since zero times anything must be zero
  float4 ey_own{0, 0, 0, 0};
  if constexpr (Column<Rows>::tall) col.ey_wait[tid] = float4{0, 0, 0, 0};
  for (int n = tid; n < Column<Rows>::padded; n += threads)
    for (int c = 0; c < 3; ++c) {
      for (auto& slot : col.e) slot[c][n] = float4{0, 0, 0, 0};
      for (auto& parity : col.e_above) parity[c % 2][n] = float4{0, 0, 0, 0};
    }
  __syncthreads();

  const auto fetch_e = [&](int k) {
    for (int c = 0; c < 3; ++c) {
      float4* const to = &col.e[k % 3][c][tid];
      if (at.inside && k < p.n[2])
        __pipeline_memcpy_async(to, p.in[c] + home + p.plane * k, 16);
      else
        *to = float4{0, 0, 0, 0};
    }
  };
  const auto fetch_h = [&](int k) {
    for (int c = 0; c < 3; ++c) {
      float4* const to = &col.h[k % 2][c][tid];
      if (at.inside && k < p.n[2]) {
        __pipeline_memcpy_async(to, p.in[3 + c] + home + p.plane * k, 16);
        if (p.id[c]) __pipeline_memcpy_async(&col.id[k % 2][c][tid], p.id[c] + home + p.plane * k, 4);
      } else {
        *to = float4{0, 0, 0, 0};
      }
    }
  };

  // between the steps: fields and ids of the plane below; psi on its way to the next step, by parity of the
  // plane
  float4 h_wait[Steps][3], h_under[Steps][2];
  std::uint32_t id_wait[Steps][3];
  float4 own[PsiInShared ? 1 : 3][8];
  const unsigned slots = find_slots<Rows>(p, at, ly);
#pragma unroll
  for (int s = 0; s < Steps; ++s)
#pragma unroll
    for (int c = 0; c < 3; ++c) {
      h_wait[s][c] = float4{0, 0, 0, 0};
      id_wait[s][c] = all_frozen;
      if (c < 2) h_under[s][c] = float4{0, 0, 0, 0};
    }

  const int start = max(first - Steps, 0), end = last + Steps - 1;
  fetch_h(start);
  fetch_e(start);
  fetch_e(start + 1);
  __pipeline_commit();
  fetch_h(start + 1);
  fetch_e(start + 2);
  __pipeline_commit();
  __pipeline_wait_prior(1);
  __syncthreads();
#pragma unroll 1
  for (int k = start; k < end; ++k) {
    // E of plane k + 1 and H of plane k are here; all threads had waited for E of plane k before a barrier
    __pipeline_wait_prior(2);
    prefetch_layers(p, at, k + 2);

    // what enters the first step: E of planes k and k + 1, H of plane k
    float4 e[3], h[3], e_next[3];
    std::uint32_t id[3];
#pragma unroll
    for (int c = 0; c < 3; ++c) {
      e[c] = col.e[k % 3][c][tid];
      h[c] = col.h[k % 2][c][tid];
      e_next[c] = col.e[(k + 1) % 3][c][tid];
      id[c] = (p.id[c] ? col.id[k % 2][c][tid] : p.uniform_id[c]) | still[c];
      if (k >= p.n[2] || (k == 0 && c < 2)) id[c] = all_frozen;
    }
    fetch_h(k + 2);
    __pipeline_commit();
    const float4* row_ex = &col.e[k % 3][0][tid + lanes_x];
    const float4* row_ez = &col.e[k % 3][2][tid + lanes_x];
#pragma unroll
    for (int s = 0; s < Steps; ++s) {
      const int plane = k - s;
      const bool writes = at.writes && plane >= first && plane < last;
      float4 d[3][2];
      derivatives_of_e(e, *row_ex, *row_ez, e_next[0], e_next[1], d);
#pragma unroll
      for (int c = 0; c < 3; ++c) {
        h[c] = add(h[c], -p.magnetic_drive, d[c][0] - d[c][1]);
      }
      if (s == 0)
        add_layers<PsiInShared, false, true, false>(p, at, plane, writes, d, id, h, col, slots, own);
      else
        add_layers<PsiInShared, false, false, true>(p, at, plane, writes, d, id, h, col, slots, own);
      auto& h_below = col.h_below;
      __syncthreads();  // all have read those of the step before
      h_below[0][tid] = h[0];
      h_below[1][tid] = h[2];
      __syncthreads();
      if (s == 0) {
        fetch_e(k + 3);  // where plane k was, which every thread has read now
        __pipeline_commit();
      }
      const int below = ly == 0 ? tid : tid - lanes_x;
      derivatives_of_h(h, h_below[0][below], h_below[1][below], h_under[s][0], h_under[s][1], d);
#pragma unroll
      for (int c = 0; c < 3; ++c) {
        e[c] = update(e[c], d[c][0] - d[c][1], look_up(col.medium, id[c]));
      }
      if (s == 0)
        add_layers<PsiInShared, true, true, false>(p, at, plane, writes, d, id, e, col, slots, own);
      else
        add_layers<PsiInShared, true, false, true>(p, at, plane, writes, d, id, e, col, slots, own);
      h_under[s][0] = h[0];
      h_under[s][1] = h[1];
      if (s + 1 < Steps) {
        // plane k - s waits for the one above it; plane k - s - 1 has it now
        auto &mine = col.e_above[plane & 1], &older = col.e_above[(plane - 1) & 1];
        mine[0][tid] = e[0];
        mine[1][tid] = e[2];
#pragma unroll
        for (int c = 0; c < 3; ++c) {
          const float4 new_h = h[c];
          const std::uint32_t new_id = id[c];
          e_next[c] = e[c];
          h[c] = h_wait[s][c], id[c] = id_wait[s][c];
          h_wait[s][c] = new_h, id_wait[s][c] = new_id;
        }
        float4& ey_wait = Column<Rows>::tall ? col.ey_wait[tid] : ey_own;
        e[0] = older[0][tid], e[1] = ey_wait, e[2] = older[1][tid];
        ey_wait = e_next[1];
        row_ex = &older[0][tid + lanes_x];
        row_ez = &older[1][tid + lanes_x];
      }
    }
    const int done = k - (Steps - 1);
    if (at.writes && done >= first) {
#pragma unroll
      for (int c = 0; c < 3; ++c) {
        store(p.out[c] + home + p.plane * done, e[c]);
        store(p.out[3 + c] + home + p.plane * done, h[c]);
      }
    }
  }
}

}  // namespace umov::fdtd::tuned
