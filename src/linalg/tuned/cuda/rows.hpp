// Products with a matrix in rows on a GPU, followed by what is done with each row: the twins of rows_then and
// rows_then_sum in linalg/sparse/rows.hpp.
#pragma once

#include <algorithm>

#include "backend/cuda/cuda.hpp"
#include "linalg/sparse/rows.hpp"
#include "linalg/tuned/cuda/long_runs.cuh"

namespace umov::sparse {
namespace gpu {

inline constexpr int row_threads = 256;
inline constexpr int stage = 256;      ///< entries a warp takes in at once
inline constexpr int long_row = 1024;  ///< entries from which on no group of lanes adds up a row

/// sum_long_runs of products.
template <class T, class X, class Columns>
__device__ inline X long_products(const CsrView<T>& a, const LongRun& mine, const X* __restrict__ x,
                                  const Columns& columns) {
  return sum_long_runs<row_threads, X>(mine,
                                       [&](int k) { return X(a.value[k]) * columns.at(x, a.column[k]); });
}

/// Every lane of a warp gets the product of one row of 32 neighbouring ones: the warp reads the entries of
/// all as one run, lines whole whatever the rows' lengths, puts the products into shared memory, and each
/// lane adds up its own. A run that lies in one row (of a conductor, say) is added up by all.
template <class T, class X, class Columns>
__device__ inline X staged_rows(const CsrView<T>& a, int first, int lane, const X* __restrict__ x,
                                const Columns& columns, X* products) {
  const int own = min(first + lane, a.rows - 1);
  const int start = a.start[own], end = first + lane < a.rows ? a.start[own + 1] : start;
  const int all_end = __shfl_sync(0xffffffffu, a.start[own + 1], 31);
  X mine = 0;
  for (int base = __shfl_sync(0xffffffffu, start, 0); base < all_end; base += stage) {
    X part = 0;
    __syncwarp();
#pragma unroll
    for (int t = 0; t < stage; t += 32) {
      const int k = base + t + lane;
      const X v = k < all_end ? X(a.value[k]) * columns.at(x, a.column[k]) : X(0);
      products[t + lane] = v;
      part += v;
    }
    const bool whole = start <= base && end >= base + stage;
    if (__any_sync(0xffffffffu, whole)) {
      for (int o = 16; o > 0; o /= 2) part += __shfl_xor_sync(0xffffffffu, part, o);
      if (whole) mine += part;
      continue;
    }
    __syncwarp();
    const int last = min(end, base + stage);
    for (int k = max(start, base); k < last; ++k) mine += products[k - base];
  }
  return mine;
}

template <class T, class X, class Columns, class Then>
__global__ void __launch_bounds__(row_threads)
    staged_kernel(CsrView<T> a, const X* __restrict__ x, Columns columns, Then then) {
  __shared__ X products[row_threads / 32][stage];
  const int lane = threadIdx.x % 32;
  const int first = (blockIdx.x * row_threads + threadIdx.x) / 32 * 32;
  if (first >= a.rows) return;
  const X sum = staged_rows(a, first, lane, x, columns, products[threadIdx.x / 32]);
  if (first + lane < a.rows) then(index_t(first + lane), sum);
}

template <int K, class T, class X, class Columns, class Then>
__global__ void __launch_bounds__(row_threads)
    staged_sum_kernel(CsrView<T> a, const X* __restrict__ x, Columns columns, Then then, double* partial,
                      unsigned* arrived, double* sums) {
  __shared__ X products[row_threads / 32][stage];
  backend::Sums<double, K> s{};
  const int lane = threadIdx.x % 32;
  for (int first = (blockIdx.x * row_threads + threadIdx.x) / 32 * 32; first < a.rows;
       first += gridDim.x * row_threads) {
    const X sum = staged_rows(a, first, lane, x, columns, products[threadIdx.x / 32]);
    if (first + lane < a.rows) then(index_t(first + lane), sum, s);
  }
  backend::cuda::finish_with<K, row_threads>(s, partial, arrived, backend::cuda::PostToDevice<K>{sums});
}

/// Small matrices: a group of lanes has one row, so that every multiprocessor has some; long rows are the
/// block's. All threads of a block take part; the first lane of a group gets the sum.
template <int Lanes, class T, class X, class Columns>
__device__ inline X lanes_row(const CsrView<T>& a, int row, int in_group, const X* __restrict__ x,
                              const Columns& columns) {
  constexpr int most = 32 * Lanes < long_row ? 32 * Lanes : long_row;
  const int start = a.start[min(row, a.rows)], end = a.start[min(row + 1, a.rows)];
  X sum = 0;
  LongRun left;
  if (end - start > most) {
    if (in_group == 0) left = {start, end};
  } else {
#pragma unroll 4
    for (int k = start + in_group; k < end; k += Lanes) sum += X(a.value[k]) * columns.at(x, a.column[k]);
  }
#pragma unroll
  for (int o = Lanes / 2; o > 0; o /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, o);
  return sum + long_products(a, left, x, columns);
}

template <int Lanes, class T, class X, class Columns, class Then>
__global__ void __launch_bounds__(row_threads)
    lanes_kernel(CsrView<T> a, const X* __restrict__ x, Columns columns, Then then) {
  const int row = (blockIdx.x * row_threads + threadIdx.x) / Lanes, in_group = threadIdx.x % Lanes;
  const X sum = lanes_row<Lanes>(a, row, in_group, x, columns);
  if (in_group == 0 && row < a.rows) then(index_t(row), sum);
}

template <int K, int Lanes, class T, class X, class Columns, class Then>
__global__ void __launch_bounds__(row_threads)
    lanes_sum_kernel(CsrView<T> a, const X* __restrict__ x, Columns columns, Then then, double* partial,
                     unsigned* arrived, double* sums) {
  backend::Sums<double, K> s{};
  const int in_group = threadIdx.x % Lanes;
  for (int base = blockIdx.x * row_threads; base / Lanes < a.rows; base += gridDim.x * row_threads) {
    const int row = (base + int(threadIdx.x)) / Lanes;
    const X sum = lanes_row<Lanes>(a, row, in_group, x, columns);
    if (in_group == 0 && row < a.rows) then(index_t(row), sum, s);
  }
  backend::cuda::finish_with<K, row_threads>(s, partial, arrived, backend::cuda::PostToDevice<K>{sums});
}

/// Below this many rows a warp of 32 rows leaves multiprocessors without work.
inline constexpr int many_rows = 60000;

template <class T>
double average_row(const CsrView<T>& a) {
  return a.entries > 0 ? double(a.entries) / a.rows : 15;
}
template <class T>
bool in_runs(const CsrView<T>& a) {
  return a.rows >= many_rows && average_row(a) < 32;
}
/// Lanes that share a row of this average length.
template <class F>
void with_row_lanes(double average, const F& f) {
  if (average > 80)
    f(std::integral_constant<int, 32>{});
  else if (average > 24)
    f(std::integral_constant<int, 16>{});
  else if (average > 6)
    f(std::integral_constant<int, 8>{});
  else
    f(std::integral_constant<int, 2>{});
}
inline unsigned row_blocks(index_t threads) { return unsigned((threads + row_threads - 1) / row_threads); }

}  // namespace gpu

/// See rows_then in linalg/sparse/rows.hpp.
template <class T, class X, class Columns, class Then>
void rows_then(backend::Cuda& dev, const CsrView<T>& a, const X* x, const Columns& columns,
               const Then& then) {
  using namespace gpu;
  if (a.rows == 0) return;
  if (in_runs(a))
    staged_kernel<<<row_blocks(a.rows), row_threads, 0, dev.stream()>>>(a, x, columns, then);
  else
    with_row_lanes(average_row(a), [&](auto lanes) {
      constexpr int L = decltype(lanes)::value;
      lanes_kernel<L><<<row_blocks(index_t(a.rows) * L), row_threads, 0, dev.stream()>>>(a, x, columns, then);
    });
  UMOV_CUDA_CHECK(cudaGetLastError());
}
template <class T, class X, class Then>
void rows_then(backend::Cuda& dev, const CsrView<T>& a, const X* x, const Then& then) {
  rows_then(dev, a, x, AllColumns{}, then);
}

/// See rows_then_sum in linalg/sparse/rows.hpp.
template <int K, class T, class X, class Columns, class Then>
void rows_then_sum(backend::Cuda& dev, const CsrView<T>& a, const X* x, const Columns& columns,
                   const Then& then, double* sums) {
  using namespace gpu;
  const auto t = dev.ticket();
  // as many blocks as there is room for partial sums
  constexpr unsigned most = backend::cuda::reduce_blocks * (backend::cuda::most_sums / K);
  const auto blocks = [](index_t threads) { return std::clamp(row_blocks(threads), 1u, unsigned{most}); };
  if (in_runs(a))
    staged_sum_kernel<K>
        <<<blocks(a.rows), row_threads, 0, dev.stream()>>>(a, x, columns, then, t.partial, t.arrived, sums);
  else
    with_row_lanes(average_row(a), [&](auto lanes) {
      constexpr int L = decltype(lanes)::value;
      lanes_sum_kernel<K, L><<<blocks(index_t(a.rows) * L), row_threads, 0, dev.stream()>>>(
          a, x, columns, then, t.partial, t.arrived, sums);
    });
  UMOV_CUDA_CHECK(cudaGetLastError());
}
template <int K, class T, class X, class Then>
void rows_then_sum(backend::Cuda& dev, const CsrView<T>& a, const X* x, const Then& then, double* sums) {
  rows_then_sum<K>(dev, a, x, AllColumns{}, then, sums);
}

}  // namespace umov::sparse
