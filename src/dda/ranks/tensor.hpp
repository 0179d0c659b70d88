// The transformed interaction tensor in stretches of kx, a rank each: never whole anywhere.
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "comm/on_ranks.hpp"
#include "comm/parts.hpp"
#include "dda/interaction.hpp"
#include "dda/kernels/rank_product.hpp"
#include "dda/ranks/shares.hpp"
#include "dda/tensor_builder.hpp"

namespace umov::dda {

/// What TensorBuilder does, on several ranks. Each fills the lags of a stretch of z and transforms them along
/// x; then it gets all lags z of its own kx in one exchange, and transforms them along y and z alone. One
/// component after the other: beside the tensor there are two parts of a sixth of its size.
template <class Dev, class T>
class RankTensor {
  using C = Complex<T>;
  using Buffer = typename Dev::template Array<C>;

 public:
  /// `buffer` is work space for whole lines, of any size not below the longest.
  RankTensor(Dev& dev, const Problem& problem, const GridView& grid, KeptFrequencies kept, Buffer& buffer)
      : dev_(dev),
        problem_(problem),
        grid_(grid),
        kept_(std::move(kept)),
        lags_(comm::even_parts(grid.hz, dev.ranks().size())),
        buffer_(buffer) {}

  /// What the rank keeps, [own hx][6][hz][hy], with the factor 1/(gx gy gz) of the inverse transform.
  void fill(C* octant) {
    for (int c = 0; c < 6; ++c) component(octant, 6, c, c);
  }
  /// Component c alone, as [own hx][hz][hy].
  void one(C* octant, int c) { component(octant, 1, 0, c); }

 private:
  /// Component c, in place `slot` of `slots`.
  void component(C* octant, int slots, int slot, int c) {
    const int me = dev_.ranks().rank();
    const index_t first = lags_[std::size_t(me)], own = lags_[std::size_t(me) + 1] - first;
    auto lags = dev_.template allocate<C>(index_t(grid_.hx) * own * grid_.hy);
    const T scale = T(1.0L / ((long double)grid_.gx * grid_.gy * grid_.gz));
    const Int3& box = problem_.particle->box;
    InteractionOnDevice<Dev, T> interaction(dev_, problem_);
    interaction.visit([&](auto term) {
      dev_.for_each(index_t(lags.size()),
                    FillLags<T, decltype(term)>{term, box[0], box[1], box[2], int(first), int(own), grid_.hy,
                                                c, scale, lags.data()});
    });
    along(lags.data(), odd_along(c, 0), {own * grid_.hy, 1, 0, own * grid_.hy, grid_.hx, grid_.gx},
          own * grid_.hy);
    send(lags.data(), octant, slots, slot);
    along_y_and_z(octant, slots, slot, c);
  }

  void along_y_and_z(C* octant, int slots, int slot, int c) {
    const index_t hy = grid_.hy, hz = grid_.hz, plane = hy * hz, own = kept_by(mine());
    C* const base = octant + slot * plane;
    along(base, odd_along(c, 1), {hz, hy, slots * plane, 1, grid_.hy, grid_.gy}, hz * own);
    along(base, odd_along(c, 2), {hy, 1, slots * plane, hy, grid_.hz, grid_.gz}, hy * own);
  }

  const std::vector<FrequencyStretch>& mine() const { return kept_[std::size_t(dev_.ranks().rank())]; }

  /// From stretches of z to those of kx.
  void send(const C* lags, C* octant, int slots, int slot) {
    comm::Communicator& ranks = dev_.ranks();
    const int me = ranks.rank(), own = kept_by(mine());
    const auto count = [&](int r) { return lags_[std::size_t(r) + 1] - lags_[std::size_t(r)]; };
    auto sent = dev_.template allocate<C>(index_t(own) * grid_.hz * grid_.hy);
    std::vector<comm::Out> outs;
    std::vector<comm::In> ins;
    for (int r = 0; r < ranks.size(); ++r) {
      const index_t row = count(me) * grid_.hy;
      for (const FrequencyStretch& s : kept_[std::size_t(r)])
        outs.push_back(comm::out(r, lags + s.first * row, std::size_t(s.count * row)));
      C* to = sent.data() + lags_[std::size_t(r)] * own * grid_.hy;
      for (const FrequencyStretch& s : mine()) {
        const index_t n = s.count * count(r) * grid_.hy;
        ins.push_back(comm::in(r, to, std::size_t(n)));
        to += n;
      }
    }
    dev_.channel().exchange(outs, ins);
    std::vector<int> places;
    for (const bool first : {true, false})
      for (int z = 0; z < grid_.hz; ++z) {
        const int r = comm::rank_of(lags_, z);
        places.push_back(int(first ? lags_[std::size_t(r)] : count(r)));
      }
    auto on_device = dev_.template allocate<int>(places.size());
    dev_.upload(on_device.data(), places.data(), places.size());
    dev_.for_each(index_t(own) * grid_.hz * grid_.hy,
                  JoinLags<T>{own, grid_.hy, grid_.hz, slots, slot, on_device.data(),
                              on_device.data() + grid_.hz, sent.data(), octant});
    dev_.synchronize();  // what was sent goes
  }

  /// Lines of one component in place, in batches that fit the buffer.
  void along(C* base, bool odd, const OctantLines& lines, index_t total) {
    using Fft = typename Dev::template Lines<T>;
    if (total == 0) return;
    const index_t batch =
        std::max<index_t>(1, std::min<index_t>(total, index_t(buffer_.size()) / lines.length));
    Fft most(dev_, lines.length, batch, batch, 1);
    std::optional<Fft> rest;
    if (const index_t left = total % batch) rest.emplace(dev_, lines.length, left, left, 1);
    for (index_t from = 0; from < total; from += batch) {
      const index_t count = std::min(batch, total - from);
      dev_.for_each(count, ExtendByParity<T>{lines, from, count, odd, base, buffer_.data()});
      (count == batch ? most : *rest).run(buffer_.data(), -1);
      dev_.for_each(count, KeepOctant<T>{lines, from, count, buffer_.data(), base});
    }
    dev_.synchronize();  // the plans go
  }

  Dev& dev_;
  const Problem& problem_;
  GridView grid_;
  KeptFrequencies kept_;
  std::vector<index_t> lags_;  ///< borders of the ranks' stretches of z
  Buffer& buffer_;
};

}  // namespace umov::dda
