// Device side of map_reduce: per-block trees in a fixed order, then the last block adds the partial sums.
#pragma once

#include "backend/cuda/check.hpp"
#include "backend/reduce.hpp"

namespace umov::backend::cuda {

inline constexpr int threads_per_block = 256;
/// Most blocks of a reduction: a constant, so that the order of additions belongs to n alone.
inline constexpr int reduce_blocks = 1056;
/// Most sums one reduction forms.
inline constexpr int most_sums = 32;

/// What a reduction writes to in page-locked host memory: the sums, then the number of the reduction, on
/// which the host waits.
struct Mailbox {
  double sums[most_sums];
  volatile unsigned long long number;
};

/// Tree over the threads of a block (a power of two of them); the result is in thread 0.
template <int K, int Threads>
__device__ inline void block_sum(Sums<double, K>& s) {
  __shared__ double warps[Threads / 32][K];
  for (int offset = 16; offset > 0; offset /= 2)
    for (int k = 0; k < K; ++k) s.v[k] += __shfl_down_sync(0xffffffffu, s.v[k], offset);
  const int warp = threadIdx.x / 32;
  if (threadIdx.x % 32 == 0)
    for (int k = 0; k < K; ++k) warps[warp][k] = s.v[k];
  __syncthreads();
  if (threadIdx.x == 0)
    for (int w = 1; w < Threads / 32; ++w)
      for (int k = 0; k < K; ++k) s.v[k] += warps[w][k];
  __syncthreads();
}

/// Second stage: the block that arrives last adds all partial sums, always in the same order, and its first
/// thread hands them to `post`.
template <int K, int Threads, class Post>
__device__ inline void finish_with(Sums<double, K> s, double* partial, unsigned* arrived, const Post& post) {
  __shared__ bool last;
  block_sum<K, Threads>(s);
  if (threadIdx.x == 0) {
    for (int k = 0; k < K; ++k) partial[blockIdx.x * K + k] = s.v[k];
    __threadfence();
    last = atomicAdd(arrived, 1u) == gridDim.x - 1;
  }
  __syncthreads();
  if (!last) return;
  __threadfence();
  Sums<double, K> all{};
  for (unsigned b = threadIdx.x; b < gridDim.x; b += Threads)
    for (int k = 0; k < K; ++k) all.v[k] += __ldcg(&partial[b * K + k]);
  block_sum<K, Threads>(all);
  if (threadIdx.x == 0) {
    *arrived = 0;
    post(all);
  }
}

/// Sums go to the host's mailbox, the number last.
template <int K>
struct PostToHost {
  Mailbox* out;
  unsigned long long number;
  __device__ void operator()(const Sums<double, K>& all) const {
    for (int k = 0; k < K; ++k) out->sums[k] = all.v[k];
    __threadfence_system();
    out->number = number;
  }
};

/// Sums stay on the device, for the next kernels to read.
template <int K>
struct PostToDevice {
  double* sums;
  __device__ void operator()(const Sums<double, K>& all) const {
    for (int k = 0; k < K; ++k) sums[k] = all.v[k];
  }
};

template <int K, int Threads>
__device__ inline void finish_reduction(Sums<double, K> s, double* partial, unsigned* arrived, Mailbox* out,
                                        unsigned long long number) {
  finish_with<K, Threads>(s, partial, arrived, PostToHost<K>{out, number});
}

template <class F>
__global__ void __launch_bounds__(threads_per_block) run_each(index_t n, F f) {
  const index_t step = index_t(gridDim.x) * threads_per_block;
  for (index_t i = index_t(blockIdx.x) * threads_per_block + threadIdx.x; i < n; i += step) f(i);
}

template <class F>
__global__ void __launch_bounds__(threads_per_block)
    run_box(int x0, int y0, int z0, int x1, int y1, int z1, F f) {
  const int i = x0 + int(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= x1) return;
  for (int k = z0 + int(blockIdx.z); k < z1; k += int(gridDim.z))
    for (int j = y0 + int(blockIdx.y * blockDim.y + threadIdx.y); j < y1; j += int(gridDim.y * blockDim.y))
      f(i, j, k);
}

/// The largest ordered_bits of f; a maximum does not depend on the order in which it is found.
template <class F>
__global__ void __launch_bounds__(threads_per_block) run_max(index_t n, F f, unsigned long long* out) {
  unsigned long long most = 0;
  const index_t step = index_t(gridDim.x) * threads_per_block;
  for (index_t i = index_t(blockIdx.x) * threads_per_block + threadIdx.x; i < n; i += step) {
    const unsigned long long bits = ordered_bits(f(i));
    most = bits > most ? bits : most;
  }
  for (int offset = 16; offset > 0; offset /= 2) {
    const unsigned long long other = __shfl_down_sync(0xffffffffu, most, offset);
    most = other > most ? other : most;
  }
  if (threadIdx.x % 32 == 0) atomicMax(out, most);
}

template <int K, class F, class Post>
__global__ void __launch_bounds__(threads_per_block)
    run_reduce(index_t n, F f, double* partial, unsigned* arrived, Post post) {
  Sums<double, K> s{};
  const index_t step = index_t(gridDim.x) * threads_per_block;
  for (index_t i = index_t(blockIdx.x) * threads_per_block + threadIdx.x; i < n; i += step) f(i, s);
  finish_with<K, threads_per_block>(s, partial, arrived, post);
}

}  // namespace umov::backend::cuda
