// Potentials on overlapping tiles of the rough planes: shapes of tiles, and their solver on any device.
#pragma once

#include <algorithm>

#include "harmonic/kernels/tiles.hpp"
#include "harmonic/problem.hpp"

namespace umov::harmonic {

/// Columns a side that a tile owns, and how many more it sees on each side.
struct TileShape {
  int own = 0, overlap = 0;  ///< own = 0: chosen by default_tiles
};

/// In two dimensions 8 + 4 + 4 columns. In space 6 x 6 of which 4 x 4 are the tile's own: in smaller tiles of
/// more overlap the same memory helps less.
inline TileShape default_tiles(const CellGrid& g) { return g.ny > 1 ? TileShape{4, 1} : TileShape{8, 4}; }

/// Sizes of the tiles of `shape` over a slab of nx x ny columns; no memory yet.
template <class T>
TilesView<T> cut_into_tiles(const SlabView<T>& s, const TileShape& shape) {
  TilesView<T> v{};
  v.s = s;
  const auto along = [&](int cells, int& own, int& overlap, int& across, int& width) {
    own = std::min(shape.own, cells);
    across = (cells + own - 1) / own;
    overlap = across == 1 ? 0 : std::min(shape.overlap, cells - own);
    width = across == 1 ? cells : std::min(cells, own + 2 * overlap);
  };
  along(s.nx, v.own_x, v.overlap_x, v.across_x, v.width_x);
  along(s.ny, v.own_y, v.overlap_y, v.across_y, v.width_y);
  return v;
}

/// Complex numbers that the tiles' inverses take.
template <class T>
std::size_t numbers_of(const TilesView<T>& v) {
  return std::size_t(v.tiles()) * v.levels() * v.band() * v.band();
}

/// Tiles with the permittivities `keps` (k0^2 eps, on the device, kept by the caller), factored once.
template <class Dev, class T>
class TileSolver {
  using C = Complex<T>;

 public:
  TileSolver(Dev& dev, const SlabView<T>& s, const TileShape& shape, const C* keps)
      : dev_(dev), view_(cut_into_tiles(s, shape)) {
    inverse_ = dev.template allocate<C>(numbers_of(view_));
    work_ = dev.template allocate<C>(std::size_t(view_.tiles()) * view_.levels() * view_.band());
    view_.keps = keps;
    view_.inverse = inverse_.data();
    view_.work = work_.data();
    factor();
  }

  /// The same after `keps` has changed.
  void factor() {
    auto order = dev_.template allocate<int>(std::size_t(view_.tiles()) * view_.band());
    dev_.for_each(view_.tiles(), FactorTiles<T>{view_, order.data()});
  }

  /// phi of all nodes but those of plane 0, which stay as they are.
  void solve(const C* u, C* phi) { dev_.for_each(view_.tiles(), SolveTiles<T>{view_, u, phi}); }

 private:
  Dev& dev_;
  TilesView<T> view_;
  typename Dev::template Array<C> inverse_, work_;
};

}  // namespace umov::harmonic
