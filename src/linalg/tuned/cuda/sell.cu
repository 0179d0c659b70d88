// Building slices of rows on a GPU.
#include "linalg/tuned/cuda/sell.hpp"

namespace umov::sparse {
namespace gpu {

__global__ void sort_rows(int rows, const int* start, int* row) {
  __shared__ int length[window];
  const int first = blockIdx.x * window, me = threadIdx.x, r = first + me;
  length[me] = r < rows ? start[r + 1] - start[r] : -1;
  __syncthreads();
  int rank = 0;
  for (int o = 0; o < window; ++o) rank += length[o] > length[me] || (length[o] == length[me] && o < me);
  row[first + rank] = r < rows ? r : -1;
}

__global__ void slice_lengths(int slices, const int* start, const int* row, int* length) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x, s = thread / slice;
  if (s >= slices) return;
  const int r = row[thread];
  int n = r < 0 ? 0 : start[r + 1] - start[r];
  for (int o = 16; o > 0; o /= 2) n = max(n, __shfl_xor_sync(0xffffffffu, n, o));
  if (thread % slice == 0) length[s] = n * slice;
}

}  // namespace gpu

template <class T>
void Sell<T>::build(backend::Cuda& dev, const CsrView<T>& a) {
  rows_ = a.rows;
  const int windows = (a.rows + gpu::window - 1) / gpu::window, slices = (a.rows + gpu::slice - 1) / gpu::slice;
  row_ = dev.template allocate<int>(std::size_t(windows) * gpu::window);
  start_ = dev.template allocate<int>(std::size_t(slices) + 1);
  dev.fill_zero(start_.data() + slices, 1);
  if (!slices) return;
  gpu::sort_rows<<<unsigned(windows), gpu::window, 0, dev.stream()>>>(a.rows, a.start, row_.data());
  UMOV_CUDA_CHECK(cudaGetLastError());
  gpu::slice_lengths<<<unsigned((slices + 7) / 8), 256, 0, dev.stream()>>>(slices, a.start, row_.data(),
                                                                           start_.data());
  UMOV_CUDA_CHECK(cudaGetLastError());
  const index_t stored = dev.exclusive_scan(start_.data(), index_t(slices) + 1);
  if (stored > 2147483647) throw MachineFailure("a matrix is too large for slices; use a coarser mesh");
  column_ = dev.template allocate<int>(std::size_t(stored));
  value_ = dev.template allocate<T>(std::size_t(stored));
  gpu::fill_slices<T><<<unsigned((slices + 7) / 8), 256, 0, dev.stream()>>>(a, start_.data(), row_.data(),
                                                                            column_.data(), value_.data());
  UMOV_CUDA_CHECK(cudaGetLastError());
}

template <class T>
void Sell<T>::refill(backend::Cuda& dev, const CsrView<T>& a) {
  const int slices = (a.rows + gpu::slice - 1) / gpu::slice;
  if (!slices) return;
  gpu::fill_slices<T><<<unsigned((slices + 7) / 8), 256, 0, dev.stream()>>>(a, start_.data(), row_.data(), nullptr,
                                                                            value_.data());
  UMOV_CUDA_CHECK(cudaGetLastError());
}

template class Sell<float>;
template class Sell<double>;

}  // namespace umov::sparse
