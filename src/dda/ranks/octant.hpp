// An octant on several ranks: its lags in stretches of z, its frequencies in stretches of kx.
#pragma once

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "comm/on_ranks.hpp"
#include "comm/parts.hpp"
#include "dda/kernels/rank_octant.hpp"
#include "dda/ranks/shares.hpp"

namespace umov::dda {

/// Borders of the ranks' stretches of the lags z of an octant.
inline std::vector<index_t> lag_stretches(const GridView& grid, int ranks) {
  return comm::even_parts(grid.hz, ranks);
}

/// What TensorBuilder does to the lines of one component, and the exchanges between those along x, which a
/// rank has of its lags z, and those along y and z, which it has of its kx. Of every rank, in one order.
template <class Dev, class T>
class RankOctant {
  using C = Complex<T>;
  using Buffer = typename Dev::template Array<C>;

 public:
  /// `buffer` is work space for whole lines, of any size not below the longest.
  RankOctant(Dev& dev, const GridView& grid, KeptFrequencies kept, Buffer& buffer)
      : dev_(dev),
        grid_(grid),
        kept_(std::move(kept)),
        stretches_(lag_stretches(grid, dev.ranks().size())),
        buffer_(buffer) {}

  /// This rank's stretch of z.
  int first_lag() const { return int(stretches_[std::size_t(me())]); }
  int lags() const { return int(stretches_[std::size_t(me()) + 1]) - first_lag(); }
  int own() const { return kept_by(mine()); }  ///< its kx
  /// Numbers of a component: [hx][lags z][hy], and [own hx][hz][hy].
  index_t size_of_lags() const { return index_t(grid_.hx) * lags() * grid_.hy; }
  index_t size() const { return index_t(own()) * grid_.hz * grid_.hy; }

  /// Component c of [hx][rows] along x, in place.
  void along_x(C* base, int c, index_t rows) {
    along(base, odd_along(c, 0), {rows, 1, 0, rows, grid_.hx, grid_.gx}, rows);
  }
  /// Components [own hx][slots][hz][hy], the one in place `slot`; along y only of planes z below nz.
  void along_y(C* octant, int slots, int slot, int c, int nz) {
    const index_t hy = grid_.hy, plane = hy * grid_.hz;
    along(octant + slot * plane, odd_along(c, 1), {nz, hy, slots * plane, 1, grid_.hy, grid_.gy},
          index_t(nz) * own());
  }
  void along_z(C* octant, int slots, int slot, int c) {
    const index_t hy = grid_.hy, plane = hy * grid_.hz;
    along(octant + slot * plane, odd_along(c, 2), {hy, 1, slots * plane, hy, grid_.hz, grid_.gz}, hy * own());
  }

  /// From stretches of z to those of kx, into place `slot`; the two may be the same memory.
  void to_frequencies(const C* lags, C* octant, int slots, int slot) {
    comm::Communicator& ranks = dev_.ranks();
    auto sent = dev_.template allocate<C>(size());
    std::vector<comm::Out> outs;
    std::vector<comm::In> ins;
    C* to = sent.data();
    for (int r = 0; r < ranks.size(); ++r) {
      const index_t row = index_t(this->lags()) * grid_.hy;
      for (const FrequencyStretch& s : kept_[std::size_t(r)])
        outs.push_back(comm::out(r, lags + s.first * row, std::size_t(s.count * row)));
      for (const FrequencyStretch& s : mine()) {
        const index_t n = s.count * length(stretches_, r) * grid_.hy;
        ins.push_back(comm::in(r, to, std::size_t(n)));
        to += n;
      }
    }
    dev_.channel().exchange(outs, ins);
    const auto places = places_of(stretches_);
    dev_.for_each(size(), JoinLags<T>{own(), grid_.hy, grid_.hz, slots, slot, places.data(),
                                      places.data() + grid_.hz, sent.data(), octant});
    dev_.synchronize();  // what was sent goes
  }

  /// The way back of lags below ny: from [own hx][hz][hy] to [hx][lags z][ny] in stretches of z with the
  /// borders `to`. The ranks' kx follow each other.
  void to_lags(const C* octant, int ny, const std::vector<index_t>& to, C* lags) {
    comm::Communicator& ranks = dev_.ranks();
    const int nz = int(to.back());
    auto parts = dev_.template allocate<C>(index_t(own()) * nz * ny);
    const auto places = places_of(to);
    dev_.for_each(index_t(parts.size()), PartLags<T>{own(), grid_.hy, grid_.hz, ny, nz, places.data(),
                                                     places.data() + nz, octant, parts.data()});
    std::vector<comm::Out> outs;
    std::vector<comm::In> ins;
    for (int r = 0; r < ranks.size(); ++r) {
      outs.push_back(comm::out(r, parts.data() + to[std::size_t(r)] * own() * ny,
                               std::size_t(length(to, r) * own() * ny)));
      const index_t n = kept_by(kept_[std::size_t(r)]) * length(to, me()) * ny;
      ins.push_back(comm::in(r, lags, std::size_t(n)));
      lags += n;
    }
    dev_.channel().exchange(outs, ins);
    dev_.synchronize();  // the parts go
  }

 private:
  int me() const { return dev_.ranks().rank(); }
  const std::vector<FrequencyStretch>& mine() const { return kept_[std::size_t(me())]; }
  static index_t length(const std::vector<index_t>& borders, int r) {
    return borders[std::size_t(r) + 1] - borders[std::size_t(r)];
  }

  /// Of each z the first one of the rank that has it, then how many that has.
  typename Dev::template Array<int> places_of(const std::vector<index_t>& borders) {
    std::vector<int> places;
    for (const bool first : {true, false})
      for (index_t z = 0; z < borders.back(); ++z) {
        const int r = comm::rank_of(borders, z);
        places.push_back(int(first ? borders[std::size_t(r)] : length(borders, r)));
      }
    auto on_device = dev_.template allocate<int>(places.size());
    dev_.upload(on_device.data(), places.data(), places.size());
    dev_.synchronize();  // the list goes
    return on_device;
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
  GridView grid_;
  KeptFrequencies kept_;
  std::vector<index_t> stretches_;  ///< borders of the ranks' lags z
  Buffer& buffer_;
};

}  // namespace umov::dda
