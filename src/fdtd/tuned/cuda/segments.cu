// Passes over segments of cells: one warp a segment, one lane a cell.
#include "backend/cuda/launch.hpp"
#include "fdtd/tuned/cuda/cell_update.cuh"

namespace umov::fdtd::tuned {
namespace {

constexpr int threads = 128;

template <Mode M, bool Electric, class T>
__global__ void __launch_bounds__(threads)
    sweep(const __grid_constant__ SweepView<T> v, const Segment* segments, index_t count) {
  const index_t n = (index_t(blockIdx.x) * threads + threadIdx.x) / 32;
  if (n >= count) return;
  const Segment s = segments[n];
  if (s.mask >> (threadIdx.x % 32) & 1) update_cell<M, Electric>(v, s.i + int(threadIdx.x % 32), s.j, s.k);
}

template <class T>
__global__ void __launch_bounds__(threads)
    copy(const __grid_constant__ SweepView<T> from, const __grid_constant__ SweepView<T> to,
         const Segment* segments, index_t count) {
  const index_t n = (index_t(blockIdx.x) * threads + threadIdx.x) / 32;
  if (n >= count) return;
  const Segment s = segments[n];
  const int at[3] = {s.i + int(threadIdx.x % 32), s.j, s.k};
  if (!(s.mask >> (threadIdx.x % 32) & 1)) return;
  const index_t e = from.base + at[0] + from.pitch * at[1] + from.plane * at[2];
  for (int c = 0; c < components; ++c)
    if (from.f[c]) to.f[c][e] = from.f[c][e];
  for (int c = 0; c < components; ++c)
    for (int w = 0; w < 2; ++w)
      for (int side = 0; side < 2; ++side) {
        const LayerView<T>& l = from.layer[c][w][side];
        const int axis = (c + 1 + w) % 3;
        if (l.psi == to.layer[c][w][side].psi || unsigned(at[axis] - l.first) >= unsigned(l.layers)) continue;
        const index_t q = l.offset + at[0] + l.pitch * at[1] + l.plane * at[2];
        to.layer[c][w][side].psi[q] = l.psi[q];
      }
}

unsigned blocks_for(index_t segments) { return unsigned((segments * 32 + threads - 1) / threads); }

template <Mode M, class T>
void sweep_in(Field f, const SweepView<T>& v, const Segment* s, index_t n, cudaStream_t stream) {
  if (f == Field::E)
    backend::cuda::launch(stream, blocks_for(n), threads, 0, sweep<M, true, T>, v, s, n);
  else
    backend::cuda::launch(stream, blocks_for(n), threads, 0, sweep<M, false, T>, v, s, n);
}

}  // namespace

template <class T>
void sweep_segments(Mode mode, Field f, const SweepView<T>& v, const Segment* s, index_t n,
                    cudaStream_t stream) {
  if (n == 0) return;
  if (mode == Mode::one) sweep_in<Mode::one>(f, v, s, n, stream);
  if (mode == Mode::tm) sweep_in<Mode::tm>(f, v, s, n, stream);
  if (mode == Mode::te) sweep_in<Mode::te>(f, v, s, n, stream);
  if (mode == Mode::full) sweep_in<Mode::full>(f, v, s, n, stream);
}

template <class T>
void copy_segments(const SweepView<T>& from, const SweepView<T>& to, const Segment* s, index_t n,
                   cudaStream_t stream) {
  if (n == 0) return;
  backend::cuda::launch(stream, blocks_for(n), threads, 0, copy<T>, from, to, s, n);
}

template void sweep_segments(Mode, Field, const SweepView<float>&, const Segment*, index_t, cudaStream_t);
template void copy_segments(const SweepView<float>&, const SweepView<float>&, const Segment*, index_t,
                            cudaStream_t);

}  // namespace umov::fdtd::tuned
