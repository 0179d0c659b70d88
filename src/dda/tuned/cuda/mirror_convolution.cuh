// How the tuned product on a mirror fraction is set up and run; included once per precision.
#pragma once

#include <algorithm>
#include <utility>

#include "backend/cuda/launch.hpp"
#include "backend/cuda/occupancy.hpp"
#include "dda/tuned/cuda/choice.hpp"
#include "dda/tuned/cuda/known_axes.hpp"
#include "dda/tuned/cuda/mirror_convolution.hpp"
#include "dda/tuned/cuda/mirror_lines.hpp"
#include "dda/tuned/cuda/mirror_slices.hpp"
#include "dda/tuned/cuda/second_stream.hpp"
#include "dda/tuned/cuda/tile_builder.hpp"

namespace umov::dda {

namespace tuned {

inline MirrorAxis mirror_axis(const Problem& p, int a) {
  const MirrorFraction& f = *p.fraction;
  return {p.fft_grid[a], f.particle.box[a], f.planes[a], f.parity[a]};
}
/// Lengths of the transforms.
inline GridView mirror_points(const Problem& p) {
  return grid_view({mirror_axis(p, 0).points(), mirror_axis(p, 1).points(), mirror_axis(p, 2).points()});
}

/// Calls f(kernel, threads of a block, bytes of dynamic shared memory) for all kernels of a product.
template <class T, class F>
void each_mirror_kernel(const GridView& points, int width, const F& f) {
  constexpr std::size_t element = sizeof(Complex<T>);
  const auto of_length = [](int n) {
    AxisView<T> any{};
    any.length = n;
    return any;
  };
  with_mirror_axis_between_memory(of_length(points.gx), [&](const auto& axis) {
    using A = std::decay_t<decltype(axis)>;
    f(mirror_scatter_x<T, A>, A::threads, rows_bytes(points.gx, element));
    f(mirror_gather_x<T, A>, A::threads, rows_bytes(points.gx, element));
  });
  with_mirror_axis_between_memory(of_length(points.gy), [&](const auto& axis) {
    using A = std::decay_t<decltype(axis)>;
    f(mirror_y<T, A>, A::threads, columns_bytes(points.gy, width, 1, element));
    f(mirror_y_back<T, A>, A::threads, columns_bytes(points.gy, width, 1, element));
  });
  with_mirror_axis_around_tensor(of_length(points.gz), [&](const auto& axis) {
    using A = std::decay_t<decltype(axis)>;
    f(mirror_z_and_multiply<T, A>, A::threads, columns_bytes(points.gz, width, 3, element));
  });
}

}  // namespace tuned

template <class T>
bool TunedMirrorConvolution<T>::can_do(const Problem& problem, const Limits& limits) {
  using namespace tuned;
  if (!problem.fraction || problem.tensor_on_host || !folds(*problem.fraction, problem.fft_grid))
    return false;
  const GridView points = mirror_points(problem);
  for (const int n : {points.gx, points.gy, points.gz})
    if (radices_of(n).empty() || n > 8192) return false;
  if (!lines_fit(points, sizeof(Complex<T>), limits, AllLanes{})) return false;
  bool all = true;
  each_mirror_kernel<T>(points, choose_width(points, sizeof(Complex<T>), limits, AllLanes{}),
                        [&](auto kernel, int threads, std::size_t bytes) {
                          all = all && backend::cuda::fits(kernel, threads, bytes, limits);
                        });
  return all;
}

template <class T>
struct TunedMirrorConvolution<T>::Parts {
  using C = Complex<T>;
  template <class U>
  using Array = backend::CudaArray<U>;

  backend::Cuda& dev;
  LatticeView lattice;
  const MirrorFraction& fraction;
  Int3 fft_grid;
  GridView points;
  int width;
  tuned::TileLayout tiles;
  tuned::Axis<T> along_x, along_y, along_z;
  Array<C> turns[3];
  Array<int> point_of[3], slot_of_x;
  /// What a product needs besides its tensor.
  struct Work {
    Array<C> lines, slices[2];
  };
  std::shared_ptr<Work> work;
  Array<C> tensor;
  int groups_at_once = 1, streams = 2;
  tuned::SecondStream second;

  Parts(backend::Cuda& d, const Problem& problem, const LatticeView& l,
        std::shared_ptr<Work> shared = nullptr)
      : dev(d),
        lattice(l),
        fraction(*problem.fraction),
        fft_grid(problem.fft_grid),
        points(tuned::mirror_points(problem)),
        width(tuned::choose_width(points, sizeof(C), d.limits(), tuned::AllLanes{})),
        tiles{tuned::mirror_slots(tuned::mirror_axis(problem, 0), width), grid_view(problem.fft_grid), 6},
        along_x(d, points.gx, tuned::mirror_radices_between_memory<T>(points.gx)),
        along_y(d, points.gy, tuned::mirror_radices_between_memory<T>(points.gy)),
        along_z(d, points.gz, tuned::mirror_radices_around_tensor<T>(points.gz)),
        work(std::move(shared)) {
    tensor = dev.allocate<C>(tiles.size());
    tuned::TileBuilder<T>(dev, problem, tiles).build(tensor.data(), 0);
    const std::size_t group = std::size_t(3) * points.gy * lattice.nz * width;
    const std::size_t target = tuned::slice_bytes(dev.limits()) / sizeof(C);
    groups_at_once = int(std::clamp<std::size_t>(target / group, 1, tiles.slots.groups));
    if (groups_at_once == tiles.slots.groups) streams = 1;
    if (!work) allocate_work(group * groups_at_once);
    upload_tables(problem);
    tuned::each_mirror_kernel<T>(points, width, [](auto kernel, int, std::size_t bytes) {
      backend::cuda::allow_shared(kernel, bytes);
    });
  }
  ~Parts() { cudaStreamSynchronize(dev.stream()); }

  int slots() const { return tiles.slots.groups * width; }
  index_t rows() const { return index_t(lattice.ny) * lattice.nz; }

  void allocate_work(std::size_t slice) {
    work = std::make_shared<Work>();
    work->lines = dev.allocate<C>(3 * rows() * slots());
    for (int s = 0; s < streams; ++s) work->slices[s] = dev.allocate<C>(slice);
  }

  template <class U>
  Array<U> uploaded(const std::vector<U>& list) {
    Array<U> array = dev.allocate<U>(std::max<std::size_t>(1, list.size()));
    dev.upload(array.data(), list.data(), list.size());
    return array;
  }
  void upload_tables(const Problem& problem) {
    const tuned::Axis<T>* along[3] = {&along_x, &along_y, &along_z};
    for (int a = 0; a < 3; ++a) {
      turns[a] = uploaded(tuned::turns_of<T>(tuned::mirror_axis(problem, a)));
      point_of[a] = uploaded(along[a]->points_of());
    }
    std::vector<int> frequencies;
    for (int s = 0; !fraction.planes[0] && s < slots(); ++s) frequencies.push_back(tiles.slots.frequency(s));
    slot_of_x = uploaded(frequencies);
    dev.synchronize();  // the lists go
  }

  /// With the parity of the sector that the fraction is at.
  tuned::MirrorView<T> view() const {
    tuned::MirrorAxis axes[3];
    for (int a = 0; a < 3; ++a)
      axes[a] = {fft_grid[a], fraction.particle.box[a], fraction.planes[a], fraction.parity[a]};
    const tuned::LaneLayout lanes(width, sizeof(C));
    return {{axes, tiles, width, tensor.data()},
            lattice.ny,
            lattice.nz,
            slots(),
            lanes.log_width,
            lanes.swizzle,
            0,
            {turns[0].data(), turns[1].data(), turns[2].data()},
            {point_of[0].data(), point_of[1].data(), point_of[2].data()},
            slot_of_x.data(),
            work->lines.data(),
            nullptr};
  }

  /// The three passes over the groups [first, first + count), on one stream.
  void run_slices(tuned::MirrorView<T> m, int first, int count, C* slices, cudaStream_t stream) {
    m.first_group = first;
    m.slices = slices;
    const std::size_t y_bytes = tuned::columns_bytes(points.gy, width, 1, sizeof(C)),
                      z_bytes = tuned::columns_bytes(points.gz, width, 3, sizeof(C));
    const dim3 y_blocks(lattice.nz, 3, count), z_blocks(points.gy, count);
    tuned::with_mirror_axis_between_memory(along_y.view(), [&](const auto& axis) {
      using A = std::decay_t<decltype(axis)>;
      backend::cuda::launch(stream, y_blocks, A::threads, y_bytes, tuned::mirror_y<T, A>, axis, m);
    });
    tuned::with_mirror_axis_around_tensor(along_z.view(), [&](const auto& axis) {
      using A = std::decay_t<decltype(axis)>;
      backend::cuda::launch(stream, z_blocks, A::threads, z_bytes, tuned::mirror_z_and_multiply<T, A>, axis,
                            m);
    });
    tuned::with_mirror_axis_between_memory(along_y.view(), [&](const auto& axis) {
      using A = std::decay_t<decltype(axis)>;
      backend::cuda::launch(stream, y_blocks, A::threads, y_bytes, tuned::mirror_y_back<T, A>, axis, m);
    });
  }

  krylov::ProductSums<double> apply(const C* root, const C* x, C* y, bool adjoint) {
    dev.select();
    const tuned::MirrorView<T> m = view();
    const int at_once = tuned::rows_at_once(points.gx);
    const tuned::LinesView<T> v{
        lattice, m.slots, nullptr, at_once, root, x, m.lines, adjoint, lattice.dipoles == lattice.sites()};
    const int blocks = int((rows() + at_once - 1) / at_once);
    const std::size_t x_bytes = tuned::rows_bytes(points.gx, sizeof(C));
    tuned::with_mirror_axis_between_memory(along_x.view(), [&](const auto& axis) {
      using A = std::decay_t<decltype(axis)>;
      backend::cuda::launch(dev.stream(), dim3(blocks, 3), A::threads, x_bytes, tuned::mirror_scatter_x<T, A>,
                            axis, m, v);
    });
    // no graph, as the whole's product has: the sector changes, and one chunk is the rule
    second.take_turns(dev.stream(), tiles.slots.groups, groups_at_once, streams == 2,
                      [&](int first, int count, int s, cudaStream_t stream) {
                        run_slices(m, first, count, work->slices[s].data(), stream);
                      });
    const auto ticket = dev.ticket();
    const int walkers = std::min(3 * blocks, backend::cuda::reduce_blocks);
    tuned::with_mirror_axis_between_memory(along_x.view(), [&](const auto& axis) {
      using A = std::decay_t<decltype(axis)>;
      backend::cuda::launch(dev.stream(), dim3(walkers), A::threads, x_bytes, tuned::mirror_gather_x<T, A>,
                            axis, m, v, y, ticket);
    });
    const auto s = dev.template collect<5, double>(ticket);
    return {{s.v[0], s.v[1]}, {s.v[2], s.v[3]}, s.v[4]};
  }
};

template <class T>
TunedMirrorConvolution<T>::TunedMirrorConvolution(backend::Cuda& dev, const Problem& problem,
                                                  const LatticeView& lattice)
    : parts_(std::make_unique<Parts>(dev, problem, lattice)) {}
template <class T>
TunedMirrorConvolution<T>::TunedMirrorConvolution(const TunedMirrorConvolution& twin, const Problem& problem)
    : parts_(std::make_unique<Parts>(twin.parts_->dev, problem, twin.parts_->lattice, twin.parts_->work)) {}
template <class T>
TunedMirrorConvolution<T>::~TunedMirrorConvolution() = default;

template <class T>
krylov::ProductSums<double> TunedMirrorConvolution<T>::apply(const Complex<T>* root, const Complex<T>* x,
                                                             Complex<T>* y, bool adjoint) {
  return parts_->apply(root, x, y, adjoint);
}

template <class T>
int TunedMirrorConvolution<T>::width() const {
  return parts_->width;
}

template <class T>
std::vector<MemoryUse> TunedMirrorConvolution<T>::memory() const {
  const Parts& p = *parts_;
  return {{"interaction tensor", p.tensor.bytes()},
          {"lines of the transform", p.work->lines.bytes()},
          {"slices of the transform", p.work->slices[0].bytes() + p.work->slices[1].bytes()}};
}

}  // namespace umov::dda
