// Potentials on the nodes of the rough planes, solved tile by tile: divergence, banded factors, gradient.
#pragma once

#include "core/complex.hpp"
#include "core/types.hpp"

namespace umov::fdtd::harmonic {

/// Nodes (i, j, q) of the slab's planes; nodes of plane 0 hold no potential, so that gradients stay inside.
template <class T>
struct SlabView {
  int nx, ny, planes;
  Complex<T> phase_x, phase_y;  ///< of one cell
  T dx, dy, dz;
  T wave_y = 0;  ///< with one column along y: the derivative there is i times this

  UMOV_HD index_t columns() const { return index_t(nx) * ny; }
  UMOV_HD index_t edges() const { return columns() * planes; }
};

/// u = G^H w, G the discrete gradient of potentials: minus the divergence.
template <class T>
struct Divergence {
  SlabView<T> s;
  const Complex<T>* w;
  Complex<T>* u;
  UMOV_HD void operator()(index_t node) const {
    const index_t column = node % s.columns(), n = s.edges();
    const int i = int(column % s.nx), j = int(column / s.nx), q = int(node / s.columns());
    if (q == 0) {
      u[node] = Complex<T>(0, 0);
      return;
    }
    const index_t left = node + (i > 0 ? -1 : s.nx - 1);
    Complex<T> sum = (T(1) / s.dx) * (conj(s.phase_x) * w[left] - w[node]);
    if (s.ny > 1) {
      const index_t before = node + (j > 0 ? -index_t(s.nx) : index_t(s.ny - 1) * s.nx);
      sum += (T(1) / s.dy) * (conj(s.phase_y) * w[n + before] - w[n + node]);
    } else {
      sum += Complex<T>(0, -s.wave_y) * w[n + node];
    }
    u[node] = sum + (T(1) / s.dz) * (w[2 * n + node - s.columns()] - w[2 * n + node]);
  }
};

/// Component c of G phi at an edge.
template <class T>
UMOV_HD inline Complex<T> gradient_at(const SlabView<T>& s, const Complex<T>* phi, int c, index_t node) {
  const index_t column = node % s.columns();
  const int i = int(column % s.nx), j = int(column / s.nx), q = int(node / s.columns());
  if (c == 0) return (T(1) / s.dx) * (s.phase_x * phi[node + (i + 1 < s.nx ? 1 : 1 - s.nx)] - phi[node]);
  if (c == 1) {
    if (s.ny == 1) return Complex<T>(0, s.wave_y) * phi[node];
    return (T(1) / s.dy) *
           (s.phase_y * phi[node + (j + 1 < s.ny ? index_t(s.nx) : index_t(1 - s.ny) * s.nx)] - phi[node]);
  }
  const Complex<T> below = q + 1 < s.planes ? phi[node + s.columns()] : Complex<T>(0, 0);
  return (T(1) / s.dz) * (below - phi[node]);
}

/// g = G phi over all edges, and r = from + k0^2 eps g: what is left of the residual.
template <class T>
struct GradientAndRest {
  SlabView<T> s;
  const Complex<T>*phi, *keps, *from;
  Complex<T>*g, *r;
  UMOV_HD void operator()(index_t e) const {
    const Complex<T> v = gradient_at(s, phi, int(e / s.edges()), e % s.edges());
    const Complex<T> rest = from[e] + keps[e] * v;
    g[e] = v;
    r[e] = rest;
  }
};

/// Tiles of `own` columns a side, `overlap` more on each side, over all planes. A tile's potential is 0
/// outside; only its own columns are taken (restricted additive Schwarz; Cai and Sarkis, SIAM J. Sci. Comput.
/// 21, 792 (1999)). Rows are ordered plane by plane: the bandwidth is the number of columns.
template <class T>
struct TilesView {
  SlabView<T> s;
  int own, overlap, across_x, across_y;  ///< tiles along x and y
  int width_x, width_y, band, rows;      ///< columns of a tile, their number, and nodes
  const Complex<T>* keps;                ///< k0^2 eps [3][planes][columns]
  Complex<T>* factor;  ///< per tile [rows][3 band + 1]: row r has columns r - band .. r + 2 band
  int* pivot;          ///< per tile [rows]
  Complex<T>* work;    ///< per tile [rows]

  UMOV_HD index_t tiles() const { return index_t(across_x) * across_y; }
  UMOV_HD int lowest(int at, int across, int cells, int width) const {
    return across == 1 && width >= cells ? 0 : at * own - overlap;
  }
  /// Node of the slab of row r of tile t.
  UMOV_HD index_t node(index_t t, int r) const {
    const int tx = int(t % across_x), ty = int(t / across_x), column = r % band;
    const int i = (lowest(tx, across_x, s.nx, width_x) + column % width_x + s.nx) % s.nx;
    const int j = (lowest(ty, across_y, s.ny, width_y) + column / width_x + s.ny) % s.ny;
    return (index_t(1 + r / band) * s.ny + j) * s.nx + i;
  }
  UMOV_HD bool owns(index_t t, int r) const {
    const int tx = int(t % across_x), ty = int(t / across_x), column = r % band;
    const int i = lowest(tx, across_x, s.nx, width_x) + column % width_x,
              j = lowest(ty, across_y, s.ny, width_y) + column / width_x;
    return i >= tx * own && i < (tx + 1) * own && i < s.nx && j >= ty * own && j < (ty + 1) * own && j < s.ny;
  }
};

/// Builds -k0^2 G^H eps G of each tile and factors it, with row interchanges: the signs of eps change.
template <class T>
struct FactorTiles {
  static constexpr bool costly = true;
  TilesView<T> v;

  UMOV_HD void operator()(index_t t) const {
    const int b = v.band, n = v.rows, stride = 3 * b + 1;
    Complex<T>* a = v.factor + t * index_t(n) * stride;
    int* pivot = v.pivot + t * n;
    for (index_t i = 0; i < index_t(n) * stride; ++i) a[i] = Complex<T>(0, 0);
    // a(r, c) lies at r * stride + c - r + b
    const auto at = [&](int r, int c) -> Complex<T>& { return a[index_t(r) * stride + c - r + b]; };
    const SlabView<T>& s = v.s;
    const index_t edges = s.edges();
    for (int r = 0; r < n; ++r) {
      const index_t node = v.node(t, r);
      const index_t column = node % s.columns();
      const int i = int(column % s.nx), j = int(column / s.nx), x = r % b % v.width_x, y = r % b / v.width_x;
      const T wx = T(1) / (s.dx * s.dx), wy = T(1) / (s.dy * s.dy), wz = T(1) / (s.dz * s.dz);
      const Complex<T> right = wx * v.keps[node], left = wx * v.keps[node + (i > 0 ? -1 : s.nx - 1)];
      const Complex<T> down = wz * v.keps[2 * edges + node], up = wz * v.keps[2 * edges + node - s.columns()];
      Complex<T> sum = right + left + down + up;
      if (x + 1 < v.width_x) at(r, r + 1) = s.phase_x * right;
      if (x > 0) at(r, r - 1) = conj(s.phase_x) * left;
      if (r + b < n) at(r, r + b) = down;
      if (r >= b) at(r, r - b) = up;
      if (s.ny > 1) {
        const Complex<T> behind = wy * v.keps[edges + node],
                         before =
                             wy * v.keps[edges + node + (j > 0 ? -index_t(s.nx) : index_t(s.ny - 1) * s.nx)];
        sum += behind + before;
        if (y + 1 < v.width_y) at(r, r + v.width_x) = s.phase_y * behind;
        if (y > 0) at(r, r - v.width_x) = conj(s.phase_y) * before;
      } else {
        sum += (s.wave_y * s.wave_y) * v.keps[edges + node];
      }
      at(r, r) = -sum;
    }
    for (int c = 0; c < n; ++c) {
      const int last = c + b < n ? c + b : n - 1, end = c + 2 * b < n ? c + 2 * b : n - 1;
      int best = c;
      for (int r = c + 1; r <= last; ++r)
        if (norm2(at(r, c)) > norm2(at(best, c))) best = r;
      pivot[c] = best;
      if (best != c)
        for (int k = c; k <= end; ++k) {
          const Complex<T> swap = at(c, k);
          at(c, k) = at(best, k);
          at(best, k) = swap;
        }
      const Complex<T> inverse = Complex<T>(1, 0) / at(c, c);
      at(c, c) = inverse;
      for (int r = c + 1; r <= last; ++r) {
        const Complex<T> f = at(r, c) * inverse;
        at(r, c) = f;
        if (f.re == T(0) && f.im == T(0)) continue;
        for (int k = c + 1; k <= end; ++k) at(r, k) -= f * at(c, k);
      }
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
    const int b = v.band, n = v.rows, stride = 3 * b + 1;
    const Complex<T>* a = v.factor + t * index_t(n) * stride;
    const int* pivot = v.pivot + t * n;
    Complex<T>* x = v.work + t * n;
    const auto at = [&](int r, int c) { return a[index_t(r) * stride + c - r + b]; };
    for (int r = 0; r < n; ++r) x[r] = u[v.node(t, r)];
    for (int c = 0; c < n; ++c) {
      const Complex<T> here = x[pivot[c]];
      x[pivot[c]] = x[c];
      x[c] = here;
      const int last = c + b < n ? c + b : n - 1;
      for (int r = c + 1; r <= last; ++r) x[r] -= at(r, c) * here;
    }
    for (int c = n - 1; c >= 0; --c) {
      Complex<T> sum = x[c];
      const int end = c + 2 * b < n ? c + 2 * b : n - 1;
      for (int k = c + 1; k <= end; ++k) sum -= at(c, k) * x[k];
      x[c] = at(c, c) * sum;
    }
    for (int r = 0; r < n; ++r)
      if (v.owns(t, r)) phi[v.node(t, r)] = x[r];
  }
};

/// y = x - r and the sums that Krylov solvers ask for.
template <class T>
struct SubtractRest {
  const Complex<T>*x, *r;
  Complex<T>* y;
  template <class S>
  UMOV_HD void operator()(index_t i, S& s) const {
    const Complex<T> xi = x[i], yi = xi - r[i];
    y[i] = yi;
    const Complex<T> xy = xi * yi, xhy = conj(xi) * yi;
    s.v[0] += xy.re;
    s.v[1] += xy.im;
    s.v[2] += xhy.re;
    s.v[3] += xhy.im;
    s.v[4] += norm2(yi);
  }
};

/// out += a + b.
template <class T>
struct AddBoth {
  const Complex<T>*a, *b;
  Complex<T>* out;
  UMOV_HD void operator()(index_t i) const { out[i] += a[i] + b[i]; }
};

}  // namespace umov::fdtd::harmonic
