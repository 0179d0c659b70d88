// Kernels of block Krylov methods: Gram matrices and linear combinations of a few long vectors, in tiles.
#pragma once

#include <algorithm>
#include <type_traits>
#include <vector>

#include "backend/array.hpp"
#include "backend/reduce.hpp"
#include "core/complex.hpp"
#include "core/types.hpp"
#include "linalg/krylov/block_algebra.hpp"

namespace umov::krylov {

/// Vectors that a block may have; the coefficients of a tile travel with its kernel.
inline constexpr int most_columns = 16;
/// Vectors of a tile on either side: 4 x 4 complex sums are what a reduction takes at most.
inline constexpr int block_tile = 4;

/// Sums over i of a_r b_c, or conj(a_r) b_c, for one tile of Gram matrices. Rows and columns beyond the
/// tile's are those of its last.
template <class T>
struct GramTile {
  const Complex<T>*a, *b;
  index_t n;
  int rows, columns;
  bool conjugate;
  template <class Sums>
  UMOV_HD void operator()(index_t i, Sums& s) const {
    using A = std::decay_t<decltype(s.v[0])>;
    Complex<A> left[block_tile], right[block_tile];
    for (int t = 0; t < block_tile; ++t) {
      left[t] = Complex<A>(a[(t < rows ? t : rows - 1) * n + i]);
      if (conjugate) left[t] = conj(left[t]);
      right[t] = Complex<A>(b[(t < columns ? t : columns - 1) * n + i]);
    }
    for (int r = 0; r < block_tile; ++r)
      for (int c = 0; c < block_tile; ++c) {
        const Complex<A> v = left[r] * right[c];
        s.v[2 * (block_tile * r + c)] += v.re;
        s.v[2 * (block_tile * r + c) + 1] += v.im;
      }
  }
};

/// y_c = (y_c +) sum_k x_k factor[k][c] for one tile of vectors y. A type for each number of them: no loads
/// that depend on it, which compilers move about.
template <class T, int outputs, bool add>
struct CombineTile {
  const Complex<T>* x;
  Complex<T>* y;
  index_t n;
  int inputs;
  Complex<T> factor[most_columns][outputs];
  UMOV_HD void operator()(index_t i) const {
    Complex<T> sum[outputs];
    for (int c = 0; c < outputs; ++c) sum[c] = add ? y[c * n + i] : Complex<T>(0, 0);
    for (int k = 0; k < inputs; ++k) {
      const Complex<T> v = x[k * n + i];
      for (int c = 0; c < outputs; ++c) sum[c] += v * factor[k][c];
    }
    for (int c = 0; c < outputs; ++c) y[c * n + i] = sum[c];
  }
};

/// The same for a stretch of elements, in loops over neighbours: for devices whose memory the host can touch.
/// (The loop over k of CombineTile is one of those that gcc 12 vectorises wrongly, reading beyond x.)
template <class T, int outputs, bool add>
struct CombineStretch {
  static constexpr bool costly = true;  // of a cpu's loops: some are worth a thread
  static constexpr int length = 128;
  CombineTile<T, outputs, add> tile;
  void operator()(index_t stretch) const {
    const index_t first = stretch * length, count = std::min<index_t>(length, tile.n - first);
    Complex<T> sum[outputs][length];
    for (int c = 0; c < outputs; ++c)
      for (index_t i = 0; i < count; ++i) sum[c][i] = add ? tile.y[c * tile.n + first + i] : Complex<T>(0, 0);
    for (int k = 0; k < tile.inputs; ++k) {
      const Complex<T>* const x = tile.x + k * tile.n + first;
      for (int c = 0; c < outputs; ++c) {
        const Complex<T> factor = tile.factor[k][c];
        for (index_t i = 0; i < count; ++i) sum[c][i] += x[i] * factor;
      }
    }
    for (int c = 0; c < outputs; ++c)
      for (index_t i = 0; i < count; ++i) tile.y[c * tile.n + first + i] = sum[c][i];
  }
};

/// What a Gram matrix is known to be: only its upper half is summed then.
enum class GramKind { general, symmetric, hermitian };

/// Sums of the tiles of a Gram matrix, at most: for an array on the device that gram() works in.
inline constexpr int gram_sums = 2 * most_columns * most_columns;

/// [rows][columns] of a^T b, or of a^H b for `hermitian` (where a = b); vectors one after the other. All
/// tiles are summed before the host waits for them, in `work` (of gram_sums).
template <class Dev, class T>
BlockMatrix gram(Dev& dev, index_t n, const Complex<T>* a, int rows, const Complex<T>* b, int columns,
                 GramKind kind, typename Dev::template Array<double>& work) {
  using A = backend::Accumulator<T>;
  constexpr int of_tile = 2 * block_tile * block_tile;
  constexpr bool queued = std::is_same_v<A, double>;
  struct Place {
    int row, column;
  };
  std::vector<Place> tiles;
  for (int r = 0; r < rows; r += block_tile)
    for (int c = kind == GramKind::general ? 0 : r; c < columns; c += block_tile) tiles.push_back({r, c});
  std::vector<A> sums(tiles.size() * of_tile);
  for (std::size_t t = 0; t < tiles.size(); ++t) {
    const auto [r, c] = tiles[t];
    const GramTile<T> tile{a + r * n,
                           b + c * n,
                           n,
                           std::min(block_tile, rows - r),
                           std::min(block_tile, columns - c),
                           kind == GramKind::hermitian};
    if constexpr (queued) {
      dev.template reduce_to<of_tile>(n, tile, work.data() + t * of_tile);
    } else {
      const auto s = dev.template map_reduce<of_tile, A>(n, tile);
      std::copy_n(s.v, of_tile, sums.begin() + t * of_tile);
    }
  }
  if constexpr (queued) dev.download(sums.data(), work.data(), sums.size());
  BlockMatrix m(rows, columns);
  for (std::size_t t = 0; t < tiles.size(); ++t) {
    const auto [r, c] = tiles[t];
    for (int i = 0; i < std::min(block_tile, rows - r); ++i)
      for (int j = 0; j < std::min(block_tile, columns - c); ++j) {
        const A* const v = sums.data() + t * of_tile + 2 * (block_tile * i + j);
        const BlockMatrix::Number value{double(v[0]), double(v[1])};
        m(r + i, c + j) = value;
        if (kind != GramKind::general && c > r)
          m(c + j, r + i) = kind == GramKind::hermitian ? std::conj(value) : value;
      }
  }
  return m;
}

/// One tile of y = (y +) sign x m, from column `first` of m.
template <int outputs, bool add, class Dev, class T>
void combine_tile(Dev& dev, index_t n, const Complex<T>* x, const BlockMatrix& m, int first, double sign,
                  Complex<T>* y) {
  CombineTile<T, outputs, add> tile{x, y, n, m.rows, {}};
  for (int k = 0; k < m.rows; ++k)
    for (int c = 0; c < outputs; ++c) tile.factor[k][c] = Complex<T>(sign * m(k, first + c));
  if constexpr (std::is_same_v<typename Dev::template Array<Complex<T>>, backend::HostArray<Complex<T>>>) {
    using Stretch = CombineStretch<T, outputs, add>;
    dev.for_each((n + Stretch::length - 1) / Stretch::length, Stretch{tile});
  } else {
    dev.for_each(n, tile);
  }
}

/// y = (y +) sign x m; y and x do not overlap.
template <bool add, class Dev, class T>
void combine(Dev& dev, index_t n, const Complex<T>* x, const BlockMatrix& m, Complex<T>* y, double sign = 1) {
  for (int c = 0; c < m.columns; c += block_tile) {
    Complex<T>* const to = y + c * n;
    switch (std::min(block_tile, m.columns - c)) {
      case 1:
        combine_tile<1, add>(dev, n, x, m, c, sign, to);
        break;
      case 2:
        combine_tile<2, add>(dev, n, x, m, c, sign, to);
        break;
      case 3:
        combine_tile<3, add>(dev, n, x, m, c, sign, to);
        break;
      default:
        combine_tile<block_tile, add>(dev, n, x, m, c, sign, to);
    }
  }
}

}  // namespace umov::krylov
