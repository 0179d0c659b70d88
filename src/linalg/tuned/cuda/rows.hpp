// Products with a matrix in rows on a GPU, followed by what is done with each row: the twins of rows_then and
// rows_then_sum in linalg/sparse/rows.hpp.
#pragma once

#include <algorithm>

#include "backend/cuda/cuda.hpp"
#include "linalg/sparse/csr.hpp"

namespace umov::sparse {
namespace gpu {

inline constexpr int row_threads = 128;

/// Every lane of a warp gets the product of one row of 32 neighbouring ones; `Lanes` lanes share a row, and
/// 32 / Lanes rows are summed at a time. Lanes read neighbouring entries, and `then` finds 32 rows at once.
template <int Lanes, class T, class X>
__device__ inline X warp_rows(const CsrView<T>& a, int first, int lane, const X* __restrict__ x) {
  constexpr int at_once = 32 / Lanes;
  const int group = lane / Lanes, in_group = lane % Lanes;
  const int own = min(first + lane, a.rows - 1);
  const int my_start = a.start[own], my_end = first + lane < a.rows ? a.start[own + 1] : my_start;
  X mine = 0;
#pragma unroll
  for (int pass = 0; pass < Lanes; ++pass) {
    const int row = pass * at_once + group;
    const int start = __shfl_sync(0xffffffffu, my_start, row), end = __shfl_sync(0xffffffffu, my_end, row);
    X sum = 0;
    for (int k = start + in_group; k < end; k += Lanes) sum += X(a.value[k]) * x[a.column[k]];
#pragma unroll
    for (int o = Lanes / 2; o > 0; o /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, o);
    const X theirs = __shfl_sync(0xffffffffu, sum, lane % at_once * Lanes);
    if (lane / at_once == pass) mine = theirs;
  }
  return mine;
}

/// The same by way of shared memory: a warp reads the entries of its 32 rows as one run, then each lane adds up
/// its row.
template <class T, class X>
__device__ inline X staged_rows(const CsrView<T>& a, int first, int lane, const X* __restrict__ x, X* stage) {
  constexpr int at_once = 256;
  const int own = min(first + lane, a.rows - 1);
  const int my_start = a.start[own], my_end = first + lane < a.rows ? a.start[own + 1] : my_start;
  const int all_start = __shfl_sync(0xffffffffu, my_start, 0);
  const int all_end = a.start[min(first + 32, a.rows)];
  X mine = 0;
  for (int base = all_start; base < all_end; base += at_once) {
    __syncwarp();
#pragma unroll
    for (int t = 0; t < at_once; t += 32) {
      const int k = base + t + lane;
      if (k < all_end) stage[t + lane] = X(a.value[k]) * x[a.column[k]];
    }
    __syncwarp();
    for (int k = max(my_start, base); k < min(my_end, base + at_once); ++k) mine += stage[k - base];
  }
  return mine;
}

template <class T, class X, class Then>
__global__ void __launch_bounds__(row_threads) staged_kernel(CsrView<T> a, const X* __restrict__ x, Then then) {
  __shared__ X stage[row_threads / 32][256];
  const int lane = threadIdx.x % 32;
  const int first = (blockIdx.x * row_threads + threadIdx.x) / 32 * 32;
  if (first >= a.rows) return;
  const X sum = staged_rows(a, first, lane, x, stage[threadIdx.x / 32]);
  if (first + lane < a.rows) then(index_t(first + lane), sum);
}

template <int Lanes, class T, class X, class Then>
__global__ void __launch_bounds__(row_threads) rows_kernel(CsrView<T> a, const X* __restrict__ x, Then then) {
  const int lane = threadIdx.x % 32;
  const int first = (blockIdx.x * row_threads + threadIdx.x) / 32 * 32;
  if (first >= a.rows) return;
  const X sum = warp_rows<Lanes>(a, first, lane, x);
  if (first + lane < a.rows) then(index_t(first + lane), sum);
}

template <int K, int Lanes, class T, class X, class Then>
__global__ void __launch_bounds__(row_threads) rows_sum_kernel(CsrView<T> a, const X* __restrict__ x, Then then,
                                                               double* partial, unsigned* arrived,
                                                               double* sums) {
  backend::Sums<double, K> s{};
  const int lane = threadIdx.x % 32;
  for (int first = (blockIdx.x * row_threads + threadIdx.x) / 32 * 32; first < a.rows;
       first += gridDim.x * row_threads) {
    const X sum = warp_rows<Lanes>(a, first, lane, x);
    if (first + lane < a.rows) then(index_t(first + lane), sum, s);
  }
  backend::cuda::finish_with<K, row_threads>(s, partial, arrived, backend::cuda::PostToDevice<K>{sums});
}

/// Lanes that share a row of this average length.
template <class F>
void with_row_lanes(double average, const F& f) {
  if (average > 48)
    f(std::integral_constant<int, 32>{});
  else if (average > 20)
    f(std::integral_constant<int, 16>{});
  else if (average > 9)
    f(std::integral_constant<int, 8>{});
  else if (average > 5)
    f(std::integral_constant<int, 4>{});
  else
    f(std::integral_constant<int, 2>{});
}
template <class T>
double average_row(const CsrView<T>& a) {
  return a.entries > 0 ? double(a.entries) / a.rows : 15;
}

template <int Lanes, class T, class X, class Then>
void run_rows(backend::Cuda& dev, const CsrView<T>& a, const X* x, const Then& then) {
  rows_kernel<Lanes>
      <<<unsigned((a.rows + row_threads - 1) / row_threads), row_threads, 0, dev.stream()>>>(a, x, then);
  UMOV_CUDA_CHECK(cudaGetLastError());
}

template <int K, int Lanes, class T, class X, class Then>
void run_rows_sum(backend::Cuda& dev, const CsrView<T>& a, const X* x, const Then& then, double* sums) {
  const auto t = dev.ticket();
  const int blocks = std::clamp((a.rows + row_threads - 1) / row_threads, 1, backend::cuda::reduce_blocks);
  rows_sum_kernel<K, Lanes>
      <<<unsigned(blocks), row_threads, 0, dev.stream()>>>(a, x, then, t.partial, t.arrived, sums);
  UMOV_CUDA_CHECK(cudaGetLastError());
}

}  // namespace gpu

/// See rows_then in linalg/sparse/rows.hpp.
template <class T, class X, class Then>
void rows_then(backend::Cuda& dev, const CsrView<T>& a, const X* x, const Then& then) {
  if (a.rows == 0) return;
  gpu::with_row_lanes(gpu::average_row(a),
                      [&](auto lanes) { gpu::run_rows<decltype(lanes)::value>(dev, a, x, then); });
}

/// See rows_then_sum in linalg/sparse/rows.hpp.
template <int K, class T, class X, class Then>
void rows_then_sum(backend::Cuda& dev, const CsrView<T>& a, const X* x, const Then& then, double* sums) {
  gpu::with_row_lanes(gpu::average_row(a), [&](auto lanes) {
    gpu::run_rows_sum<K, decltype(lanes)::value>(dev, a, x, then, sums);
  });
}

}  // namespace umov::sparse
