// The rows of a sparse product by hash tables in shared memory (Nagasaka, Nukada, Matsuoka 2017,
// doi:10.1109/ICPP.2017.19), arranged so that every sum has a fixed order: a group of lanes goes through one
// row of A entry by entry, and the lanes share one row of B, whose columns differ.
#pragma once

#include "linalg/sparse/csr.hpp"

namespace umov::sparse::gpu {

inline constexpr int threads = 128;
inline constexpr int empty = -1;

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
  /// Sum over the lanes before this one.
  __device__ int before(int v) const {
    int s = v;
    for (int o = 1; o < Lanes; o *= 2) {
      const int other = __shfl_up_sync(mask, s, o, Lanes);
      if (lane >= o) s += other;
    }
    return s - v;
  }
};

/// A table of `size` (a power of two) columns; -2 from insert when it is full.
struct Table {
  int* key;
  int size;
  __device__ int first(int column) const { return int((unsigned(column) * 2654435769u) >> 7) & (size - 1); }
  __device__ int insert(int column, bool& fresh) const {
    int h = first(column);
    for (int tries = 0; tries < size; ++tries) {
      const int old = key[h] == column ? column : atomicCAS(key + h, empty, column);
      fresh = old == empty;
      if (fresh || old == column) return h;
      h = (h + 1) & (size - 1);
    }
    fresh = false;
    return -2;
  }
};

/// The entries k of one row of A with the rows of B they meet, loaded by the lanes ahead of their use.
template <int Lanes>
struct Ahead {
  int column, first, last;
  __device__ Ahead(int k, int end, const int* __restrict__ a_column, const int* __restrict__ b_start)
      : column(0), first(0), last(0) {
    if (k >= end) return;
    column = a_column[k];
    first = b_start[column], last = b_start[column + 1];
  }
};

/// Which rows a launch takes: those whose count lies in (above, most].
struct Range {
  int above, most;
  __device__ bool has(int n) const { return n > above && n <= most; }
};

/// count[i] = entries of row i of A B, or -1 when they exceed `limit` (then *overflow is set). Only rows with
/// count == -1 are looked at: the caller begins with all.
template <int Lanes>
__global__ void __launch_bounds__(threads)
    count_rows(int rows, const int* __restrict__ a_start, const int* __restrict__ a_column,
               const int* __restrict__ b_start, const int* __restrict__ b_column, int size, int limit,
               int* __restrict__ count, int* overflow, int* global_keys) {
  extern __shared__ int shared[];
  const Group<Lanes> g;
  const int groups = blockDim.x / Lanes, mine = threadIdx.x / Lanes;
  int* key = global_keys ? global_keys + size_t(blockIdx.x * groups + mine) * size : shared + mine * size;
  const Table table{key, size};
  for (int i = blockIdx.x * groups + mine; i < rows; i += gridDim.x * groups) {
    if (count[i] != -1) continue;
    for (int h = g.lane; h < size; h += Lanes) key[h] = empty;
    g.sync();
    int found = 0;
    bool full = false;
    const int end = a_start[i + 1];
    for (int k0 = a_start[i]; k0 < end && !full; k0 += Lanes) {
      const Ahead<Lanes> ahead(k0 + g.lane, end, a_column, b_start);
      const int steps = min(Lanes, end - k0);
      for (int t = 0; t < steps && !full; ++t) {
        const int last = __shfl_sync(g.mask, ahead.last, t, Lanes);
        for (int m = __shfl_sync(g.mask, ahead.first, t, Lanes) + g.lane; m < last; m += Lanes) {
          bool fresh;
          full |= table.insert(b_column[m], fresh) < 0;
          found += fresh;
        }
        // the table must not fill up unseen: the lanes look together now and then
        full = (t & 7) == 7 ? g.sum(found) > limit || g.sum(full) > 0 : __any_sync(g.mask, full);
      }
    }
    const int all = g.sum(found), bad = g.sum(full);
    if (g.lane == 0) {
      const bool over = bad > 0 || all > limit;
      count[i] = over ? -1 : all;
      if (over) *overflow = 1;
    }
    g.sync();
  }
}

/// Columns and values of the rows whose number of entries lies in `range`; columns ascending.
template <int Lanes, class T>
__global__ void __launch_bounds__(threads)
    fill_rows(int rows, CsrView<T> a, CsrView<T> b, const int* __restrict__ c_start, int* __restrict__ c_column,
              T* __restrict__ c_value, int size, Range range, char* global_work) {
  extern __shared__ int shared[];
  const Group<Lanes> g;
  const int groups = blockDim.x / Lanes, mine = threadIdx.x / Lanes;
  const size_t bytes = size_t(size) * (2 * sizeof(int) + sizeof(T));
  char* base = global_work ? global_work + (blockIdx.x * groups + mine) * bytes
                           : reinterpret_cast<char*>(shared) + mine * bytes;
  T* value = reinterpret_cast<T*>(base);
  int* key = reinterpret_cast<int*>(value + size);
  int* packed = key + size;
  const Table table{key, size};
  for (int i = blockIdx.x * groups + mine; i < rows; i += gridDim.x * groups) {
    const int c0 = c_start[i], n = c_start[i + 1] - c0;
    if (!range.has(n)) continue;
    for (int h = g.lane; h < size; h += Lanes) key[h] = empty, value[h] = 0;
    g.sync();
    const int end = a.start[i + 1];
    for (int k0 = a.start[i]; k0 < end; k0 += Lanes) {
      const Ahead<Lanes> ahead(k0 + g.lane, end, a.column, b.start);
      const T a_value = k0 + g.lane < end ? a.value[k0 + g.lane] : T(0);
      const int steps = min(Lanes, end - k0);
      for (int t = 0; t < steps; ++t) {
        const T v = __shfl_sync(g.mask, a_value, t, Lanes);
        const int last = __shfl_sync(g.mask, ahead.last, t, Lanes);
        for (int m = __shfl_sync(g.mask, ahead.first, t, Lanes) + g.lane; m < last; m += Lanes) {
          bool fresh;
          const int h = table.insert(b.column[m], fresh);
          value[h] += v * b.value[m];
        }
        g.sync();
      }
    }
    // pack the columns, then give each its rank among them
    int filled = 0;
    for (int h0 = 0; h0 < size; h0 += Lanes) {
      const int c = key[h0 + g.lane];
      const int place = filled + g.before(c != empty);
      if (c != empty) packed[place] = h0 + g.lane;
      filled += g.sum(c != empty);
    }
    g.sync();
    for (int p = g.lane; p < n; p += Lanes) {
      const int h = packed[p], c = key[h];
      int rank = 0;
      for (int q = 0; q < n; ++q) rank += key[packed[q]] < c;
      c_column[c0 + rank] = c;
      c_value[c0 + rank] = value[h];
    }
    g.sync();
  }
}

/// Values of the rows whose number of entries lies in `range`, their columns known.
template <int Lanes, class T>
__global__ void __launch_bounds__(threads)
    refill_rows(int rows, CsrView<T> a, CsrView<T> b, const int* __restrict__ c_start,
                const int* __restrict__ c_column, T* __restrict__ c_value, int size, Range range,
                char* global_work) {
  extern __shared__ int shared[];
  const Group<Lanes> g;
  const int groups = blockDim.x / Lanes, mine = threadIdx.x / Lanes;
  const size_t bytes = size_t(size) * (sizeof(int) + sizeof(T));
  char* base = global_work ? global_work + (blockIdx.x * groups + mine) * bytes
                           : reinterpret_cast<char*>(shared) + mine * bytes;
  T* value = reinterpret_cast<T*>(base);
  int* key = reinterpret_cast<int*>(value + size);
  const Table table{key, size};
  for (int i = blockIdx.x * groups + mine; i < rows; i += gridDim.x * groups) {
    const int c0 = c_start[i], n = c_start[i + 1] - c0;
    if (!range.has(n)) continue;
    for (int h = g.lane; h < size; h += Lanes) key[h] = empty, value[h] = 0;
    g.sync();
    for (int p = g.lane; p < n; p += Lanes) {
      bool fresh;
      table.insert(c_column[c0 + p], fresh);
    }
    g.sync();
    const int end = a.start[i + 1];
    for (int k0 = a.start[i]; k0 < end; k0 += Lanes) {
      const Ahead<Lanes> ahead(k0 + g.lane, end, a.column, b.start);
      const T a_value = k0 + g.lane < end ? a.value[k0 + g.lane] : T(0);
      const int steps = min(Lanes, end - k0);
      for (int t = 0; t < steps; ++t) {
        const T v = __shfl_sync(g.mask, a_value, t, Lanes);
        const int last = __shfl_sync(g.mask, ahead.last, t, Lanes);
        for (int m = __shfl_sync(g.mask, ahead.first, t, Lanes) + g.lane; m < last; m += Lanes) {
          const int c = b.column[m];
          int h = table.first(c);
          while (key[h] != c) h = (h + 1) & (size - 1);
          value[h] += v * b.value[m];
        }
        g.sync();
      }
    }
    for (int p = g.lane; p < n; p += Lanes) {
      const int c = c_column[c0 + p];
      int h = table.first(c);
      while (key[h] != c) h = (h + 1) & (size - 1);
      c_value[c0 + p] = value[h];
    }
    g.sync();
  }
}

}  // namespace umov::sparse::gpu
