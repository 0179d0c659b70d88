// Potentials of the rough planes solved tile by tile: plane after plane, with dense blocks.
#pragma once

#include "harmonic/kernels/slab.hpp"

namespace umov::harmonic {

/// Tiles of `own` columns a side, `overlap` more on each side, over all planes. A tile's potential is 0
/// outside; only its own columns are taken (restricted additive Schwarz; Cai and Sarkis, SIAM J. Sci. Comput.
/// 21, 792 (1999)). A tile as wide as the period is periodic. With D_k of plane k's own links and the
/// diagonal u_k of those to the next, the tile's matrix -k0^2 G^H eps G is block tridiagonal:
///     S_k = D_k - u_{k-1} S_{k-1}^-1 u_{k-1},    y_k = f_k - u_{k-1} S_{k-1}^-1 y_{k-1},
///     x_k = S_k^-1 (y_k - u_k x_{k+1}).
template <class T>
struct TilesView {
  SlabView<T> s;
  int own_x, own_y, overlap_x, overlap_y;
  int across_x, across_y;  ///< tiles along x and y
  int width_x, width_y;    ///< columns of a tile
  const Complex<T>* keps;  ///< k0^2 eps [3][planes][columns]
  Complex<T>* inverse;     ///< S_k^-1 by columns: [tile][planes - 1][band][band]
  Complex<T>* work;        ///< [tile][planes - 1][band]

  UMOV_HD index_t tiles() const { return index_t(across_x) * across_y; }
  UMOV_HD int band() const { return width_x * width_y; }
  UMOV_HD int levels() const { return s.planes - 1; }
  /// Column of the slab of column c of tile t, and whether it is the tile's own.
  UMOV_HD int column(index_t t, int c, bool& own, int& i, int& j) const {
    const int tx = int(t % across_x), ty = int(t / across_x);
    const int x = (across_x == 1 ? 0 : tx * own_x - overlap_x) + c % width_x,
              y = (across_y == 1 ? 0 : ty * own_y - overlap_y) + c / width_x;
    own = x >= tx * own_x && x < (tx + 1) * own_x && x < s.nx && y >= ty * own_y && y < (ty + 1) * own_y &&
          y < s.ny;
    i = (x + s.nx) % s.nx;
    j = (y + s.ny) % s.ny;
    return j * s.nx + i;
  }
  UMOV_HD int column(index_t t, int c, bool& own) const {
    int i, j;
    return column(t, c, own, i, j);
  }
  /// u_k of column `at` of the slab; level k is plane k + 1.
  UMOV_HD Complex<T> link(int k, int at) const {
    return (T(1) / (s.dz * s.dz)) * keps[2 * s.edges() + index_t(k + 1) * s.columns() + at];
  }
  /// Adds row r of D_k to `add(column, value)`.
  template <class Add>
  UMOV_HD void row(index_t t, int k, int r, const Add& add) const {
    bool own;
    int i, j;
    const int at = column(t, r, own, i, j), x = r % width_x, y = r / width_x;
    const index_t node = index_t(k + 1) * s.columns() + at;
    const T wx = T(1) / (s.dx * s.dx), wy = T(1) / (s.dy * s.dy);
    const Complex<T> right = wx * keps[node], left = wx * keps[node + s.left(i)];
    Complex<T> sum = right + left + link(k, at) + link(k - 1, at);
    const bool round_x = width_x == s.nx, round_y = width_y == s.ny;
    if (x + 1 < width_x || round_x) add(r - x + (x + 1) % width_x, s.phase_x * right);
    if (x > 0 || round_x) add(r - x + (x + width_x - 1) % width_x, conj(s.phase_x) * left);
    if (s.ny > 1) {
      const Complex<T> behind = wy * keps[s.edges() + node],
                       before = wy * keps[s.edges() + node + s.before(j)];
      sum += behind + before;
      if (y + 1 < width_y || round_y) add(x + (y + 1) % width_y * width_x, s.phase_y * behind);
      if (y > 0 || round_y) add(x + (y + width_y - 1) % width_y * width_x, conj(s.phase_y) * before);
    } else {
      sum += (s.wave_y * s.wave_y) * keps[s.edges() + node];
    }
    add(r, -sum);
  }
};

/// Inverts an n x n matrix in place, a(r, c) at r + c n, with row interchanges; `order` takes n numbers.
template <class T>
UMOV_HD inline void invert(Complex<T>* a, int n, int* order) {
  for (int c = 0; c < n; ++c) {
    int best = c;
    for (int r = c + 1; r < n; ++r)
      if (norm2(a[r + c * n]) > norm2(a[best + c * n])) best = r;
    order[c] = best;
    for (int k = 0; k < n && best != c; ++k) {
      const Complex<T> swap = a[c + k * n];
      a[c + k * n] = a[best + k * n];
      a[best + k * n] = swap;
    }
    const Complex<T> pivot = Complex<T>(1, 0) / a[c + c * n];
    a[c + c * n] = Complex<T>(1, 0);
    for (int k = 0; k < n; ++k) a[c + k * n] = pivot * a[c + k * n];
    // column k of the rest: a_rk -= a_rc a_ck
    for (int k = 0; k < n; ++k) {
      if (k == c) continue;
      const Complex<T> f = a[c + k * n];
      if (f.re == T(0) && f.im == T(0)) continue;
      for (int r = 0; r < n; ++r)
        if (r != c) a[r + k * n] -= a[r + c * n] * f;
    }
    for (int r = 0; r < n; ++r)
      if (r != c) a[r + c * n] = -(a[r + c * n] * pivot);
  }
  for (int c = n - 1; c >= 0; --c)
    for (int r = 0; r < n && order[c] != c; ++r) {
      const Complex<T> swap = a[r + c * n];
      a[r + c * n] = a[r + order[c] * n];
      a[r + order[c] * n] = swap;
    }
}

/// S_k^-1 of all planes of a tile; `order`: [tile][band].
template <class T>
struct FactorTiles {
  static constexpr bool costly = true;
  TilesView<T> v;
  int* order;

  UMOV_HD void operator()(index_t t) const {
    const int b = v.band(), levels = v.levels();
    Complex<T>* a = v.inverse + t * levels * b * b;
    for (int k = 0; k < levels; ++k, a += b * b) {
      const Complex<T>* before = a - b * b;
      bool own;
      for (int c = 0; c < b; ++c)
        for (int r = 0; r < b; ++r)
          a[r + c * b] = k == 0 ? Complex<T>(0, 0)
                                : -(v.link(k - 1, v.column(t, r, own)) * before[r + c * b] *
                                    v.link(k - 1, v.column(t, c, own)));
      for (int r = 0; r < b; ++r) v.row(t, k, r, [&](int c, Complex<T> value) { a[r + c * b] += value; });
      invert(a, b, order + t * b);
    }
  }
};

/// phi = tiles^-1 u on each tile's own columns.
template <class T>
struct SolveTiles {
  static constexpr bool costly = true;
  TilesView<T> v;
  const Complex<T>* u;
  Complex<T>* phi;

  UMOV_HD void operator()(index_t t) const {
    const int b = v.band(), levels = v.levels();
    const Complex<T>* inverse = v.inverse + t * levels * b * b;
    Complex<T>* z = v.work + t * levels * b;
    bool own;
    for (int k = 0; k < levels; ++k) {
      Complex<T>* here = z + k * b;
      for (int r = 0; r < b; ++r) here[r] = Complex<T>(0, 0);
      for (int c = 0; c < b; ++c) {
        const int at = v.column(t, c, own);
        Complex<T> y = u[index_t(k + 1) * v.s.columns() + at];
        if (k > 0) y -= v.link(k - 1, at) * z[(k - 1) * b + c];
        accumulate(inverse + k * b * b + c * b, y, here, b);
      }
    }
    for (int k = levels - 1; k >= 0; --k) {
      Complex<T>* here = z + k * b;
      if (k + 1 < levels)
        for (int c = 0; c < b; ++c)
          accumulate(inverse + k * b * b + c * b, -(v.link(k, v.column(t, c, own)) * here[b + c]), here, b);
      for (int r = 0; r < b; ++r) {
        const int at = v.column(t, r, own);
        if (own) phi[index_t(k + 1) * v.s.columns() + at] = here[r];
      }
    }
  }

 private:
  static UMOV_HD void accumulate(const Complex<T>* column, Complex<T> y, Complex<T>* sum, int n) {
    for (int r = 0; r < n; ++r) sum[r] += column[r] * y;
  }
};

}  // namespace umov::harmonic
