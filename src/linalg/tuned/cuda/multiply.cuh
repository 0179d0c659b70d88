// The rows of a sparse product by hash tables in shared memory (Nagasaka, Nukada, Matsuoka 2017,
// doi:10.1109/ICPP.2017.19), arranged so that every sum has a fixed order: a group of lanes goes through one
// row of A entry by entry, and the lanes share one row of B, whose columns differ.
#pragma once

#include "linalg/tuned/cuda/row_sink.cuh"
#include "linalg/tuned/cuda/tables.hpp"

namespace umov::sparse::gpu {

/// A table of `size` (a power of two) columns; -1 from insert when it is full.
struct Table {
  int* key;
  int size;
  __device__ int first(int column) const { return int((unsigned(column) * 2654435769u) >> 7) & (size - 1); }
  __device__ int insert(int column, bool& fresh) const {
    int h = first(column);
    for (int tries = 0; tries < size; ++tries) {
      const int there = key[h];
      if (there == column) return h;
      if (there == empty) {
        const int old = atomicCAS(key + h, empty, column);
        if (old == empty) fresh = true;
        if (old == empty || old == column) return h;
      }
      h = (h + 1) & (size - 1);
    }
    return -1;
  }
  /// Of a column that is there.
  __device__ int find(int column) const {
    int h = first(column);
    while (key[h] != column) h = (h + 1) & (size - 1);
    return h;
  }
};

/// Sets `words` words, a multiple of 4, 16 bytes at a time.
template <int Lanes>
__device__ inline void set_words(const Group<Lanes>& g, int* to, int words, int value) {
  int4* wide = reinterpret_cast<int4*>(to);
  for (int h = g.lane; h < words / 4; h += Lanes) wide[h] = make_int4(value, value, value, value);
}

/// Which rows a launch takes: those whose count lies in (above, most].
struct Range {
  int above, most;
  __device__ bool has(int n) const { return n > above && n <= most; }
};

/// add(column, product) for every entry of row i of A times every entry of B's row that it meets; the lanes
/// are together again before the next row of B, and `go_on()` (by all) is asked every few rows. Loads of four
/// rows of B are under way at a time: their latency is what this takes.
template <int Lanes, class T, class Add, class GoOn>
__device__ inline void each_product(const Group<Lanes>& g, const CsrView<T>& a, const CsrView<T>& b, int i,
                                    const Add& add, const GoOn& go_on) {
  constexpr int ahead = 4;
  const int end = a.start[i + 1];
  for (int k0 = a.start[i]; k0 < end; k0 += Lanes) {
    int my_first = 0, my_last = 0;
    T my_value = 0;
    if (k0 + g.lane < end) {
      const int j = a.column[k0 + g.lane];
      my_value = a.value[k0 + g.lane];
      my_first = b.start[j], my_last = b.start[j + 1];
    }
    const int steps = min(Lanes, end - k0);
    for (int t0 = 0; t0 < steps; t0 += ahead) {
      int m[ahead], last[ahead], c[ahead];
      T v[ahead], w[ahead];
#pragma unroll
      for (int u = 0; u < ahead; ++u) {
        m[u] = __shfl_sync(g.mask, my_first, t0 + u, Lanes) + g.lane;
        last[u] = __shfl_sync(g.mask, my_last, t0 + u, Lanes);
        v[u] = __shfl_sync(g.mask, my_value, t0 + u, Lanes);
        c[u] = empty, w[u] = 0;
        if (m[u] < last[u]) c[u] = b.column[m[u]], w[u] = b.value[m[u]];
      }
#pragma unroll
      for (int u = 0; u < ahead; ++u) {
        if (c[u] != empty) add(c[u], v[u] * w[u]);
        for (m[u] += Lanes; m[u] < last[u]; m[u] += Lanes) add(b.column[m[u]], v[u] * b.value[m[u]]);
        g.sync();
      }
    }
    if (!go_on()) return;
  }
}

/// Rows that are todo, with tables of `size` columns of which `limit` may be taken; rows with more stay todo.
/// Columns ascend.
template <int Lanes, class T>
__global__ void __launch_bounds__(threads)
    make_rows(CsrView<T> a, CsrView<T> b, int size, int limit, Sink<T> sink, char* global_work) {
  extern __shared__ int shared[];
  const Group<Lanes> g;
  const int groups = blockDim.x / Lanes, mine = threadIdx.x / Lanes;
  const size_t bytes = size_t(size) * (sizeof(int) + sizeof(T));
  char* base = global_work ? global_work + (blockIdx.x * groups + mine) * bytes
                           : reinterpret_cast<char*>(shared) + mine * bytes;
  T* value = reinterpret_cast<T*>(base);
  int* key = reinterpret_cast<int*>(value + size);
  const Table table{key, size};
  // all groups of a block go round together: they take their places together
  for (int i0 = blockIdx.x * groups; i0 < a.rows; i0 += gridDim.x * groups) {
    const int i = i0 + mine;
    const bool work = i < a.rows && sink.count[i] == todo;
    int n = 0;
    bool over = false;
    if (work) {
      set_words(g, key, size, empty);
      set_words(g, reinterpret_cast<int*>(value), size * int(sizeof(T) / sizeof(int)), 0);
      g.sync();
      int found = 0;
      each_product(
          g, a, b, i,
          [&](int column, T product) {
            bool fresh = false;
            const int h = table.insert(column, fresh);
            if (h >= 0)
              value[h] += product;
            else
              over = true;
            found += fresh;
          },
          [&] {
            const int all = g.sum(found);
            over = all > limit || g.who(over) != 0;
            return !over;
          });
      if (!over) {
        // pack columns and values to the front
        for (int h0 = 0; h0 < size; h0 += Lanes) {
          const int c = key[h0 + g.lane];
          const T v = value[h0 + g.lane];
          const unsigned who = g.who(c != empty);
          if (c != empty) {
            const int place = n + __popc(who & ((1u << g.lane) - 1));
            key[place] = c, value[place] = v;
          }
          n += __popc(who);
          g.sync();
        }
      } else if (g.lane == 0) {
        *sink.left = 1;
      }
    }
    const unsigned long long to = take_stretch<Lanes, threads>(n, g.lane, sink.used);
    if (work && !over) {
      if (g.lane == 0) sink.count[i] = n, sink.place[i] = unsigned(to);
      if (to + n <= sink.capacity)
        for (int p = g.lane; p < n; p += Lanes) {
          const int c = key[p];
          int rank = 0;
#pragma unroll 4
          for (int q = 0; q < n; ++q) rank += key[q] < c;
          sink.column[to + rank] = c;
          sink.value[to + rank] = value[p];
        }
    }
    __syncthreads();
  }
}

/// Values of the rows whose number of entries lies in `range`, their columns known.
template <int Lanes, class T>
__global__ void __launch_bounds__(threads)
    refill_rows(CsrView<T> a, CsrView<T> b, const int* __restrict__ c_start, const int* __restrict__ c_column,
                T* __restrict__ c_value, int size, Range range, char* global_work) {
  extern __shared__ int shared[];
  const Group<Lanes> g;
  const int groups = blockDim.x / Lanes, mine = threadIdx.x / Lanes;
  const size_t bytes = size_t(size) * (sizeof(int) + sizeof(T));
  char* base = global_work ? global_work + (blockIdx.x * groups + mine) * bytes
                           : reinterpret_cast<char*>(shared) + mine * bytes;
  T* value = reinterpret_cast<T*>(base);
  int* key = reinterpret_cast<int*>(value + size);
  const Table table{key, size};
  for (int i = blockIdx.x * groups + mine; i < a.rows; i += gridDim.x * groups) {
    const int c0 = c_start[i], n = c_start[i + 1] - c0;
    if (!range.has(n)) continue;
    set_words(g, key, size, empty);
    set_words(g, reinterpret_cast<int*>(value), size * int(sizeof(T) / sizeof(int)), 0);
    g.sync();
    for (int p = g.lane; p < n; p += Lanes) {
      bool fresh;
      table.insert(c_column[c0 + p], fresh);
    }
    g.sync();
    each_product(
        g, a, b, i, [&](int column, T product) { value[table.find(column)] += product; },
        [] { return true; });
    for (int p = g.lane; p < n; p += Lanes) c_value[c0 + p] = value[table.find(c_column[c0 + p])];
    g.sync();
  }
}

}  // namespace umov::sparse::gpu
