// Potentials on the nodes of the rough planes: divergence of currents, gradient of potentials.
#pragma once

#include "core/complex.hpp"
#include "core/types.hpp"
#include "linalg/krylov/product_sums.hpp"

namespace umov::harmonic {

/// Nodes (i, j, q) of the slab's planes; nodes of plane 0 hold no potential, so that gradients stay inside.
template <class T>
struct SlabView {
  int nx, ny, planes;
  Complex<T> phase_x, phase_y;  ///< of one cell
  T dx, dy, dz;
  T wave_y = 0;  ///< with one column along y: the derivative there is i times this

  UMOV_HD index_t columns() const { return index_t(nx) * ny; }
  UMOV_HD index_t edges() const { return columns() * planes; }
  UMOV_HD index_t at(int i, int j, int q) const { return (index_t(q) * ny + j) * nx + i; }
  /// Neighbours of column i or row j along x and y, periodic.
  UMOV_HD index_t left(int i) const { return i > 0 ? -1 : nx - 1; }
  UMOV_HD index_t right(int i) const { return i + 1 < nx ? 1 : 1 - nx; }
  UMOV_HD index_t before(int j) const { return j > 0 ? -index_t(nx) : index_t(ny - 1) * nx; }
  UMOV_HD index_t behind(int j) const { return j + 1 < ny ? index_t(nx) : index_t(1 - ny) * nx; }
};

/// u = G^H w, G the discrete gradient of potentials: minus the divergence. Over the box of nodes.
template <class T>
struct Divergence {
  SlabView<T> s;
  const Complex<T>* w;
  Complex<T>* u;
  UMOV_HD void operator()(int i, int j, int q) const {
    const index_t node = s.at(i, j, q), n = s.edges();
    if (q == 0) {
      u[node] = Complex<T>(0, 0);
      return;
    }
    Complex<T> sum = (T(1) / s.dx) * (conj(s.phase_x) * w[node + s.left(i)] - w[node]);
    if (s.ny > 1)
      sum += (T(1) / s.dy) * (conj(s.phase_y) * w[n + node + s.before(j)] - w[n + node]);
    else
      sum += Complex<T>(0, -s.wave_y) * w[n + node];
    u[node] = sum + (T(1) / s.dz) * (w[2 * n + node - s.columns()] - w[2 * n + node]);
  }
};

/// The three components of G phi at node (i, j, q).
template <class T>
struct Gradient {
  Complex<T> v[3];
  UMOV_HD Gradient(const SlabView<T>& s, const Complex<T>* phi, int i, int j, int q) {
    const index_t node = s.at(i, j, q);
    const Complex<T> here = phi[node], none(0, 0), along_y(0, s.wave_y);
    v[0] = (T(1) / s.dx) * (s.phase_x * phi[node + s.right(i)] - here);
    v[1] = s.ny == 1 ? along_y * here : (T(1) / s.dy) * (s.phase_y * phi[node + s.behind(j)] - here);
    v[2] = (T(1) / s.dz) * ((q + 1 < s.planes ? phi[node + s.columns()] : none) - here);
  }
};

/// r = w + k0^2 eps G phi: what a potential leaves of the residual.
template <class T>
struct AddGradientCurrents {
  SlabView<T> s;
  const Complex<T>*phi, *keps, *w;
  Complex<T>* r;
  UMOV_HD void operator()(int i, int j, int q) const {
    const Gradient<T> g(s, phi, i, j, q);
    for (int c = 0; c < 3; ++c) {
      const index_t e = c * s.edges() + s.at(i, j, q);
      r[e] = w[e] + keps[e] * g.v[c];
    }
  }
};

/// f becomes V f, V = k0^2 (eps - averaged eps); `mean`: k0^2 averaged eps [3][planes].
template <class T>
struct MultiplyContrast {
  SlabView<T> s;
  const Complex<T>*mean, *keps;
  Complex<T>* f;
  UMOV_HD void operator()(int i, int j, int q) const {
    for (int c = 0; c < 3; ++c) {
      const index_t e = c * s.edges() + s.at(i, j, q);
      f[e] = (keps[e] - mean[c * s.planes + q]) * f[e];
    }
  }
};

/// to += G phi, of the slab among all planes of a cell: `to` is its first plane of Ex, components `stride`
/// apart.
template <class T>
struct AddGradient {
  SlabView<T> s;
  const Complex<T>* phi;
  Complex<T>* to;
  index_t stride;
  UMOV_HD void operator()(int i, int j, int q) const {
    const Gradient<T> g(s, phi, i, j, q);
    for (int c = 0; c < 3; ++c) to[c * stride + s.at(i, j, q)] += g.v[c];
  }
};

/// y = x - f - k0^2 eps G phi over the nodes, and the sums x.y, conj(x).y and |y|^2 that Krylov solvers ask
/// for.
template <class T>
struct SubtractCorrected {
  SlabView<T> s;
  const Complex<T>*x, *f, *keps, *phi;
  Complex<T>* y;
  template <class S>
  UMOV_HD void operator()(index_t node, S& sums) const {
    const int i = int(node % s.nx), row = int(node / s.nx);
    const Gradient<T> g(s, phi, i, row % s.ny, row / s.ny);
    for (int c = 0; c < 3; ++c) {
      const index_t e = c * s.edges() + node;
      const Complex<T> xe = x[e], ye = xe - f[e] - keps[e] * g.v[c];
      y[e] = ye;
      krylov::add_product(sums, xe, ye);
    }
  }
};

/// y = x - V f and the same sums, over the edges.
template <class T>
struct SubtractScattered {
  index_t columns;
  const Complex<T>*x, *mean, *keps, *f;
  Complex<T>* y;
  template <class S>
  UMOV_HD void operator()(index_t e, S& sums) const {
    const Complex<T> xe = x[e], ye = xe - (keps[e] - mean[e / columns]) * f[e];
    y[e] = ye;
    krylov::add_product(sums, xe, ye);
  }
};

}  // namespace umov::harmonic
