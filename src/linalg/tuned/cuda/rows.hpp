// Products with a matrix in rows on a GPU, followed by what is done with each row: the twins of rows_then and
// rows_then_sum in linalg/sparse/rows.hpp.
#pragma once

#include <algorithm>
#include <type_traits>
#include <vector>

#include "backend/cuda/cuda.hpp"
#include "linalg/sparse/rows.hpp"
#include "linalg/tuned/cuda/long_runs.cuh"

namespace umov::sparse {
namespace gpu {

inline constexpr int row_threads = 256;
inline constexpr int stage = 256;  ///< entries a warp takes in at once

/// sum_long_runs of products.
template <class T, class X, class Columns>
__device__ inline X long_products(const CsrView<T>& a, const LongRun& mine, const X* __restrict__ x,
                                  const Columns& columns) {
  return sum_long_runs<row_threads, X>(mine,
                                       [&](int k) { return X(a.value[k]) * columns.at(x, a.column[k]); });
}

/// Which of n ascending places holds the largest value that is not above `value`.
__device__ inline int place_of(const int* ascending, int n, int value) {
  int begin = 0, end = n;
  while (end - begin > 1) {
    const int middle = (begin + end) / 2;
    (ascending[middle] <= value ? begin : end) = middle;
  }
  return begin;
}

/// A chunk of a long row each block, for staged_rows<true>.
template <class T, class X, class Columns>
__global__ void __launch_bounds__(row_threads)
    long_rows_kernel(CsrView<T> a, const X* __restrict__ x, Columns columns) {
  const int chunk = int(blockIdx.x), i = place_of(a.long_rows.first_chunk, a.long_rows.rows, chunk);
  const int row = a.long_rows.row[i];
  const int begin = a.start[row] + (chunk - a.long_rows.first_chunk[i]) * long_row;
  const int end = min(begin + long_row, a.start[row + 1]);
  X sum = 0;
#pragma unroll
  for (int t = 0; t < long_row; t += row_threads) {
    const int k = begin + t + int(threadIdx.x);
    if (k < end) sum += X(a.value[k]) * columns.at(x, a.column[k]);
  }
  __shared__ X of_warp[row_threads / 32];
  sum = sum_of_warp(sum);
  if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x > 0) return;
  double all = 0;
  for (const X part : of_warp) all += double(part);
  a.long_rows.partial[chunk] = all;
}

/// Every lane of a warp gets the product of one row of 32 neighbouring ones: the warp reads the entries of
/// all as one run, lines whole whatever the rows' lengths, puts the products into shared memory, and each
/// lane adds up its own. A run that lies in one row is added up by all. With `Long` rows (of conductors: one
/// of 50,000 entries keeps a warp at work for 0.3 ms) are passed over; their sums are there in chunks.
template <bool Long, class T, class X, class Columns>
__device__ inline X staged_rows(const CsrView<T>& a, int first, int lane, const X* __restrict__ x,
                                const Columns& columns, X* products) {
  const int own = min(first + lane, a.rows - 1);
  const int start = a.start[own], end = first + lane < a.rows ? a.start[own + 1] : start;
  const int all_end = __shfl_sync(0xffffffffu, a.start[own + 1], 31);
  const bool is_long = Long && end - start > long_row;
  X mine = 0;
  for (int base = __shfl_sync(0xffffffffu, start, 0); base < all_end; base += stage) {
    if constexpr (Long) {
      const int over = is_long && start <= base && end >= base + stage ? (end - base) / stage * stage : 0;
      if (const int most = __reduce_max_sync(0xffffffffu, over)) {
        base += most - stage;
        continue;
      }
    }
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
    const int last = is_long ? 0 : min(end, base + stage);
    for (int k = max(start, base); k < last; ++k) mine += products[k - base];
  }
  if constexpr (Long)
    for (unsigned left = __ballot_sync(0xffffffffu, is_long); left; left &= left - 1) {
      const int who = __ffs(int(left)) - 1;
      const int i = place_of(a.long_rows.row, a.long_rows.rows, first + who);
      double sum = 0;
      for (int c = a.long_rows.first_chunk[i] + lane; c < a.long_rows.first_chunk[i + 1]; c += 32)
        sum += a.long_rows.partial[c];
      sum = sum_of_warp(sum);
      if (lane == who) mine = X(sum);
    }
  return mine;
}

template <bool Long, class T, class X, class Columns, class Then>
__global__ void __launch_bounds__(row_threads)
    staged_kernel(CsrView<T> a, const X* __restrict__ x, Columns columns, Then then) {
  __shared__ X products[row_threads / 32][stage];
  const int lane = threadIdx.x % 32;
  const int first = (blockIdx.x * row_threads + threadIdx.x) / 32 * 32;
  if (first >= a.rows) return;
  const X sum = staged_rows<Long>(a, first, lane, x, columns, products[threadIdx.x / 32]);
  if (first + lane < a.rows) then(index_t(first + lane), sum);
}

template <int K, bool Long, class T, class X, class Columns, class Then>
__global__ void __launch_bounds__(row_threads)
    staged_sum_kernel(CsrView<T> a, const X* __restrict__ x, Columns columns, Then then, double* partial,
                      unsigned* arrived, double* sums) {
  __shared__ X products[row_threads / 32][stage];
  backend::Sums<double, K> s{};
  const int lane = threadIdx.x % 32;
  for (int first = (blockIdx.x * row_threads + threadIdx.x) / 32 * 32; first < a.rows;
       first += gridDim.x * row_threads) {
    const X sum = staged_rows<Long>(a, first, lane, x, columns, products[threadIdx.x / 32]);
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

struct CountLong {
  const int* start;
  template <class S>
  UMOV_HD void operator()(index_t i, S& sums) const {
    sums.v[0] += start[i + 1] - start[i] > long_row;
  }
};

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
/// f(whether rows are passed over): true once the sums of those are on their way.
template <class T, class X, class Columns, class F>
void with_long_rows(const backend::Cuda& dev, const CsrView<T>& a, const X* x, const Columns& columns,
                    const F& f) {
  if constexpr (std::is_floating_point_v<X>)
    if (a.long_rows.chunks > 0) {
      long_rows_kernel<<<unsigned(a.long_rows.chunks), row_threads, 0, dev.stream()>>>(a, x, columns);
      return f(std::true_type{});
    }
  f(std::false_type{});
}
inline unsigned row_blocks(index_t threads) { return unsigned((threads + row_threads - 1) / row_threads); }

}  // namespace gpu

/// See find_long_rows in linalg/sparse/long_rows.hpp.
inline void find_long_rows(backend::Cuda& dev, int rows, const int* start, LongRows<backend::Cuda>& out) {
  out = {};
  if (rows < gpu::many_rows) return;  // groups of lanes leave long rows to their blocks
  const auto count = dev.map_reduce<1, double>(rows, gpu::CountLong{start});
  if (!(count.v[0] > 0)) return;
  std::vector<int> all(std::size_t(rows) + 1), row, first{0};
  dev.download(all.data(), start, all.size());
  for (int r = 0; r < rows; ++r)
    if (const int n = all[r + 1] - all[r]; n > long_row)
      row.push_back(r), first.push_back(first.back() + (n + long_row - 1) / long_row);
  out.row = dev.allocate<int>(row.size());
  out.first_chunk = dev.allocate<int>(first.size());
  out.partial = dev.allocate<double>(first.back());
  dev.upload(out.row.data(), row.data(), row.size());
  dev.upload(out.first_chunk.data(), first.data(), first.size());
}

/// See rows_then in linalg/sparse/rows.hpp.
template <class T, class X, class Columns, class Then>
void rows_then(backend::Cuda& dev, const CsrView<T>& a, const X* x, const Columns& columns,
               const Then& then) {
  using namespace gpu;
  if (a.rows == 0) return;
  if (in_runs(a))
    with_long_rows(dev, a, x, columns, [&](auto found) {
      staged_kernel<decltype(found)::value>
          <<<row_blocks(a.rows), row_threads, 0, dev.stream()>>>(a, x, columns, then);
    });
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
    with_long_rows(dev, a, x, columns, [&](auto found) {
      staged_sum_kernel<K, decltype(found)::value>
          <<<blocks(a.rows), row_threads, 0, dev.stream()>>>(a, x, columns, then, t.partial, t.arrived, sums);
    });
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
