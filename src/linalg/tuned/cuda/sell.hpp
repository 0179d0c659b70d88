// SELL-C-sigma on a GPU (Kreutzer et al. 2014, SIAM J. Sci. Comput. 36, C401): slices of 32 rows stored column
// by column, rows sorted by length inside windows, so that a thread has a row and a warp reads whole lines.
#pragma once

#include "linalg/tuned/cuda/rows.hpp"

namespace umov::sparse {
namespace gpu {

inline constexpr int slice = 32;
/// Rows sorted by length together: a window's results stay in the first-level cache.
inline constexpr int window = 512;

template <class T>
struct SellView {
  int rows = 0;
  const int *start = nullptr;  // of a slice's entries
  const int *row = nullptr;    // which row a thread has; -1 past the end
  const int* column = nullptr;
  const T* value = nullptr;
};

/// Rows in the order of their slices: one block sorts a window by descending length, ties by number.
__global__ void sort_rows(int rows, const int* start, int* row);
__global__ void slice_lengths(int slices, const int* start, const int* row, int* length);

template <class T>
__global__ void fill_slices(CsrView<T> a, const int* slice_start, const int* row, int* column, T* value) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x, s = thread / slice, lane = thread % slice;
  if (s >= (a.rows + slice - 1) / slice) return;
  const int r = row[thread], n = (slice_start[s + 1] - slice_start[s]) / slice;
  const int first = r < 0 ? 0 : a.start[r], have = r < 0 ? 0 : a.start[r + 1] - first;
  for (int k = 0; k < n; ++k) {
    const int to = slice_start[s] + k * slice + lane;
    // padding reads a column that the row reads anyway
    if (column) column[to] = k < have ? a.column[first + k] : have ? a.column[first] : 0;
    value[to] = k < have ? a.value[first + k] : T(0);
  }
}

template <class T, class X>
__device__ inline X sell_row(const SellView<T>& a, int s, int lane, const X* __restrict__ x) {
  const int first = a.start[s] + lane, end = a.start[s + 1];
  X sum = 0;
#pragma unroll 4
  for (int k = first; k < end; k += slice) sum += X(__ldcs(a.value + k)) * x[__ldcs(a.column + k)];
  return sum;
}

template <class T, class X, class Then>
__global__ void __launch_bounds__(row_threads) sell_kernel(SellView<T> a, const X* __restrict__ x, Then then) {
  const int thread = blockIdx.x * row_threads + threadIdx.x, s = thread / slice;
  if (s * slice >= a.rows) return;
  const X sum = sell_row(a, s, thread % slice, x);
  const int r = a.row[thread];
  if (r >= 0) then(index_t(r), sum);
}

template <int K, class T, class X, class Then>
__global__ void __launch_bounds__(row_threads) sell_sum_kernel(SellView<T> a, const X* __restrict__ x, Then then,
                                                               double* partial, unsigned* arrived,
                                                               double* sums) {
  backend::Sums<double, K> s{};
  for (int thread = blockIdx.x * row_threads + threadIdx.x; thread / slice * slice < a.rows;
       thread += gridDim.x * row_threads) {
    const X sum = sell_row(a, thread / slice, thread % slice, x);
    const int r = a.row[thread];
    if (r >= 0) then(index_t(r), sum, s);
  }
  backend::cuda::finish_with<K, row_threads>(s, partial, arrived, backend::cuda::PostToDevice<K>{sums});
}

}  // namespace gpu

/// A matrix in slices; built from rows on the device.
template <class T>
class Sell {
 public:
  void build(backend::Cuda& dev, const CsrView<T>& a);
  void refill(backend::Cuda& dev, const CsrView<T>& a);
  std::size_t bytes() const { return start_.bytes() + row_.bytes() + column_.bytes() + value_.bytes(); }
  index_t stored() const { return index_t(value_.size()); }

  template <class X, class Then>
  void then(backend::Cuda& dev, const X* x, const Then& f) const {
    gpu::sell_kernel<<<unsigned((rows_ + gpu::row_threads - 1) / gpu::row_threads), gpu::row_threads, 0,
                       dev.stream()>>>(view(), x, f);
    UMOV_CUDA_CHECK(cudaGetLastError());
  }
  template <int K, class X, class Then>
  void then_sum(backend::Cuda& dev, const X* x, const Then& f, double* sums) const {
    const auto t = dev.ticket();
    const int blocks =
        std::clamp((rows_ + gpu::row_threads - 1) / gpu::row_threads, 1, backend::cuda::reduce_blocks);
    gpu::sell_sum_kernel<K><<<unsigned(blocks), gpu::row_threads, 0, dev.stream()>>>(view(), x, f, t.partial,
                                                                                     t.arrived, sums);
    UMOV_CUDA_CHECK(cudaGetLastError());
  }

 private:
  gpu::SellView<T> view() const { return {rows_, start_.data(), row_.data(), column_.data(), value_.data()}; }
  int rows_ = 0;
  backend::Cuda::Array<int> start_, row_, column_;
  backend::Cuda::Array<T> value_;
};

}  // namespace umov::sparse
