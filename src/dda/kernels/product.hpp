// The named kernels of the matrix-vector product y = x - S G S x (scatter, slice, multiply, gather).
#pragma once

#include "dda/kernels/lattice.hpp"
#include "linalg/krylov/product_sums.hpp"

namespace umov::dda {

/// Sizes of the transforms: `g` points along each axis, `h` = g/2 + 1 stored frequencies (mirror octant).
struct GridView {
  int gx, gy, gz;
  int hx, hy, hz;
};

/// Places S x on the box and pads each line along x with zeros up to gx. Lines are [c][z][y][gx];
/// lines beyond the box along y and z are never stored. Runs over 3 nz ny gx elements.
template <class T>
struct ScatterToLines {
  LatticeView lattice;
  int gx;
  const Complex<T>* x;     // [3][dipoles]
  const Complex<T>* root;  // [material][3], square root of the polarizability
  Complex<T>* lines;
  bool conjugate;  // apply to conj(x), for the adjoint product

  UMOV_HD void operator()(index_t e) const {
    const index_t line = e / gx;
    const int ix = int(e - line * gx);
    const index_t rows = index_t(lattice.ny) * lattice.nz;
    const int c = int(line / rows);
    Complex<T> value(0, 0);
    if (ix < lattice.nx) {
      const index_t s = ix + lattice.nx * (line - c * rows);
      if (lattice.has(s)) {
        const index_t i = lattice.dipole(s);
        value = x[c * lattice.dipoles + i];
        if (conjugate) value = conj(value);
        value = root[3 * lattice.material(i) + c] * value;
      }
    }
    lines[e] = value;
  }
};

/// Copies `width` planes of constant kx, from k0, into slices [gz][3][width][gy]; zero outside the box.
/// Runs over 3 width gy gz elements.
template <class T>
struct TakeSlices {
  int ny, nz, k0, width;
  GridView grid;
  const Complex<T>* lines;
  Complex<T>* slices;

  UMOV_HD void operator()(index_t e) const {
    index_t r = e;
    const int y = int(r % grid.gy);
    r /= grid.gy;
    const int w = int(r % width);
    r /= width;
    const int c = int(r % 3), z = int(r / 3);
    slices[e] =
        (y < ny && z < nz) ? lines[((index_t(c) * nz + z) * ny + y) * grid.gx + k0 + w] : Complex<T>(0, 0);
  }
};

/// The way back: only the part inside the box is kept. Runs over 3 width ny nz elements.
template <class T>
struct PutSlices {
  int ny, nz, k0, width;
  GridView grid;
  const Complex<T>* slices;
  Complex<T>* lines;

  UMOV_HD void operator()(index_t e) const {
    index_t r = e;
    const int w = int(r % width);
    r /= width;
    const int y = int(r % ny);
    r /= ny;
    const int z = int(r % nz), c = int(r / nz);
    lines[((index_t(c) * nz + z) * ny + y) * grid.gx + k0 + w] =
        slices[((index_t(z) * 3 + c) * width + w) * grid.gy + y];
  }
};

/// Multiplies by the transformed interaction tensor, stored for one mirror octant as [hx][6][hz][hy]
/// (xx, xy, xz, yy, yz, zz); off-diagonal components change sign under a mirror. 6 complex multiply-adds
/// a component, 9 loads a point. Runs over width gy gz points.
template <class T>
struct MultiplyByTensor {
  int k0, width;
  GridView grid;
  const Complex<T>* tensor;  // from frequency plane `first`
  int first;
  Complex<T>* slices;

  UMOV_HD void operator()(index_t e) const {
    index_t r = e;
    const int y = int(r % grid.gy);
    r /= grid.gy;
    const int w = int(r % width), z = int(r / width);
    const int kx = k0 + w;
    const bool mx = kx >= grid.hx, my = y >= grid.hy, mz = z >= grid.hz;
    const int ox = mx ? grid.gx - kx : kx, oy = my ? grid.gy - y : y, oz = mz ? grid.gz - z : z;
    const index_t plane = index_t(grid.hz) * grid.hy;
    const Complex<T>* d = tensor + index_t(ox - first) * 6 * plane + index_t(oz) * grid.hy + oy;
    const T sxy = (mx != my) ? T(-1) : T(1), sxz = (mx != mz) ? T(-1) : T(1), syz = (my != mz) ? T(-1) : T(1);
    const Complex<T> xx = d[0], xy = sxy * d[plane], xz = sxz * d[2 * plane], yy = d[3 * plane],
                     yz = syz * d[4 * plane], zz = d[5 * plane];
    const index_t step = index_t(width) * grid.gy;
    Complex<T>* v = slices + (index_t(z) * 3 * width + w) * grid.gy + y;
    const Complex<T> a = v[0], b = v[step], c = v[2 * step];
    v[0] = xx * a + xy * b + xz * c;
    v[step] = xy * a + yy * b + yz * c;
    v[2 * step] = xz * a + yz * b + zz * c;
  }
};

/// The same for plane w of the slices only. Runs over gy gz points.
template <class T>
struct MultiplyOnePlane {
  MultiplyByTensor<T> multiply;
  int w;
  UMOV_HD void operator()(index_t e) const {
    const int gy = multiply.grid.gy;
    multiply((e / gy * multiply.width + w) * gy + e % gy);
  }
};

/// y = x - S (lines), with the sums x.y, conj(x).y and |y|^2 on the way. Runs over the sites of the box.
template <class T>
struct GatherFromLines {
  LatticeView lattice;
  int gx;
  const Complex<T>* x;
  const Complex<T>* root;
  const Complex<T>* lines;
  Complex<T>* y;
  bool conjugate;

  template <class Sums>
  UMOV_HD void operator()(index_t s, Sums& sums) const {
    if (!lattice.has(s)) return;
    const index_t i = lattice.dipole(s), row = s / lattice.nx;
    const int ix = int(s - row * lattice.nx);
    const index_t rows = index_t(lattice.ny) * lattice.nz;
    const int m = 3 * lattice.material(i);
    for (int c = 0; c < 3; ++c) {
      const Complex<T> a = x[c * lattice.dipoles + i];
      Complex<T> g = root[m + c] * lines[(c * rows + row) * gx + ix];
      if (conjugate) g = conj(g);
      const Complex<T> b = a - g;
      y[c * lattice.dipoles + i] = b;
      krylov::add_product(sums, a, b);
    }
  }
};

}  // namespace umov::dda
