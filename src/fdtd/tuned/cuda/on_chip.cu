// The kernel that keeps a small two-dimensional grid in shared memory: its steps, launch and plan.
#include "backend/cuda/occupancy.hpp"
#include "fdtd/tuned/cuda/on_chip.hpp"
#include "fdtd/tuned/cuda/on_chip_block.cuh"

namespace umov::fdtd::tuned {
namespace {

using on_chip::Block;
using on_chip::Stretch;
using on_chip::threads;

template <Mode M, class T>
__global__ void __launch_bounds__(threads, 1)
    stay_on_chip(const __grid_constant__ StepWork<T> w, int rows, long first, long steps) {
  extern __shared__ __align__(16) char memory[];
  Block<M, T> block(w, rows, memory);
  block.load();
  block.cluster_barrier();
  for (long n = first; n < first + steps; ++n) {
    block.template sweep<false>();
    block.template drive<false>(n - first);
    block.cluster_barrier();
    if (n > first) block.record(n - 1, first);
    block.template sweep<true>();
    block.template drive<true>(n - first);
    block.polarize();
    block.cluster_barrier();
    block.sample(n, first);
  }
  block.store();
  block.cluster_barrier();  // shared memory must outlive what others read of it
  block.record(first + steps - 1, first);
}

/// A launch of one cluster, or of one block.
struct Launch {
  cudaLaunchAttribute attribute{};
  cudaLaunchConfig_t config{};
  explicit Launch(const OnChipPlan& plan) {
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim = {unsigned(plan.blocks), 1, 1};
    config.gridDim = dim3(plan.blocks);
    config.blockDim = dim3(threads);
    config.dynamicSmemBytes = std::size_t(plan.bytes);
    config.attrs = &attribute;
    config.numAttrs = plan.cluster ? 1 : 0;
  }
  Launch(const Launch&) = delete;
};

template <Mode M, class T>
void launch_in(const StepWork<T>& w, const OnChipPlan& plan, long first, long steps, cudaStream_t stream) {
  backend::cuda::allow_shared(stay_on_chip<M, T>, plan.bytes);
  Launch launch(plan);
  launch.config.stream = stream;
  UMOV_CUDA_CHECK(cudaLaunchKernelEx(&launch.config, stay_on_chip<M, T>, w, plan.rows, first, steps));
}

/// Whether the GPU has room for all blocks of a plan at once.
template <Mode M, class T>
bool can_launch(const OnChipPlan& plan, const Limits& l) {
  const auto kernel = stay_on_chip<M, T>;
  if (!backend::cuda::fits(kernel, threads, plan.bytes, l)) return false;
  backend::cuda::allow_shared(kernel, plan.bytes);
  int clusters = 1;
  Launch launch(plan);
  if (plan.cluster) UMOV_CUDA_CHECK(cudaOccupancyMaxActiveClusters(&clusters, kernel, &launch.config));
  return clusters > 0;
}

/// Shared memory of one block, an upper bound.
template <class T>
std::size_t bytes_for(const Problem& p, int rows) {
  const Layout layout(p.grid);
  const auto piece = [](std::size_t bytes) { return (bytes + 15) / 16 * 16; };
  std::size_t sum = piece(sizeof(Stretch<T>)) + 2 * piece(p.coefficients.size() * sizeof(T));
  for (int c = 0; c < components; ++c) {
    if (!has_component(p.grid.mode, c)) continue;
    const std::size_t elements = std::size_t(layout.pitch) * (rows + 2);
    sum += piece(elements * sizeof(T)) + (p.material[c].empty() ? 0 : piece(elements));
  }
  for (const Field f : {Field::H, Field::E})
    for (const PmlSlab& s : pml_slabs(p, f))
      sum += piece(3 * s.layers * sizeof(T)) +
             piece(std::size_t(s.pitch) * (s.axis == 0 ? rows : std::min(rows, s.layers)) * sizeof(T));
  return sum;
}

/// Whether the kernel has all that the problem needs.
bool can_step(const Problem& p) {
  if (dimensions(p.grid.mode) != 2 || p.coefficients.size() > 256 || !p.cut_media.empty()) return false;
  for (int a = 0; a < 2; ++a)
    for (const Closure c : p.walls[a])
      if (c != Closure::pec) return false;
  for (const auto& terms : p.tensor)
    if (!terms.empty()) return false;
  return true;
}

}  // namespace

template <class T>
OnChipPlan plan_on_chip(const Problem& p, const Limits& l) {
  if (!can_step(p)) return {};
  const int ny = p.grid.cells[1], wanted = l.clusters ? std::min(most_in_cluster, (ny + 3) / 4) : 1;
  OnChipPlan plan;
  plan.cluster = l.clusters;
  plan.rows = (ny + wanted - 1) / wanted;
  plan.blocks = (ny + plan.rows - 1) / plan.rows;
  const std::size_t bytes = bytes_for<T>(p, plan.rows);
  if (bytes > l.shared_block) return {};
  plan.bytes = int(bytes);
  const bool tm = p.grid.mode == Mode::tm;
  return (tm ? can_launch<Mode::tm, T>(plan, l) : can_launch<Mode::te, T>(plan, l)) ? plan : OnChipPlan{};
}

template <class T>
void launch_on_chip(Mode mode, const StepWork<T>& w, const OnChipPlan& plan, long first, long steps,
                    cudaStream_t stream) {
  if (mode == Mode::tm)
    launch_in<Mode::tm>(w, plan, first, steps, stream);
  else
    launch_in<Mode::te>(w, plan, first, steps, stream);
}

template OnChipPlan plan_on_chip<float>(const Problem&, const Limits&);
template OnChipPlan plan_on_chip<double>(const Problem&, const Limits&);
template void launch_on_chip(Mode, const StepWork<float>&, const OnChipPlan&, long, long, cudaStream_t);
template void launch_on_chip(Mode, const StepWork<double>&, const OnChipPlan&, long, long, cudaStream_t);

}  // namespace umov::fdtd::tuned
