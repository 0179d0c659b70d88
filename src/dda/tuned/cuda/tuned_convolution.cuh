// How the tuned product is set up and run; included once per precision.
#pragma once

#include <algorithm>
#include <map>
#include <utility>

#include "backend/cuda/launch.hpp"
#include "backend/cuda/occupancy.hpp"
#include "dda/tuned/cuda/choice.hpp"
#include "dda/tuned/cuda/known_axes.hpp"
#include "dda/tuned/cuda/layout.hpp"
#include "dda/tuned/cuda/lines.hpp"
#include "dda/tuned/cuda/second_stream.hpp"
#include "dda/tuned/cuda/slices.hpp"
#include "dda/tuned/cuda/tile_builder.hpp"
#include "dda/tuned/cuda/tuned_convolution.hpp"

namespace umov::dda {

using backend::cuda::launch;

namespace tuned {

/// Lines that a block of the z transforms takes.
template <class AxisOf>
int lanes_of(int width) {
  return AxisOf::lanes ? AxisOf::lanes : width;
}

/// Calls f(kernel, threads of a block, bytes of dynamic shared memory) for all kernels of a product whose
/// lines are a `Lines`.
template <class T, template <class> class Lines = LinesView, class F>
void each_kernel(const GridView& g, int width, Plans plans, const F& f) {
  constexpr std::size_t element = sizeof(Complex<T>);
  with_axis_between_memory(axis_of<T>(g.gx, plans), [&](const auto& axis) {
    using A = std::decay_t<decltype(axis)>;
    f(scatter_and_transform_x<T, A, Lines<T>>, A::threads, rows_bytes(g.gx, element));
    f(transform_x_and_gather<T, A, Lines<T>>, A::threads, rows_bytes(g.gx, element));
  });
  with_axis_between_memory(axis_of<T>(g.gy, plans), [&](const auto& axis) {
    using A = std::decay_t<decltype(axis)>;
    f(transform_y<T, A>, A::threads, columns_bytes(g.gy, width, 1, element));
    f(transform_y_back<T, A>, A::threads, columns_bytes(g.gy, width, 1, element));
  });
  with_axis_around_tensor(axis_of<T>(g.gz, plans), width, [&](const auto& axis) {
    using A = std::decay_t<decltype(axis)>;
    f(transform_z_and_multiply<T, A>, A::threads, columns_bytes(g.gz, lanes_of<A>(width), 3, element));
  });
}

}  // namespace tuned

template <class T>
bool TunedConvolution<T>::can_do(const Problem& problem, const Limits& limits) {
  using namespace tuned;
  const GridView g = grid_view(problem.fft_grid);
  for (int n : {g.gx, g.gy, g.gz})
    if (radices_of(n).empty() || n > 8192) return false;
  const Plans plans = plans_wanted();
  if (!lines_fit(g, sizeof(Complex<T>), limits, LanesAroundTensor{plans})) return false;
  bool all = true;
  each_kernel<T>(g, choose_width(g, sizeof(Complex<T>), limits, LanesAroundTensor{plans}), plans,
                 [&](auto kernel, int threads, std::size_t bytes) {
                   all = all && backend::cuda::fits(kernel, threads, bytes, limits);
                 });
  return all;
}

template <class T>
struct TunedConvolution<T>::Parts {
  using C = Complex<T>;
  template <class U>
  using Array = backend::CudaArray<U>;

  backend::Cuda& dev;
  LatticeView lattice;
  GridView grid;
  TunedOptions options;
  tuned::Plans plans;
  int width, streams;
  bool on_host;
  tuned::SlotLayout slots;
  tuned::TileLayout tiles;
  tuned::Axis<T> along_x, along_y, along_z;
  Array<int> point_of_slot;
  /// What a product needs besides its tensor.
  struct Work {
    Array<C> lines, slices[2], staged[2];
    Array<C> more_lines;  ///< of the columns of a block; made when one comes
  };
  std::shared_ptr<Work> work;
  Array<C> tensor, edge;
  backend::PinnedArray<C> host_tensor;
  int groups_at_once = 1;
  tuned::SecondStream second;
  cudaEvent_t copied[2]{}, used[2]{};
  cudaGraphExec_t graph = nullptr;
  /// What is between the x transforms, for so many columns whose lines are there.
  struct BlockGraph {
    cudaGraphExec_t graph;
    const C* lines;
  };
  std::map<int, BlockGraph> block_graphs;

  Parts(backend::Cuda& d, const Problem& problem, const LatticeView& l, const TunedOptions& o,
        std::shared_ptr<Work> shared = nullptr)
      : dev(d),
        lattice(l),
        grid(grid_view(problem.fft_grid)),
        options(o),
        plans(tuned::plans_wanted()),
        width(options.width
                  ? options.width
                  : tuned::choose_width(grid, sizeof(C), d.limits(), tuned::LanesAroundTensor{plans})),
        streams(options.streams ? options.streams : 2),
        on_host(problem.tensor_on_host),
        slots(tuned::slot_layout(grid.gx, width)),
        tiles{slots, grid, 6},
        along_x(d, grid.gx, tuned::radices_between_memory<T>(grid.gx, plans), plans),
        along_y(d, grid.gy, tuned::radices_between_memory<T>(grid.gy, plans), plans),
        along_z(d, grid.gz, tuned::radices_around_tensor<T>(grid.gz, width, plans), plans),
        work(std::move(shared)) {
    build_tensor(problem);
    const std::size_t group = std::size_t(3) * grid.gy * lattice.nz * width * sizeof(C);
    const std::size_t target = options.slice_bytes ? options.slice_bytes : tuned::slice_bytes(dev.limits());
    groups_at_once = int(std::clamp<std::size_t>(target / group, 1, slots.groups));
    if (groups_at_once == slots.groups) streams = 1;
    if (!work) allocate_work(group / sizeof(C) * groups_at_once);
    upload_slots();
    make_events();
    allow_shared_memory();
    if (!on_host) record_graph();
  }

  ~Parts() {
    cudaStreamSynchronize(dev.stream());
    if (graph) cudaGraphExecDestroy(graph);
    for (const auto& [columns, recorded] : block_graphs) cudaGraphExecDestroy(recorded.graph);
    for (cudaEvent_t e : {copied[0], copied[1], used[0], used[1]}) cudaEventDestroy(e);
  }

  index_t rows() const { return index_t(lattice.ny) * lattice.nz; }

  std::size_t lines_size() const { return std::size_t(3) * rows() * slots.slots(); }

  void allocate_work(std::size_t slice) {
    work = std::make_shared<Work>();
    work->lines = dev.allocate<C>(lines_size());
    for (int s = 0; s < streams; ++s) work->slices[s] = dev.allocate<C>(slice);
    if (on_host)
      for (auto& s : work->staged) s = dev.allocate<C>(tiles.tile() * groups_at_once);
  }

  void upload_slots() {
    std::vector<int> points;
    for (int s = 0; s < slots.slots(); ++s) {
      const int k = slots.frequency(s);
      points.push_back(k < 0 ? -1 : along_x.points_of()[k]);
    }
    point_of_slot = dev.allocate<int>(points.size());
    dev.upload(point_of_slot.data(), points.data(), points.size());
  }

  void make_events() {
    for (cudaEvent_t* e : {&copied[0], &copied[1], &used[0], &used[1]})
      UMOV_CUDA_CHECK(cudaEventCreateWithFlags(e, cudaEventDisableTiming));
  }

  std::size_t y_bytes() const { return tuned::columns_bytes(grid.gy, width, 1, sizeof(C)); }
  std::size_t x_bytes() const { return tuned::rows_bytes(grid.gx, sizeof(C)); }

  template <class F>
  void with_x(const F& f) const {
    tuned::with_axis_between_memory(along_x.view(), f);
  }
  template <class F>
  void with_y(const F& f) const {
    tuned::with_axis_between_memory(along_y.view(), f);
  }
  template <class F>
  void with_z(const F& f) const {
    tuned::with_axis_around_tensor(along_z.view(), width, f);
  }

  void allow_shared_memory() {
    tuned::each_kernel<T>(grid, width, plans, [](auto kernel, int, std::size_t bytes) {
      backend::cuda::allow_shared(kernel, bytes);
    });
  }

  void build_tensor(const Problem& problem) {
    const index_t plane = tiles.plane();
    if (!on_host) {
      tensor = dev.allocate<C>(tiles.size());
      tuned::TileBuilder<T>(dev, problem, tiles).build(tensor.data(), 0);
      return;
    }
    tuned::TileLayout one = tiles;
    one.components = 1;
    host_tensor = backend::PinnedArray<C>(tiles.edge());
    edge = dev.allocate<C>(6 * plane);
    Array<C> component = dev.allocate<C>(one.size());
    tuned::TileBuilder<T> builder(dev, problem, one);
    for (int c = 0; c < 6; ++c) {
      builder.build(component.data(), c);
      const std::size_t bytes = one.tile() * sizeof(C);
      UMOV_CUDA_CHECK(cudaMemcpy2DAsync(host_tensor.data() + c * one.tile(), 6 * bytes, component.data(),
                                        bytes, bytes, slots.groups, cudaMemcpyDeviceToHost, dev.stream()));
      if (grid.gx % 2 == 0)
        UMOV_CUDA_CHECK(cudaMemcpyAsync(edge.data() + c * plane, component.data() + one.edge(),
                                        plane * sizeof(C), cudaMemcpyDeviceToDevice, dev.stream()));
      dev.synchronize();
    }
  }

  /// The five passes over the groups [first, first + count), on one stream.
  void run_slices(C* lines, int first, int count, C* slice, const C* tile, const C* edge_plane,
                  cudaStream_t stream) {
    const tuned::LaneLayout lanes(width, sizeof(C));
    const tuned::SlicesView<T> v{
        slots,         grid,       lattice.ny,
        lattice.nz,    first,      lanes.log_width,
        lanes.swizzle, lines,      slice,
        tile,          edge_plane, {lattice.ny * lattice.nz, lattice.ny, 1, slots.slots()},
        first * width};
    const dim3 y_blocks(lattice.nz, 3, count);
    with_y([&](const auto& axis) {
      using A = std::decay_t<decltype(axis)>;
      launch(stream, y_blocks, A::threads, y_bytes(), tuned::transform_y<T, A>, axis, v);
    });
    with_z([&](const auto& axis) {
      using A = std::decay_t<decltype(axis)>;
      const int taken = tuned::lanes_of<A>(width);
      launch(stream, dim3(grid.gy * (width / taken), count), A::threads,
             tuned::columns_bytes(grid.gz, taken, 3, sizeof(C)), tuned::transform_z_and_multiply<T, A>, axis,
             v);
    });
    with_y([&](const auto& axis) {
      using A = std::decay_t<decltype(axis)>;
      launch(stream, y_blocks, A::threads, y_bytes(), tuned::transform_y_back<T, A>, axis, v);
    });
  }

  /// All slices with the tensor on the device. The columns of a block follow each other in each chunk.
  void all_slices(C* lines, int columns) {
    second.take_turns(dev.stream(), slots.groups, groups_at_once, streams == 2,
                      [&](int first, int count, int s, cudaStream_t stream) {
                        for (int j = 0; j < columns; ++j)
                          run_slices(lines + j * lines_size(), first, count, work->slices[s].data(),
                                     tensor.data() + first * tiles.tile(), tensor.data() + tiles.edge(),
                                     stream);
                      });
  }

  /// Nothing between the x transforms depends on the vectors: recorded once, launched as one.
  cudaGraphExec_t record(C* lines, int columns) {
    cudaGraph_t recorded;
    cudaGraphExec_t made = nullptr;
    UMOV_CUDA_CHECK(cudaStreamBeginCapture(dev.stream(), cudaStreamCaptureModeThreadLocal));
    all_slices(lines, columns);
    UMOV_CUDA_CHECK(cudaStreamEndCapture(dev.stream(), &recorded));
    UMOV_CUDA_CHECK(cudaGraphInstantiate(&made, recorded, 0));
    UMOV_CUDA_CHECK(cudaGraphDestroy(recorded));
    return made;
  }
  void record_graph() { graph = record(work->lines.data(), 1); }

  /// Recorded when so many columns come for the first time, and when their lines have moved.
  cudaGraphExec_t graph_of_block(C* lines, int columns) {
    auto& known = block_graphs[columns];
    if (known.graph && known.lines != lines) {
      cudaGraphExecDestroy(known.graph);
      known.graph = nullptr;
    }
    if (!known.graph) known = {record(lines, columns), lines};
    return known.graph;
  }

  /// The tensor comes from host memory, one chunk ahead of its use.
  void streamed_slices(C* lines, int columns) {
    second.fork_from(dev.stream());
    int chunk = 0;
    for (int first = 0; first < slots.groups; first += groups_at_once, ++chunk) {
      const int s = chunk % 2, count = std::min(groups_at_once, slots.groups - first);
      if (chunk >= 2) UMOV_CUDA_CHECK(cudaStreamWaitEvent(second, used[s], 0));
      UMOV_CUDA_CHECK(cudaMemcpyAsync(work->staged[s].data(), host_tensor.data() + first * tiles.tile(),
                                      count * tiles.tile() * sizeof(C), cudaMemcpyHostToDevice, second));
      UMOV_CUDA_CHECK(cudaEventRecord(copied[s], second));
      UMOV_CUDA_CHECK(cudaStreamWaitEvent(dev.stream(), copied[s], 0));
      for (int j = 0; j < columns; ++j)
        run_slices(lines + j * lines_size(), first, count, work->slices[0].data(), work->staged[s].data(),
                   edge.data(), dev.stream());
      UMOV_CUDA_CHECK(cudaEventRecord(used[s], dev.stream()));
    }
  }

  tuned::LinesView<T> lines_view(const C* root, const C* x, C* lines, bool adjoint) const {
    return {{lattice, slots.slots(), point_of_slot.data(), tuned::rows_at_once(grid.gx), root, x, lines,
             adjoint, lattice.dipoles == lattice.sites()}};
  }
  int row_blocks() const {
    const int at_once = tuned::rows_at_once(grid.gx);
    return int((rows() + at_once - 1) / at_once);
  }
  void to_lines(const tuned::LinesView<T>& v) {
    with_x([&](const auto& axis) {
      using A = std::decay_t<decltype(axis)>;
      launch(dev.stream(), dim3(row_blocks(), 3), A::threads, x_bytes(),
             tuned::scatter_and_transform_x<T, A, tuned::LinesView<T>>, axis, v);
    });
  }
  void from_lines(const tuned::LinesView<T>& v, C* y, const backend::Cuda::Ticket& ticket) {
    const int walkers = std::min(3 * row_blocks(), backend::cuda::reduce_blocks);
    with_x([&](const auto& axis) {
      using A = std::decay_t<decltype(axis)>;
      launch(dev.stream(), dim3(walkers), A::threads, x_bytes(),
             tuned::transform_x_and_gather<T, A, tuned::LinesView<T>>, axis, v, y, ticket);
    });
  }

  krylov::ProductSums<double> apply(const C* root, const C* x, C* y, bool adjoint) {
    dev.select();
    const auto v = lines_view(root, x, work->lines.data(), adjoint);
    to_lines(v);
    if (on_host)
      streamed_slices(work->lines.data(), 1);
    else
      UMOV_CUDA_CHECK(cudaGraphLaunch(graph, dev.stream()));
    const auto ticket = dev.ticket();
    from_lines(v, y, ticket);
    const auto s = dev.template collect<5, double>(ticket);
    return {{s.v[0], s.v[1]}, {s.v[2], s.v[3]}, s.v[4]};
  }

  /// Columns whose lines are kept at the same time: the tensor comes from memory once for all of them.
  static constexpr int at_once = 8;

  void apply_block(const C* root, const C* x, C* y, int columns) {
    dev.select();
    const index_t n = 3 * lattice.dipoles;
    for (int first = 0; first < columns; first += at_once) {
      const int count = std::min(at_once, columns - first);
      if (work->more_lines.size() < count * lines_size()) {
        dev.synchronize();
        work->more_lines = Array<C>();
        work->more_lines = dev.allocate<C>(count * lines_size());
      }
      C* const lines = work->more_lines.data();
      const auto view = [&](int j) {
        return lines_view(root, x + (first + j) * n, lines + j * lines_size(), false);
      };
      for (int j = 0; j < count; ++j) to_lines(view(j));
      if (on_host)
        streamed_slices(lines, count);
      else
        UMOV_CUDA_CHECK(cudaGraphLaunch(graph_of_block(lines, count), dev.stream()));
      // nobody waits for the sums of a column
      for (int j = 0; j < count; ++j) from_lines(view(j), y + (first + j) * n, dev.ticket());
    }
  }
};

template <class T>
TunedConvolution<T>::TunedConvolution(backend::Cuda& dev, const Problem& problem, const LatticeView& lattice,
                                      const TunedOptions& options)
    : parts_(std::make_unique<Parts>(dev, problem, lattice, options)) {}
template <class T>
TunedConvolution<T>::TunedConvolution(const TunedConvolution& twin, const Problem& problem)
    : parts_(std::make_unique<Parts>(twin.parts_->dev, problem, twin.parts_->lattice, twin.parts_->options,
                                     twin.parts_->work)) {}
template <class T>
TunedConvolution<T>::~TunedConvolution() = default;

template <class T>
krylov::ProductSums<double> TunedConvolution<T>::apply(const Complex<T>* root, const Complex<T>* x,
                                                       Complex<T>* y, bool adjoint) {
  return parts_->apply(root, x, y, adjoint);
}

template <class T>
void TunedConvolution<T>::apply_block(const Complex<T>* root, const Complex<T>* x, Complex<T>* y,
                                      int columns) {
  parts_->apply_block(root, x, y, columns);
}

template <class T>
int TunedConvolution<T>::width() const {
  return parts_->width;
}

template <class T>
std::vector<MemoryUse> TunedConvolution<T>::memory() const {
  const Parts& p = *parts_;
  return {{"interaction tensor",
           p.tensor.bytes() + p.edge.bytes() + p.work->staged[0].bytes() + p.work->staged[1].bytes()},
          {"interaction tensor on the host", p.host_tensor.bytes()},
          {"lines of the transform", p.work->lines.bytes() + p.work->more_lines.bytes()},
          {"slices of the transform", p.work->slices[0].bytes() + p.work->slices[1].bytes()}};
}

}  // namespace umov::dda
