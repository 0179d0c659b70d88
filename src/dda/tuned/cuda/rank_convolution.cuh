// How the tuned product of several GPUs is set up and run; included once per precision.
#pragma once

#include <algorithm>

#include "dda/ranks/slab.hpp"
#include "dda/ranks/tensor.hpp"
#include "dda/tuned/cuda/rank_convolution.hpp"
#include "dda/tuned/cuda/rank_layout.hpp"
#include "dda/tuned/cuda/tuned_convolution.cuh"

namespace umov::dda {

namespace tuned {

/// The lines side by side that the GPUs of all ranks can take. Of every rank.
template <class T, class Dev>
int width_on_ranks(Dev& dev, const GridView& grid) {
  return comm::min(dev.ranks(),
                   choose_width(grid, sizeof(Complex<T>), dev.limits(), LanesAroundTensor{plans_wanted()}));
}

}  // namespace tuned

template <class T>
bool TunedRankConvolution<T>::can_do(Dev& dev, const Problem& problem) {
  const GridView grid = grid_view(problem.fft_grid);
  const int width = tuned::width_on_ranks<T>(dev, grid);
  const tuned::Plans plans = tuned::plans_wanted();
  bool mine = tuned::lines_fit(grid, sizeof(Complex<T>), dev.limits(), tuned::LanesAroundTensor{plans});
  for (int n : {grid.gx, grid.gy, grid.gz}) mine = mine && !tuned::radices_of(n).empty() && n <= 8192;
  if (mine)
    tuned::each_kernel<T, tuned::RankLinesView>(
        grid, width, plans, [&](auto kernel, int threads, std::size_t bytes) {
          mine = mine && backend::cuda::fits(kernel, threads, bytes, dev.limits());
        });
  return comm::all(dev.ranks(), mine);
}

template <class T>
struct TunedRankConvolution<T>::Parts {
  using C = Complex<T>;
  template <class U>
  using Array = backend::CudaArray<U>;

  Dev& dev;
  LatticeView lattice;
  const ParticleSlab* slab;
  GridView grid;
  int ny, nz;  ///< of the whole
  tuned::Plans plans;
  int width;
  tuned::RankLayout layout;
  tuned::TileLayout tiles;
  tuned::Axis<T> along_x, along_y, along_z;
  Array<int> point_of_slot, pitch_of_slot;
  Array<index_t> place_of_slot;
  /// What a product needs besides its tensor.
  struct Work {
    Array<C> lines, slices[2];
  };
  std::shared_ptr<Work> work;
  Array<C> tensor;
  int groups_at_once = 1;
  tuned::SecondStream second;

  Parts(Dev& d, const Problem& problem, const LatticeView& l, std::shared_ptr<Work> shared = nullptr)
      : dev(d),
        lattice(l),
        slab(problem.slab),
        grid(grid_view(problem.fft_grid)),
        ny(problem.particle->box[1]),
        nz(problem.particle->box[2]),
        plans(tuned::plans_wanted()),
        width(tuned::width_on_ranks<T>(d, grid)),
        layout(tuned::slot_layout(grid.gx, width), slab->planes, ny, d.ranks().rank(), exchanges()),
        tiles(layout.tiles(grid)),
        along_x(d, grid.gx, tuned::radices_between_memory<T>(grid.gx, plans), plans),
        along_y(d, grid.gy, tuned::radices_between_memory<T>(grid.gy, plans), plans),
        along_z(d, grid.gz, tuned::radices_around_tensor<T>(grid.gz, width, plans), plans),
        work(std::move(shared)) {
    dev.set_places({slab->own_dipoles(), slab->all_dipoles(), slab->first_dipole()});
    build_tensor(problem);
    const std::size_t group = std::size_t(3) * grid.gy * nz * width;
    groups_at_once = int(std::clamp<std::size_t>(tuned::slice_bytes(dev.limits()) / (group * sizeof(C)), 1,
                                                 std::max(layout.own_groups(), 1)));
    if (!work) {
      work = std::make_shared<Work>();
      work->lines = dev.template allocate<C>(layout.size);
      for (auto& slices : work->slices)
        slices = dev.template allocate<C>(layout.own_groups() ? group * groups_at_once : 0);
    }
    upload_slots();
    tuned::each_kernel<T, tuned::RankLinesView>(grid, width, plans, [](auto kernel, int, std::size_t bytes) {
      backend::cuda::allow_shared(kernel, bytes);
    });
  }
  ~Parts() { cudaStreamSynchronize(dev.stream()); }

  index_t rows() const { return index_t(lattice.ny) * lattice.nz; }
  int exchanges() const {
    const std::size_t all = std::size_t(3) * ny * nz * grid.gx * sizeof(C), ranks = dev.ranks().size();
    return tuned::rank_exchanges(all / (ranks * ranks));
  }

  void upload_slots() {
    std::vector<int> points, pitches;
    std::vector<index_t> places;
    for (int s = 0; s < layout.slots.slots(); ++s) {
      const int k = layout.slots.frequency(s);
      points.push_back(k < 0 ? -1 : along_x.points_of()[k]);
    }
    layout.slot_tables(places, pitches);
    const auto put = [&](auto& to, const auto& from) {
      to = dev.template allocate<std::decay_t<decltype(from[0])>>(from.size());
      dev.upload(to.data(), from.data(), from.size());
    };
    put(point_of_slot, points);
    put(pitch_of_slot, pitches);
    put(place_of_slot, places);
    dev.synchronize();  // the lists go
  }

  /// Component by component: beside the tensor there are two parts of a sixth of its size.
  void build_tensor(const Problem& problem) {
    const KeptFrequencies kept = layout.kept();
    const auto& mine = kept[std::size_t(layout.me)];
    const index_t plane = tiles.plane(), own = kept_by(mine);
    // the padding of the last tile is multiplied with padding: any finite value will do
    tensor = dev.template allocate<C>(own ? tiles.size() : 0);
    if (own) dev.fill_zero(tensor.data(), tiles.size());
    auto one = dev.template allocate<C>(own * plane);
    const index_t longest = std::max({grid.gx, grid.gy, grid.gz});
    auto buffer = dev.template allocate<C>(
        longest * std::clamp<index_t>((index_t(1) << 23) / longest, 1, index_t(grid.hy) * grid.hz));
    RankTensor<Dev, T> parts(dev, problem, grid, kept, buffer);
    for (int c = 0; c < 6; ++c) {
      parts.one(one.data(), c);
      if (own)
        dev.for_each(own * plane,
                     tuned::PlaceInTiles<T>{tiles, mine.front().count, c, one.data(), tensor.data()});
    }
    dev.synchronize();  // the component goes
  }

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

  /// The passes between the x transforms over `count` groups of a chunk from its group `from` on.
  void run_slices(const tuned::RankChunk& chunk, int from, int count, C* slice, cudaStream_t stream) {
    const tuned::LaneLayout lanes(width, sizeof(C));
    const int first = chunk.first + from;
    const tuned::SlicesView<T> v{layout.slots,
                                 grid,
                                 ny,
                                 nz,
                                 first,
                                 lanes.log_width,
                                 lanes.swizzle,
                                 work->lines.data() + chunk.place,
                                 slice,
                                 tensor.data() + (first - layout.first_group()) * tiles.tile(),
                                 tensor.data() + tiles.edge(),
                                 {1, 3 * ny, 3, layout.pitch(chunk)},
                                 from * width};
    const dim3 y_blocks(nz, 3, count);
    const std::size_t y_bytes = tuned::columns_bytes(grid.gy, width, 1, sizeof(C));
    with_y([&](const auto& axis) {
      using A = std::decay_t<decltype(axis)>;
      launch(stream, y_blocks, A::threads, y_bytes, tuned::transform_y<T, A>, axis, v);
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
      launch(stream, y_blocks, A::threads, y_bytes, tuned::transform_y_back<T, A>, axis, v);
    });
  }

  /// Chunk e of every rank: to that rank, or back to where the rows are.
  comm::Pending exchange(int e, bool there) {
    std::vector<comm::Out> outs;
    std::vector<comm::In> ins;
    for (const bool own : {false, true})
      for (const tuned::RankMessage& m : own ? layout.of_own(e) : layout.of_others(e)) {
        C* const at = work->lines.data() + m.place;
        if (own != there)
          outs.push_back(comm::out(m.rank, at, std::size_t(m.count)));
        else
          ins.push_back(comm::in(m.rank, at, std::size_t(m.count)));
      }
    return dev.channel().start(outs, ins);
  }

  tuned::RankLinesView<T> lines_view(const C* root, const C* x, bool adjoint) const {
    return {{lattice, layout.slots.slots(), point_of_slot.data(), tuned::rows_at_once(grid.gx), root, x,
             work->lines.data(), adjoint, lattice.dipoles == lattice.sites()},
            place_of_slot.data(),
            pitch_of_slot.data()};
  }

  krylov::ProductSums<double> apply(const C* root, const C* x, C* y, bool adjoint) {
    using View = tuned::RankLinesView<T>;
    dev.select();
    const View v = lines_view(root, x, adjoint);
    const int row_blocks = int((rows() + v.rows_at_once - 1) / v.rows_at_once);
    const std::size_t x_bytes = tuned::rows_bytes(grid.gx, sizeof(C));
    if (row_blocks)
      with_x([&](const auto& axis) {
        using A = std::decay_t<decltype(axis)>;
        launch(dev.stream(), dim3(row_blocks, 3), A::threads, x_bytes,
               tuned::scatter_and_transform_x<T, A, View>, axis, v);
      });
    all_chunks();
    backend::Sums<double, 5> s{};
    if (row_blocks) {
      const auto ticket = dev.ticket();
      const int walkers = std::min(3 * row_blocks, backend::cuda::reduce_blocks);
      with_x([&](const auto& axis) {
        using A = std::decay_t<decltype(axis)>;
        launch(dev.stream(), walkers, A::threads, x_bytes, tuned::transform_x_and_gather<T, A, View>, axis, v,
               y, ticket);
      });
      s = dev.template collect<5, double>(ticket);
    }
    comm::sum(dev.ranks(), std::span<double>(s.v, 5));
    return krylov::product_sums(s);
  }

  void all_chunks() {
    std::vector<comm::Pending> there, back;
    for (int e = 0; e < layout.exchanges; ++e) there.push_back(exchange(e, true));
    for (int e = 0; e < layout.exchanges; ++e) {
      there[std::size_t(e)].finish();
      if (const tuned::RankChunk* chunk = layout.chunk(layout.me, e))
        second.take_turns(dev.stream(), chunk->groups, groups_at_once, chunk->groups > groups_at_once,
                          [&](int from, int count, int s, cudaStream_t stream) {
                            run_slices(*chunk, from, count, work->slices[s].data(), stream);
                          });
      back.push_back(exchange(e, false));
    }
    for (auto& pending : back) pending.finish();
  }
};

template <class T>
TunedRankConvolution<T>::TunedRankConvolution(Dev& dev, const Problem& problem, const LatticeView& lattice)
    : parts_(std::make_unique<Parts>(dev, problem, lattice)) {}
template <class T>
TunedRankConvolution<T>::TunedRankConvolution(const TunedRankConvolution& twin, const Problem& problem)
    : parts_(std::make_unique<Parts>(twin.parts_->dev, problem, twin.parts_->lattice, twin.parts_->work)) {}
template <class T>
TunedRankConvolution<T>::~TunedRankConvolution() = default;

template <class T>
krylov::ProductSums<double> TunedRankConvolution<T>::apply(const Complex<T>* root, const Complex<T>* x,
                                                           Complex<T>* y, bool adjoint) {
  return parts_->apply(root, x, y, adjoint);
}
template <class T>
int TunedRankConvolution<T>::width() const {
  return parts_->width;
}
template <class T>
std::vector<MemoryUse> TunedRankConvolution<T>::memory() const {
  const Parts& p = *parts_;
  const std::size_t own = std::size_t(p.layout.size_own) * sizeof(Complex<T>);
  return {{"interaction tensor", p.tensor.bytes()},
          {"lines of the transform", p.work->lines.bytes() - own},
          {"planes of all ranks", own},
          {"slices of the transform", p.work->slices[0].bytes() + p.work->slices[1].bytes()}};
}

}  // namespace umov::dda
