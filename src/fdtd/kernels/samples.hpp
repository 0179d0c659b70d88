// Samples of the fields: series of weighted sums, blocks, sizes.
#pragma once

#include <cstdint>

#include "backend/reduce.hpp"
#include "fdtd/kernels/lists.hpp"

namespace umov::fdtd {

template <class T>
UMOV_HD inline T square(T a) {
  return a * a;
}
template <class T>
UMOV_HD inline T square(Complex<T> a) {
  return norm2(a);
}
template <class T>
UMOV_HD inline Complex<double> widen(T a) {
  return {double(a), 0};
}
template <class T>
UMOV_HD inline Complex<double> widen(Complex<T> a) {
  return {double(a.re), double(a.im)};
}

/// A stretch of points of one channel: short enough for one thread. Rows first .. last - 1 of a list.
struct Piece {
  index_t first, last;
  int component, squares;
};
inline constexpr index_t piece_length = 128;

/// Sum over one piece, in double and in order: that of the sums of its rows, which may be several ranks'.
template <class F>
struct SumPiece {
  FieldPointers<F> fields;
  const Piece* piece;
  const index_t* row;  ///< [row + 1], its first point
  const index_t* cell;
  const double* weight;
  Complex<double>* partial;

  UMOV_HD void operator()(index_t n) const {
    const Piece p = piece[n];
    const F* f = fields.of[p.component];
    Complex<double> sum(0, 0);
    for (index_t r = p.first; r < p.last; ++r) {
      Complex<double> of_row(0, 0);
      for (index_t q = row[r]; q < row[r + 1]; ++q) {
        const F v = f[cell[q]];
        of_row += weight[q] * (p.squares ? Complex<double>(double(square(v)), 0) : widen(v));
      }
      sum += of_row;
    }
    partial[n] = sum;
  }
};

/// Sum over the pieces of one channel.
struct SumChannel {
  const index_t* first;  // [channel + 1]
  const Complex<double>* partial;
  Complex<double>* out;

  UMOV_HD void operator()(index_t ch) const {
    Complex<double> sum(0, 0);
    for (index_t p = first[ch]; p < first[ch + 1]; ++p) sum += partial[p];
    out[ch] = sum;
  }
};

/// Moves a block between a field and an array of its own, x fastest.
template <class F>
struct BlockView {
  F* f;
  F* block;
  int lo[3];
  index_t width, height;
  index_t base, pitch, plane;
  bool into_field;

  UMOV_HD void operator()(int i, int j, int k) const {
    F& cell = f[base + (lo[0] + i) + pitch * (lo[1] + j) + plane * (lo[2] + k)];
    F& own = block[i + width * (j + height * k)];
    if (into_field)
      cell = own;
    else
      own = cell;
  }
};

/// Adds |E|^2 and |H|^2 of cell n (of nx, ny, nz).
template <class F>
struct SumSquares {
  FieldPointers<F> fields;
  index_t nx, ny, base, pitch, plane;
  const double* edge[3] = {};  ///< factors of cell (i, j, k) along each axis; nullptr: 1

  UMOV_HD double volume(index_t n) const {
    const index_t row = n / nx, k = row / ny;
    return (edge[0] ? edge[0][n - row * nx] : 1.0) * (edge[1] ? edge[1][row - k * ny] : 1.0) *
           (edge[2] ? edge[2][k] : 1.0);
  }
  UMOV_HD index_t at(index_t n) const {
    const index_t row = n / nx, k = row / ny;
    return base + (n - row * nx) + pitch * (row - k * ny) + plane * k;
  }
  template <class S>
  UMOV_HD void operator()(index_t n, S& sums) const {
    add(at(n), n, sums);
  }
  /// Cell n, which lies at e.
  template <class S>
  UMOV_HD void add(index_t e, index_t n, S& sums) const {
    if (edge[0] || edge[1] || edge[2]) {
      const double size = volume(n);
      for (int c = 0; c < 6; ++c)
        if (fields.of[c]) sums.v[c / 3] += size * square_wide(fields.of[c][e]);
      return;
    }
    for (int c = 0; c < 6; ++c)
      if (fields.of[c]) sums.v[c / 3] += square_wide(fields.of[c][e]);
  }
  template <class V>
  UMOV_HD static double square_wide(V v) {
    const Complex<double> w = widen(v);
    return norm2(w);
  }
};

/// out[2 n], out[2 n + 1]: sums of |E|^2 and |H|^2 over row n, in order.
template <class F>
struct SumRow {
  static constexpr bool costly = true;
  SumSquares<F> cells;
  double* out;

  UMOV_HD void operator()(index_t row) const {
    backend::Sums<double, 2> sums{};
    const index_t first = row * cells.nx, e = cells.at(first);
    for (index_t i = 0; i < cells.nx; ++i) cells.add(e + i, first + i, sums);
    out[2 * row] = sums.v[0];
    out[2 * row + 1] = sums.v[1];
  }
};

/// out[n]: the ordered_bits of the largest |field|^2 of row n.
template <class F>
struct LargestOfRow {
  static constexpr bool costly = true;
  SumSquares<F> cells;
  std::uint64_t* out;

  UMOV_HD void operator()(index_t row) const {
    std::uint64_t most = 0;
    const index_t e = cells.at(row * cells.nx);
    for (int c = 0; c < 6; ++c) {
      const F* const field = cells.fields.of[c];
      for (index_t i = 0; field && i < cells.nx; ++i) {
        const std::uint64_t bits = backend::ordered_bits(SumSquares<F>::square_wide(field[e + i]));
        most = most < bits ? bits : most;
      }
    }
    out[row] = most;
  }
};

/// Largest |field|^2 of cell n; NaN if one is NaN.
template <class F>
struct LargestSquare {
  SumSquares<F> cells;

  UMOV_HD double operator()(index_t n) const {
    const index_t e = cells.at(n);
    double most = 0;
    for (int c = 0; c < 6; ++c) {
      if (!cells.fields.of[c]) continue;
      const double s = SumSquares<F>::square_wide(cells.fields.of[c][e]);
      if (most == most && !(s <= most)) most = s;
    }
    return most;
  }
};

}  // namespace umov::fdtd
