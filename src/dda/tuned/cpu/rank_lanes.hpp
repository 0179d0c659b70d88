// The lanes' product on several ranks: blocks of frequencies are what is exchanged.
#pragma once

#include <omp.h>

#include <algorithm>
#include <memory>
#include <span>
#include <vector>

#include "comm/on_ranks.hpp"
#include "comm/parts.hpp"
#include "dda/ranks/slab.hpp"
#include "dda/ranks/tensor.hpp"
#include "dda/tuned/cpu/lane_rows.hpp"
#include "linalg/krylov/krylov.hpp"

namespace umov::dda::cpu {

/// LaneConvolution on a particle in slabs: each rank transforms its rows along x and has a stretch of the
/// blocks of frequencies, with the blocks of their mirror images. Plane z outermost in a block, a slab's part
/// of it is one message, and lies where it comes to; a rank's own part is never copied. All messages of the
/// way there are started at once, those back as their blocks are done. Messages hold lanes and rows that only
/// fill up: (W - 1) frequencies of either parity at most, and ny up to a multiple of W. Memory beside the
/// tensor's stretch: (2 - 1/P)/P of LaneConvolution's lines, and its work of each thread.
template <class Dev, class T>
class RankLanes {
  using C = Complex<T>;
  using A = backend::Accumulator<T>;
  using Blocks = LaneBlocks<T, HalfTransform<T>>;
  using Rows = LaneRows<T, HalfTransform<T>>;

 public:
  RankLanes(Dev& dev, const Problem& problem, const LatticeView& lattice)
      : RankLanes(dev, problem, lattice, std::make_shared<Work>()) {
    work_->planes = backend::HostArray<C>(std::size_t(own_blocks(me_)) * blocks_.size(nz_));
    work_->lines =
        backend::HostArray<C>((blocks_.list().size() - own_blocks(me_)) * blocks_.size(lattice.nz));
    const std::size_t size = std::max(rows_.work_size(), blocks_.work_size());
    for (int t = 0; t < threads_; ++t) work_->of_thread.push_back(backend::HostArray<C>(size));
  }
  /// Another interaction on the lattice and the grid of `twin`, in its work memory: one product at a time.
  RankLanes(const RankLanes& twin, const Problem& problem)
      : RankLanes(twin.dev_, problem, twin.lattice_, twin.work_) {}

  /// See Convolution::apply. Of every rank.
  krylov::ProductSums<A> apply(const C* root, const C* x, C* y, bool adjoint) {
    const auto plane = [this](int b, int z) { return plane_of(b, z); };
    const int groups = rows_.groups(), tasks = lattice_.nz * groups;
#pragma omp parallel for num_threads(threads_) schedule(static)
    for (int t = 0; t < tasks; ++t) rows_.scatter(plane, t / groups, t % groups, root, x, adjoint, work());
    std::vector<comm::Pending> there, back;
    for (int g = 0; g < exchanges_; ++g) there.push_back(exchange(g, true));
    for (int g = 0; g < exchanges_; ++g) {
      there[std::size_t(g)].finish();
      const int first = first_[std::size_t(me_)] + g * at_once_,
                end = std::min(first + at_once_, first_[std::size_t(me_) + 1]);
#pragma omp parallel for num_threads(threads_) schedule(dynamic, 1)
      for (int b = first; b < end; ++b) blocks_.transform(own_block(b), b, work());
      back.push_back(exchange(g, false));
    }
    for (auto& pending : back) pending.finish();
    sums_.assign(std::size_t(tasks), {});
#pragma omp parallel for num_threads(threads_) schedule(static)
    for (int t = 0; t < tasks; ++t)
      rows_.gather(plane, t / groups, t % groups, root, x, y, adjoint, work(), sums_[t]);
    auto s = backend::pairwise(sums_);
    comm::sum(dev_.ranks(), std::span<A>(s.v, 5));
    return krylov::product_sums(s);
  }

  std::vector<MemoryUse> memory() const {
    std::size_t slices = 0;
    for (const auto& w : work_->of_thread) slices += w.bytes();
    return {{"interaction tensor", blocks_.tensor_bytes()},
            {"lines of the transform", work_->lines.bytes()},
            {"planes of all ranks", work_->planes.bytes()},
            {"slices of the transform", slices}};
  }

 private:
  /// What a product needs besides its tensor.
  struct Work {
    backend::HostArray<C> lines;   ///< own planes z of blocks that others have
    backend::HostArray<C> planes;  ///< all planes z of own blocks
    std::vector<backend::HostArray<C>> of_thread;
  };

  RankLanes(Dev& dev, const Problem& problem, const LatticeView& lattice, std::shared_ptr<Work> work)
      : dev_(dev),
        lattice_(lattice),
        slab_(problem.slab),
        nz_(problem.particle->box[2]),
        me_(dev.ranks().rank()),
        blocks_(grid_view(problem.fft_grid), problem.particle->box, nullptr, dev.threads()),
        rows_(lattice, blocks_),
        threads_(index_t(problem.particle->sites()) / dev.ranks().size() < Dev::worth_waking / 2
                     ? 1
                     : dev.threads()),
        work_(std::move(work)) {
    dev.set_places({slab_->own_dipoles(), slab_->all_dipoles(), slab_->first_dipole()});
    const auto tensor = share_blocks();
    at_once_ = comm::max(dev.ranks(), threads_);
    for (int r = 0; r < ranks(); ++r)
      exchanges_ = std::max(exchanges_, (own_blocks(r) + at_once_ - 1) / at_once_);
    build_tensor(problem, tensor);
  }

  int ranks() const { return dev_.ranks().size(); }
  int own_blocks(int rank) const { return first_[std::size_t(rank) + 1] - first_[std::size_t(rank)]; }
  C* work() { return work_->of_thread[std::size_t(omp_get_thread_num())].data(); }

  /// Deals the blocks out, mirror images with what they are images of. The borders of the tensor blocks.
  std::vector<index_t> share_blocks() {
    std::vector<double> costs(std::size_t(blocks_.tensor_blocks()), 0);
    for (const auto& b : blocks_.list()) costs[std::size_t(b.tensor)] += 1;
    const auto borders = comm::balanced_parts(costs, ranks());
    first_.assign(std::size_t(ranks()) + 1, 0);
    for (const auto& b : blocks_.list()) ++first_[std::size_t(comm::rank_of(borders, b.tensor)) + 1];
    for (int r = 0; r < ranks(); ++r) first_[std::size_t(r) + 1] += first_[std::size_t(r)];
    return borders;
  }

  /// Where plane z (of this rank's) of block b of the list is.
  C* plane_of(int b, int z) {
    const int first = first_[std::size_t(me_)], end = first_[std::size_t(me_) + 1];
    if (b >= first && b < end)
      return own_block(b) + (std::size_t(slab_->first_plane()) + z) * blocks_.plane_size();
    return work_->lines.data() + (b < first ? b : b - (end - first)) * blocks_.size(lattice_.nz) +
           z * blocks_.plane_size();
  }
  C* own_block(int b) { return work_->planes.data() + (b - first_[std::size_t(me_)]) * blocks_.size(nz_); }

  /// Group g of every rank's blocks: to that rank, or back to where the rows are.
  comm::Pending exchange(int g, bool there) {
    std::vector<comm::Out> outs;
    std::vector<comm::In> ins;
    const auto add = [&](int rank, C* at, std::size_t n, bool mine) {
      if (mine == there)
        outs.push_back(comm::out(rank, at, n));
      else
        ins.push_back(comm::in(rank, at, n));
    };
    for (int r = 0; r < ranks(); ++r)
      for (int i = g * at_once_; r != me_ && i < std::min((g + 1) * at_once_, own_blocks(r)); ++i)
        add(r, plane_of(first_[std::size_t(r)] + i, 0), lattice_.nz * blocks_.plane_size(), true);
    for (int i = g * at_once_; i < std::min((g + 1) * at_once_, own_blocks(me_)); ++i)
      for (int r = 0; r < ranks(); ++r) {
        const auto z = slab_->planes[std::size_t(r)], end = slab_->planes[std::size_t(r) + 1];
        if (r != me_)
          add(r, own_block(first_[std::size_t(me_)] + i) + z * blocks_.plane_size(),
              std::size_t(end - z) * blocks_.plane_size(), false);
      }
    return dev_.channel().start(outs, ins);
  }

  /// Of the frequencies between the lowest and the highest of a rank's blocks, component by component.
  void build_tensor(const Problem& problem, const std::vector<index_t>& borders) {
    KeptFrequencies kept;
    for (int r = 0; r < ranks(); ++r) {
      const auto [low, high] =
          blocks_.frequencies(int(borders[std::size_t(r)]), int(borders[std::size_t(r) + 1]));
      kept.push_back({{low, std::max(0, high - low + 1)}});
      if (high < low) kept.back().clear();
    }
    const GridView grid = grid_view(problem.fft_grid);
    const auto& mine = kept[std::size_t(me_)];
    const std::size_t plane = std::size_t(grid.hy) * grid.hz, longest = std::max({grid.gx, grid.gy, grid.gz});
    blocks_.keep(int(borders[std::size_t(me_)]), int(borders[std::size_t(me_) + 1]));
    backend::HostArray<C> one(kept_by(mine) * plane),
        buffer(longest * std::clamp<std::size_t>(plane, 1, 4096));
    RankTensor<Dev, T> tensor(dev_, problem, grid, kept, buffer);
    for (int c = 0; c < 6; ++c) {
      tensor.one(one.data(), c);
      if (!mine.empty()) blocks_.take(one.data(), mine.front().first, c, 1, dev_.threads());
    }
  }

  Dev& dev_;
  LatticeView lattice_;
  const ParticleSlab* slab_;
  int nz_, me_;  ///< planes z of the whole
  Blocks blocks_;
  Rows rows_;               // of blocks_
  std::vector<int> first_;  ///< borders of the ranks' blocks of the list
  int threads_;
  int at_once_ = 1;    ///< blocks of a group: as many as the rank with most threads has
  int exchanges_ = 0;  ///< groups of the rank with the most
  std::shared_ptr<Work> work_;
  std::vector<backend::Sums<A, 5>> sums_;
};

}  // namespace umov::dda::cpu
