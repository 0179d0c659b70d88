// One block's share of a small two-dimensional grid in shared memory, and its parts of a time step.
#pragma once

#include <cooperative_groups.h>

#include "fdtd/tuned/cuda/cell_update.cuh"
#include "fdtd/tuned/cuda/on_chip.hpp"

namespace umov::fdtd::tuned::on_chip {

constexpr int threads = 1024;

/// What one block holds. Pointers in `view` are shifted, so that indices of the whole grid reach its rows;
/// the rows above and below are copies that the neighbours keep up to date.
template <class T>
struct Stretch {
  SweepView<T> view;
  T* fields[most_in_cluster][components];  ///< of every block of the cluster, shifted
};

/// Hands out shared memory piece by piece, in units of 16 bytes; all threads do the same.
struct SharedAllocator {
  char* next;
  template <class V>
  __device__ V* take(index_t n) {
    V* const p = reinterpret_cast<V*>(next);
    next += (n * sizeof(V) + 15) / 16 * 16;
    return p;
  }
};

template <class V>
__device__ void copy(V* to, const V* from, index_t n) {
  for (index_t i = threadIdx.x; i < n; i += threads) to[i] = from[i];
}

/// One block at work.
template <Mode M, class T>
class Block {
 public:
  __device__ Block(const StepWork<T>& work, int rows, char* memory)
      : w(work),
        own(*reinterpret_cast<Stretch<T>*>(memory)),
        rows_per_block(rows),
        rank(int(blockIdx.x)),
        first_row(rank * rows),
        last_row(min(first_row + rows, work.n[1])) {
    shared.next = memory + (sizeof(Stretch<T>) + 15) / 16 * 16;
  }

  __device__ void load() {
    if (threadIdx.x == 0) own.view = w.view;
    __syncthreads();
    const index_t size = w.view.pitch * (rows_per_block + 2),
                  held = w.view.pitch * (last_row - first_row + 2);
    for (int c = 0; c < components; ++c) {
      if (!has_component(M, c)) continue;
      T* const field = shared.take<T>(size);
      copy(field, w.view.f[c] + start(rank), held);
      // the same place in all blocks
      if (threadIdx.x < gridDim.x)
        own.fields[threadIdx.x][c] = in_block(field, threadIdx.x) - start(threadIdx.x);
      if (threadIdx.x == 0) own.view.f[c] = field - start(rank);
      if (w.view.narrow[c]) {
        auto* const ids = shared.take<std::uint8_t>(size);
        copy(ids, w.view.narrow[c] + start(rank), held);
        if (threadIdx.x == 0) own.view.narrow[c] = ids - start(rank);
      }
    }
    T *const decay = shared.take<T>(w.media), *const drive = shared.take<T>(w.media);
    copy(decay, w.view.decay_table, w.media);
    copy(drive, w.view.drive_table, w.media);
    if (threadIdx.x == 0) own.view.decay_table = decay, own.view.drive_table = drive;
    each_layer([&](const LayerView<T>& l, LayerView<T>& mine, index_t begin, index_t n) {
      T *const table = shared.take<T>(3 * l.layers), *const psi = shared.take<T>(n);
      copy(table, l.table, 3 * l.layers);
      copy(psi, l.psi + begin, n);
      if (threadIdx.x == 0) mine.table = table, mine.psi = psi - begin;
    });
  }

  __device__ void store() {
    const index_t begin = w.view.base + w.view.pitch * first_row, n = w.view.pitch * (last_row - first_row);
    for (int c = 0; c < components; ++c)
      if (has_component(M, c))
        for (index_t i = threadIdx.x; i < n; i += threads)
          if (i % w.view.pitch < w.n[0]) w.view.f[c][begin + i] = own.view.f[c][begin + i];
    each_layer([&](const LayerView<T>& l, LayerView<T>& mine, index_t from, index_t size) {
      copy(l.psi + from, mine.psi + from, size);
    });
  }

  __device__ void cluster_barrier() {
#if __CUDA_ARCH__ >= 900
    asm volatile("barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;" ::
                     : "memory");
#else
    __syncthreads();  // one block has all rows
#endif
  }

  template <bool Electric>
  __device__ void sweep() {
    const int lane = threadIdx.x % 32, across = (w.n[0] + 31) / 32, count = across * (last_row - first_row);
    for (int s = threadIdx.x / 32; s < count; s += threads / 32) {
      const int row = s / across, i = (s - row * across) * 32 + lane, j = first_row + row;
      if (i >= w.n[0]) continue;
      update_cell<M, Electric>(own.view, i, j, 0);
      if (j != first_row && j != last_row - 1) continue;
      for (int c = Electric ? Ex : Hx; c <= (Electric ? Ez : Hz); ++c)
        if (has_component(M, c)) write_halo(c, w.view.base + i + w.view.pitch * j, j);
    }
  }

  /// Lists act on cells of the block's own, so that it need not wait for others before them.
  template <bool Electric>
  __device__ void drive(long step) {
    if (w.targets[Electric] == 0) return;
    __syncthreads();
    DriveFields<T> f = w.sources[Electric];
    f.value += step * w.source_columns;
    for (int c = 0; c < components; ++c) f.fields.of[c] = own.view.f[c];
    for (index_t t = threadIdx.x; t < w.targets[Electric]; t += threads)
      if (is_own(f.cell[t])) f(t), write_halo(f.component[t], f.cell[t], row_of(f.cell[t]));
  }

  __device__ void polarize() {
    if (w.groups == 0) return;
    __syncthreads();
    for (int g = 0; g < w.groups; ++g) {
      Polarize<T, T> f = w.poles[g];
      f.f = own.view.f[w.pole_component[g]];
      for (index_t t = threadIdx.x; t < w.edges[g]; t += threads)
        if (is_own(f.cell[t])) f(t), write_halo(w.pole_component[g], f.cell[t], row_of(f.cell[t]));
    }
  }

  /// Sums for the samples after step n; `first` is the first prepared one. E stays until the next meeting, H
  /// would not.
  __device__ void sample(long n, long first) {
    for (int t = 0; t < w.transform_count; ++t) {
      const auto& of = w.transforms[t];
      if ((n + 1) % of.interval == 0) gather(of, (n / of.interval - first / of.interval) * of.points);
    }
    for (int r = 0; r < w.recorder_count; ++r)
      if ((n + 1) % w.recorders[r].interval == 0) sum_pieces(w.recorders[r]);
    if (w.samples_magnetic) cluster_barrier();
  }
  /// What `sample` summed goes to its channels, after a meeting.
  __device__ void record(long n, long first) {
    for (int r = 0; r < w.recorder_count; ++r) {
      const auto& of = w.recorders[r];
      if ((n + 1) % of.interval) continue;
      SumChannel channel = of.sum_channel;
      channel.out += (n / of.interval - first / of.interval) * of.channels;
      for (index_t ch = rank * threads + threadIdx.x; ch < of.channels; ch += index_t(gridDim.x) * threads)
        channel(ch);
    }
  }

 private:
  /// Where another block of the cluster has what this one has at `field`.
  __device__ static T* in_block(T* field, unsigned block) {
#if __CUDA_ARCH__ >= 900
    return cooperative_groups::this_cluster().map_shared_rank(field, block);
#else
    return field;
#endif
  }
  /// Index in the whole grid of the first element of a block's copy: node -1 of the row below its own.
  __device__ index_t start(int block) const {
    return w.view.base - 1 + w.view.pitch * (block * rows_per_block - 1);
  }
  __device__ int row_of(index_t cell) const { return int((cell - w.view.base) / w.view.pitch); }
  __device__ bool is_own(index_t cell) const {
    const index_t from_first = cell - (w.view.base + w.view.pitch * first_row);
    const int rows = last_row - first_row + (last_row == w.n[1]);  // the wall belongs to the last
    return from_first >= 0 && from_first < w.view.pitch * rows;
  }
  /// Gives a neighbour the new value of a cell in a row that it has a copy of.
  __device__ void write_halo(int c, index_t cell, int row) {
    if (row == first_row && rank > 0) own.fields[rank - 1][c][cell] = own.view.f[c][cell];
    if (row == last_row - 1 && rank + 1 < int(gridDim.x)) own.fields[rank + 1][c][cell] = own.view.f[c][cell];
  }

  /// Calls f(layer, own layer, first index of psi, how many) for the share of every layer in the block's
  /// rows.
  template <class F>
  __device__ void each_layer(const F& f) {
    for (int c = 0; c < components; ++c)
      for (int which = 0; which < 2; ++which)
        for (int side = 0; side < 2; ++side) {
          const LayerView<T>& l = w.view.layer[c][which][side];
          if (l.layers == 0) continue;
          const bool along_x = (c + 1 + which) % 3 == 0;
          const int low = along_x ? first_row : max(first_row, l.first) - l.first;
          const int high = along_x ? last_row : min(last_row, l.first + l.layers) - l.first;
          f(l, own.view.layer[c][which][side], l.pitch * low, l.pitch * max(high - low, 0));
        }
  }

  __device__ void gather(const typename StepWork<T>::Transforms::Kernel& of, index_t row) {
    auto gather = of.gather;
    gather.to += row;
    for (int c = 0; c < components; ++c)
      if (of.gather.f == w.view.f[c]) gather.f = own.view.f[c];
    for (index_t i = threadIdx.x; i < of.points; i += threads)
      if (is_own(gather.cell[i])) gather(i);
  }

  /// A warp a piece, from the shared memory of all blocks; in double and in a fixed order.
  __device__ void sum_pieces(const typename StepWork<T>::Samples::RecorderKernels& of) {
    const int lane = threadIdx.x % 32, warp = rank * (threads / 32) + int(threadIdx.x / 32);
    for (index_t n = warp; n < of.pieces; n += index_t(gridDim.x) * (threads / 32)) {
      const Piece p = of.sum_piece.piece[n];
      double sum = 0;
      const index_t last = of.sum_piece.row[p.last];
      for (index_t q = of.sum_piece.row[p.first] + lane; q < last; q += 32) {
        const index_t cell = of.sum_piece.cell[q];
        const double v = own.fields[min(row_of(cell), w.n[1] - 1) / rows_per_block][p.component][cell];
        sum += of.sum_piece.weight[q] * (p.squares ? v * v : v);
      }
      for (int o = 16; o > 0; o /= 2) sum += __shfl_down_sync(0xffffffffu, sum, o);
      if (lane == 0) of.sum_piece.partial[n] = {sum, 0};
    }
  }

  const StepWork<T>& w;
  Stretch<T>& own;
  int rows_per_block, rank, first_row, last_row;
  SharedAllocator shared;
};

}  // namespace umov::fdtd::tuned::on_chip
