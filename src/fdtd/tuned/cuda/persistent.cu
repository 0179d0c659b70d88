// The kernel that takes many steps: every part of a step, with a barrier where another part needs its
// results.
#include "backend/cuda/occupancy.hpp"
#include "fdtd/tuned/cuda/cell_update.cuh"
#include "fdtd/tuned/cuda/persistent.hpp"

namespace umov::fdtd::tuned {
namespace {

constexpr int threads = 512;

/// All threads of the launch, and their barrier.
struct GridThreads {
  unsigned* arrived;
  unsigned barriers = 0;
  bool cluster;

  __device__ index_t rank() const { return index_t(blockIdx.x) * threads + threadIdx.x; }
  __device__ index_t size() const { return index_t(gridDim.x) * threads; }
  /// What any thread wrote before is seen by all after.
  __device__ void barrier() {
    if (cluster) {
#if __CUDA_ARCH__ >= 900
      asm volatile("barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;" ::
                       : "memory");
#else
      __trap();  // Limits::clusters is false for this code
#endif
      return;
    }
    __syncthreads();
    if (threadIdx.x == 0) {
      __threadfence();
      atomicAdd(arrived, 1u);
      const unsigned all = ++barriers * gridDim.x;
      unsigned now;
      do {
        asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(now) : "l"(arrived) : "memory");
      } while (now < all);
      __threadfence();
    }
    __syncthreads();
  }
  template <class F>
  __device__ void each(index_t n, const F& f) const {
    for (index_t i = rank(); i < n; i += size()) f(i);
  }
};

template <Mode M, bool Electric, class T>
__device__ __forceinline__ void sweep(const GridThreads& grid, const StepWork<T>& w) {
  const int lane = threadIdx.x % 32;
  for (index_t n = grid.rank() / 32; n < w.segment_count; n += grid.size() / 32) {
    const Segment s = w.segments[n];
    if (s.mask >> lane & 1) update_cell<M, Electric>(w.view, s.i + lane, s.j, s.k);
  }
}

template <bool Electric, class T>
__device__ void drive(GridThreads& grid, const StepWork<T>& w, long step) {
  if (w.targets[Electric] == 0) return;
  DriveFields<T> f = w.sources[Electric];
  f.value += step * w.source_columns;
  grid.each(w.targets[Electric], f);
  grid.barrier();
}

template <bool Electric, class T>
__device__ void fill_ghosts(GridThreads& grid, const StepWork<T>& w) {
  if (w.face_count[Electric] == 0) return;
  for (int n = 0; n < w.face_count[Electric]; ++n) {
    const auto& face = w.faces[Electric][n];
    const int nx = face.size[0], ny = face.size[1];
    grid.each(index_t(nx) * ny * face.size[2], [&](index_t c) {
      const int row = int(c / nx);
      face.fill(face.lo[0] + int(c - index_t(row) * nx), face.lo[1] + row % ny, face.lo[2] + row / ny);
    });
  }
  grid.barrier();
}

template <class T>
__device__ void polarize(GridThreads& grid, const StepWork<T>& w) {
  const index_t terms = w.tensor[0].terms + w.tensor[1].terms + w.tensor[2].terms;
  for (int c = 0; c < 3; ++c) grid.each(w.tensor[c].terms, w.tensor[c]);
  if (terms) grid.barrier();
  for (int g = 0; g < w.groups; ++g) grid.each(w.edges[g], w.poles[g]);
  if (w.groups) grid.barrier();
  if (w.cut_nodes == 0) return;
  grid.each(w.cut_edges, w.subtract_flows);
  grid.barrier();
  grid.each(w.cut_nodes, w.polarize_node);
  grid.barrier();
}

/// After step n; `first` is the first prepared one.
template <class T>
__device__ void sample(GridThreads& grid, const StepWork<T>& w, long n, long first) {
  bool any = false;
  for (int t = 0; t < w.transform_count; ++t) {
    const auto& of = w.transforms[t];
    if ((n + 1) % of.interval) continue;
    any = true;
    auto gather = of.gather;
    gather.to += (n / of.interval - first / of.interval) * of.points;
    grid.each(of.points, gather);
  }
  for (int r = 0; r < w.recorder_count; ++r)
    if ((n + 1) % w.recorders[r].interval == 0) {
      any = true;
      grid.each(w.recorders[r].pieces, w.recorders[r].sum_piece);
    }
  if (any) grid.barrier();
  // no barrier after this: the next pieces are summed after the barriers of the next sweeps
  for (int r = 0; r < w.recorder_count; ++r) {
    const auto& of = w.recorders[r];
    if ((n + 1) % of.interval) continue;
    SumChannel channel = of.sum_channel;
    channel.out += (n / of.interval - first / of.interval) * of.channels;
    grid.each(of.channels, channel);
  }
}

template <Mode M, class T>
__global__ void __launch_bounds__(threads, 1)
    take_steps(const __grid_constant__ StepWork<T> w, unsigned* arrived, bool cluster, long first,
               long steps) {
  GridThreads grid{arrived, 0, cluster};
  for (long n = first; n < first + steps; ++n) {
    sweep<M, false>(grid, w);
    grid.barrier();
    drive<false>(grid, w, n - first);
    fill_ghosts<false>(grid, w);
    sweep<M, true>(grid, w);
    grid.barrier();
    drive<true>(grid, w, n - first);
    polarize(grid, w);
    fill_ghosts<true>(grid, w);
    sample(grid, w, n, first);
  }
}

/// A launch as one cluster, or of blocks that run at once; a single block outside of a cluster needs neither.
struct Launch {
  cudaLaunchAttribute attribute{};
  cudaLaunchConfig_t config{};
  explicit Launch(const Gathering& g) {
    attribute.id = g.cluster ? cudaLaunchAttributeClusterDimension : cudaLaunchAttributeCooperative;
    if (g.cluster)
      attribute.val.clusterDim = {unsigned(g.blocks), 1, 1};
    else
      attribute.val.cooperative = 1;
    config.gridDim = dim3(g.blocks);
    config.blockDim = dim3(threads);
    config.attrs = &attribute;
    config.numAttrs = g.cluster || g.blocks > 1 ? 1 : 0;
  }
  Launch(const Launch&) = delete;
};

template <Mode M, class T>
Gathering plan_in(std::size_t segments, const Limits& l) {
  const auto kernel = take_steps<M, T>;
  const int resident = backend::cuda::resident(kernel, threads, 0, l);
  int clusters = 0;
  if (l.clusters && resident > 0) {
    Launch launch({most_in_cluster, true});
    UMOV_CUDA_CHECK(cudaOccupancyMaxActiveClusters(&clusters, kernel, &launch.config));
  }
  // a warp a segment as far as there are multiprocessors
  const int wanted = int((segments + 15) / 16);
  return gather(wanted, clusters > 0 ? most_in_cluster : 0, resident, l);
}

template <Mode M, class T>
void launch_in(const StepWork<T>& w, const Gathering& g, unsigned* arrived, long first, long steps,
               cudaStream_t stream) {
  Launch launch(g);
  launch.config.stream = stream;
  UMOV_CUDA_CHECK(cudaLaunchKernelEx(&launch.config, take_steps<M, T>, w, arrived, g.cluster, first, steps));
}

template <class F>
auto with_mode(Mode mode, const F& f) {
  if (mode == Mode::one) return f(std::integral_constant<Mode, Mode::one>{});
  if (mode == Mode::tm) return f(std::integral_constant<Mode, Mode::tm>{});
  if (mode == Mode::te) return f(std::integral_constant<Mode, Mode::te>{});
  return f(std::integral_constant<Mode, Mode::full>{});
}

}  // namespace

template <class T>
Gathering plan_steps(Mode mode, std::size_t segments, const Limits& l) {
  return with_mode(mode, [&](auto m) { return plan_in<decltype(m)::value, T>(segments, l); });
}

template <class T>
void launch_steps(Mode mode, const StepWork<T>& w, const Gathering& g, unsigned* arrived, long first,
                  long steps, cudaStream_t stream) {
  with_mode(mode, [&](auto m) { launch_in<decltype(m)::value, T>(w, g, arrived, first, steps, stream); });
}

template Gathering plan_steps<float>(Mode, std::size_t, const Limits&);
template Gathering plan_steps<double>(Mode, std::size_t, const Limits&);
template void launch_steps(Mode, const StepWork<float>&, const Gathering&, unsigned*, long, long,
                           cudaStream_t);
template void launch_steps(Mode, const StepWork<double>&, const Gathering&, unsigned*, long, long,
                           cudaStream_t);

}  // namespace umov::fdtd::tuned
