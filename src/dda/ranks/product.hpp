// The product on several ranks, as every backend can run it.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

#include "comm/on_ranks.hpp"
#include "dda/kernels/rank_product.hpp"
#include "dda/mirror/convolution.hpp"
#include "dda/ranks/shares.hpp"
#include "dda/ranks/slab.hpp"
#include "dda/ranks/tensor.hpp"
#include "dda/scheme/convolution.hpp"

namespace umov::dda {

/// Convolution's sliced transform on a particle in slabs: each rank transforms its lines along x; then every
/// rank gets all y and z of its own planes kx in one exchange of 3 gx ny nz numbers over all ranks, does y,
/// z, the tensor and the way back alone, and sends its planes back the same way. Messages go in groups of
/// planes, all of them started at once: those of later groups travel while the first are computed.
/// Work memory of P ranks: (2 * 3 gx ny nz)/P + 3 width gy gz each; tensor: 6 hx hy hz / P.
template <class Dev, class T>
class RankConvolution {
  using C = Complex<T>;
  using A = backend::Accumulator<T>;

 public:
  RankConvolution(Dev& dev, const Problem& problem, const LatticeView& lattice)
      : RankConvolution(dev, problem, lattice, std::make_shared<Work>()) {
    dev.set_places({slab_->own_dipoles(), slab_->all_dipoles(), slab_->first_dipole()});
    const index_t rows = index_t(lattice.ny) * lattice.nz, plane = index_t(width_) * grid_.gy;
    work_->lines = dev.template allocate<C>(3 * rows * grid_.gx);
    work_->planes = dev.template allocate<C>(index_t(3) * planes_ * ny_ * nz_);
    // the tensor's lines pass through here too, one at least
    const index_t longest = std::max({grid_.gx, grid_.gy, grid_.gz});
    work_->slices = dev.template allocate<C>(std::max<index_t>(planes_ ? 3 * plane * grid_.gz : 0, longest));
    std::vector<int> places;
    for (const bool first : {true, false})
      for (int z = 0; z < nz_; ++z) {
        const int r = comm::rank_of(slab_->planes, z);
        places.push_back(int(first ? slab_->planes[std::size_t(r)] : planes_of(r)));
      }
    work_->places = dev.template allocate<int>(places.size());
    dev.upload(work_->places.data(), places.data(), places.size());
    dev.synchronize();  // places go
    build_tensor(problem);
    if (rows) work_->along_x.emplace(dev, grid_.gx, 3 * rows, 3 * rows, 1);
    if (!planes_) return;
    work_->along_y.emplace(dev, grid_.gy, 1, index_t(3) * width_ * nz_, grid_.gy);
    work_->along_z.emplace(dev, grid_.gz, 3 * plane, 3 * plane, 1);
  }
  /// Another interaction on the lattice and the grid of `twin`, in its work memory: one product at a time.
  RankConvolution(const RankConvolution& twin, const Problem& problem)
      : RankConvolution(twin.dev_, problem, twin.lattice_, twin.work_) {
    build_tensor(problem);
  }

  /// See Convolution::apply. Of every rank.
  ProductSums<A> apply(const C* root, const C* x, C* y, bool adjoint) {
    const index_t rows = index_t(lattice_.ny) * lattice_.nz;
    dev_.for_each(3 * grid_.gx * tiled_rows(rows),
                  ScatterToPlanes<T>{lattice_, grid_.gx, x, root, work_->lines.data(), adjoint});
    if (work_->along_x) work_->along_x->run(work_->lines.data(), -1);
    std::vector<comm::Pending> there, back;
    for (int g = 0; g < exchanges_; ++g) there.push_back(exchange(g, true));
    const auto own = shares_.groups(dev_.ranks().rank(), width_);
    for (int g = 0; g < exchanges_; ++g) {
      there[std::size_t(g)].finish();
      if (g < int(own.size())) slices(own[std::size_t(g)]);
      back.push_back(exchange(g, false));
    }
    for (auto& pending : back) pending.finish();
    if (work_->along_x) work_->along_x->run(work_->lines.data(), +1);
    const auto s = dev_.template map_reduce<5, A>(
        lattice_.nx * tiled_rows(rows),
        GatherFromPlanes<T>{lattice_, x, root, work_->lines.data(), y, adjoint});
    return krylov::product_sums(s);
  }

  std::vector<MemoryUse> memory() const {
    return {{"interaction tensor", tensor_.bytes()},
            {"lines of the transform", work_->lines.bytes()},
            {"planes of all ranks", work_->planes.bytes()},
            {"slices of the transform", work_->slices.bytes()}};
  }
  static constexpr const char* variant = "ranks";
  static std::string transforms() { return transforms_of<Dev>(); }

 private:
  /// What a product needs besides its tensor.
  struct Work {
    typename Dev::template Array<C> lines;   ///< [gx][c][own z][y]
    typename Dev::template Array<C> planes;  ///< of this rank's kx, as PlanesOfRanks has them
    typename Dev::template Array<C> slices;
    typename Dev::template Array<int> places;
    std::optional<typename Dev::template Lines<T>> along_x, along_y, along_z;
  };

  RankConvolution(Dev& dev, const Problem& problem, const LatticeView& lattice, std::shared_ptr<Work> work)
      : dev_(dev),
        lattice_(lattice),
        slab_(problem.slab),
        ny_(problem.particle->box[1]),
        nz_(problem.particle->box[2]),
        grid_(grid_view(problem.fft_grid)),
        shares_(grid_.gx, dev.ranks().size()),
        planes_(shares_.planes(dev.ranks().rank())),
        work_(std::move(work)) {
    for (int r = 0; r < shares_.ranks(); ++r)
      exchanges_ = std::max(exchanges_, int(shares_.groups(r, width_).size()));
  }

  index_t planes_of(int rank) const {
    return slab_->planes[std::size_t(rank) + 1] - slab_->planes[std::size_t(rank)];
  }

  /// Group g of every rank's planes kx: to that rank, or back to where the lines are.
  comm::Pending exchange(int g, bool there) {
    const int me = dev_.ranks().rank();
    std::vector<comm::Out> outs;
    std::vector<comm::In> ins;
    const index_t own_row = index_t(3) * lattice_.nz * ny_;
    for (int r = 0; r < shares_.ranks(); ++r) {
      const auto groups = shares_.groups(r, width_);
      if (g >= int(groups.size())) continue;
      const auto& group = groups[std::size_t(g)];
      C* const lines = work_->lines.data() + group.k0 * own_row;
      const auto n = std::size_t(group.width * own_row);
      if (there)
        outs.push_back(comm::out(r, lines, n));
      else
        ins.push_back(comm::in(r, lines, n));
    }
    const auto mine = shares_.groups(me, width_);
    for (int r = 0; r < shares_.ranks() && g < int(mine.size()); ++r) {
      const auto& group = mine[std::size_t(g)];
      const index_t row = 3 * planes_of(r) * ny_;
      C* const planes =
          work_->planes.data() + 3 * slab_->planes[std::size_t(r)] * ny_ * planes_ + group.place * row;
      const auto n = std::size_t(group.width * row);
      if (there)
        ins.push_back(comm::in(r, planes, n));
      else
        outs.push_back(comm::out(r, planes, n));
    }
    return dev_.channel().start(outs, ins);
  }

  void slices(const FrequencyShares::Group& group) {
    C* const slices = work_->slices.data();
    const index_t plane = index_t(width_) * grid_.gy;
    const PlanesOfRanks places{ny_, nz_, planes_, work_->places.data(), work_->places.data() + nz_};
    dev_.for_each(3 * plane * grid_.gz, TakePlanes<T>{places, group.place, group.width, width_, grid_,
                                                      work_->planes.data(), slices});
    work_->along_y->run(slices, -1);
    work_->along_z->run(slices, -1);
    const int first = shares_.first(dev_.ranks().rank());
    dev_.for_each(index_t(group.width) * grid_.gy * grid_.gz,
                  MultiplyPlanes<T>{{group.k0, width_, grid_, tensor_.data(), first, slices}, group.width});
    work_->along_z->run(slices, +1);
    work_->along_y->run(slices, +1);
    dev_.for_each(index_t(3) * group.width * ny_ * nz_, PutPlanes<T>{places, group.place, group.width, width_,
                                                                     grid_, slices, work_->planes.data()});
  }

  void build_tensor(const Problem& problem) {
    const index_t own = shares_.stored(dev_.ranks().rank());
    tensor_ = dev_.template allocate<C>(6 * own * grid_.hy * grid_.hz);
    RankTensor<Dev, T>(dev_, problem, grid_, shares_.kept(), work_->slices).fill(tensor_.data());
  }

  static constexpr int width_ = 8;  ///< planes of a group
  Dev& dev_;
  LatticeView lattice_;
  const ParticleSlab* slab_;
  int ny_, nz_;  ///< of the whole
  GridView grid_;
  FrequencyShares shares_;
  int planes_ = 0;     ///< planes kx of this rank
  int exchanges_ = 0;  ///< groups of the rank with the most
  std::shared_ptr<Work> work_;
  typename Dev::template Array<C> tensor_;
};

/// The product of a device of several ranks.
template <class Dev, class T>
class SimpleProduct<comm::OnRanks<Dev>, T> : public RankConvolution<comm::OnRanks<Dev>, T> {
 public:
  using RankConvolution<comm::OnRanks<Dev>, T>::RankConvolution;
};

}  // namespace umov::dda
