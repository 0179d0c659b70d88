// Rows of a new matrix written in one pass, before their number of entries is known: blocks take stretches of
// a store as they come, then the rows are put in order.
#pragma once

#include "backend/cuda/cuda.hpp"
#include "linalg/sparse/csr.hpp"

namespace umov::sparse::gpu {

inline constexpr int empty = -1;
inline constexpr int todo = -1;  ///< count of a row that is not made yet

/// Lanes of one group run together and see each other's shared memory.
template <int Lanes>
struct Group {
  int lane;
  unsigned mask;
  __device__ Group()
      : lane(threadIdx.x % Lanes),
        mask(Lanes == 32 ? 0xffffffffu : ((1u << (Lanes % 32)) - 1) << (threadIdx.x % 32 / Lanes * Lanes)) {}
  __device__ void sync() const { __syncwarp(mask); }
  __device__ int sum(int v) const {
    for (int o = Lanes / 2; o > 0; o /= 2) v += __shfl_xor_sync(mask, v, o, Lanes);
    return v;
  }
  /// The lanes of this group that say yes, this group's first lane in bit 0.
  __device__ unsigned who(bool yes) const {
    const unsigned all = __ballot_sync(mask, yes);
    return Lanes == 32 ? all : (all & mask) >> (threadIdx.x % 32 / Lanes * Lanes);
  }
};

/// Where rows go: count[i] entries from place[i] on. The order of the store differs from run to run, the rows
/// do not. Rows past `capacity` are counted but not written.
template <class T>
struct Sink {
  int* count;
  unsigned* place;
  int* column;
  T* value;
  unsigned capacity;
  unsigned long long* used;
  int* left;  // set when rows remain todo
};

/// Called by all threads of a block, whose groups each bring a row of n entries (0 for none): where it goes.
template <int Lanes, int Threads>
__device__ inline unsigned long long take_stretch(int n, int lane, unsigned long long* used) {
  __shared__ int length[Threads / Lanes];
  __shared__ unsigned long long base;
  const int groups = blockDim.x / Lanes, mine = threadIdx.x / Lanes;
  if (lane == 0) length[mine] = n;
  __syncthreads();
  if (threadIdx.x == 0) {
    int all = 0;
    for (int k = 0; k < groups; ++k) all += length[k];
    base = all ? atomicAdd(used, (unsigned long long)all) : 0;
  }
  __syncthreads();
  unsigned long long at = base;
  for (int k = 0; k < mine; ++k) at += length[k];
  return at;
}

template <class T>
struct CopyRows {  // eight threads to a row
  const int* start;
  const unsigned* place;
  const int* from_column;
  const T* from_value;
  int* column;
  T* value;
  UMOV_HD void operator()(index_t at) const {
    const index_t i = at / 8;
    for (int k = int(at % 8); k < start[i + 1] - start[i]; k += 8) {
      column[start[i] + k] = from_column[place[i] + k];
      value[start[i] + k] = from_value[place[i] + k];
    }
  }
};

/// Makes a matrix: make(sink) launches until no row is left; called again with a larger store when the first
/// guess was too small.
template <class T, class Make>
Csr<backend::Cuda, T> collect_rows(backend::Cuda& dev, int rows, int columns, index_t guess,
                                   const Make& make) {
  Csr<backend::Cuda, T> c;
  c.rows = rows, c.columns = columns;
  c.start = dev.allocate<int>(std::size_t(rows) + 1);
  dev.fill_zero(c.start.data(), std::size_t(rows) + 1);
  if (rows == 0) return c;
  auto place = dev.allocate<unsigned>(rows);
  auto used = dev.allocate<unsigned long long>(1);
  auto left = dev.allocate<int>(1);
  unsigned long long entries = 0;
  backend::Cuda::Array<int> column;
  backend::Cuda::Array<T> value;
  for (bool fits = false; !fits;) {
    column = dev.allocate<int>(std::size_t(guess));
    value = dev.allocate<T>(std::size_t(guess));
    UMOV_CUDA_CHECK(cudaMemsetAsync(c.start.data(), 0xff, rows * sizeof(int), dev.stream()));
    dev.fill_zero(used.data(), 1);
    make(Sink<T>{c.start.data(), place.data(), column.data(), value.data(), unsigned(guess), used.data(),
                 left.data()});
    dev.download(&entries, used.data(), 1);
    if (entries > 2147483647)
      throw MachineFailure("a product of sparse matrices has " + std::to_string(entries) +
                           " entries (at most 2147483647 fit); use a coarser mesh");
    fits = index_t(entries) <= guess;
    if (!fits) guess = index_t(entries);
  }
  backend::cuda::exclusive_scan(c.start.data(), index_t(rows) + 1, dev.stream());
  c.column = dev.allocate<int>(entries);
  c.value = dev.allocate<T>(entries);
  dev.for_each(index_t(rows) * 8, CopyRows<T>{c.start.data(), place.data(), column.data(), value.data(),
                                              c.column.data(), c.value.data()});
  return c;
}

}  // namespace umov::sparse::gpu
