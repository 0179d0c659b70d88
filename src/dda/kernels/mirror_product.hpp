// The named kernels of the product on a particle's mirror fraction: unfold, multiply, put the images'
// frequencies.
#pragma once

#include "dda/kernels/product.hpp"
#include "dda/mirror/parity.hpp"

namespace umov::dda {

/// Three axes of the fraction and their transforms, of g points of which `kept` frequencies are stored: up to
/// g/2 along an axis with a mirror, where f(g - k) = sign turn[k] f(k) (turn = exp(2 pi i k (n - 1)/g), the
/// middle of n sites being its origin), else all.
template <class T>
struct MirrorGrid {
  HalvedAxis axis[3];
  GridView grid;
  int kept[3];
  const Complex<T>* turn[3];

  /// The frequency whose image k is: f(k) = factor f(result).
  UMOV_HD int source(int a, int c, int k, Complex<T>& factor) const {
    factor = Complex<T>(1, 0);
    if (k < kept[a]) return k;
    const int g = a == 0 ? grid.gx : a == 1 ? grid.gy : grid.gz;
    factor = T(axis[a].sign(a == c)) * turn[a][g - k];
    return g - k;
  }
};

/// Places S w x on the box, unfolded along x; lines are [c][z][y][gx] as ScatterToLines has them, y and z
/// those of the fraction. Runs over 3 nz ny gx elements.
template <class T>
struct ScatterUnfolded {
  LatticeView lattice;
  MirrorGrid<T> mirror;
  const Complex<T>* x;     // [3][dipoles]
  const Complex<T>* root;  // [material][3]
  Complex<T>* lines;
  bool conjugate;

  UMOV_HD void operator()(index_t e) const {
    const index_t line = e / mirror.grid.gx;
    const int ix = int(e - line * mirror.grid.gx);
    const index_t rows = index_t(lattice.ny) * lattice.nz;
    const int c = int(line / rows);
    Complex<T> value(0, 0);
    if (ix < mirror.axis[0].whole) {
      const index_t s = mirror.axis[0].kept(ix) + lattice.nx * (line - c * rows);
      if (lattice.has(s)) {
        const index_t i = lattice.dipole(s);
        value = x[c * lattice.dipoles + i];
        if (conjugate) value = conj(value);
        value = T(mirror.axis[0].weight(ix, c == 0)) * (root[3 * lattice.material(i) + c] * value);
      }
    }
    lines[e] = value;
  }
};

/// Copies `width` planes of constant kx, from k0, unfolded along y, into slices [nz][3][width][gy]. Runs over
/// 3 width gy nz elements.
template <class T>
struct TakeUnfolded {
  int ny, nz, k0, width;
  MirrorGrid<T> mirror;
  const Complex<T>* lines;
  Complex<T>* slices;

  UMOV_HD void operator()(index_t e) const {
    const GridView& grid = mirror.grid;
    index_t r = e;
    const int y = int(r % grid.gy);
    r /= grid.gy;
    const int w = int(r % width);
    r /= width;
    const int c = int(r % 3), z = int(r / 3);
    Complex<T> value(0, 0);
    if (y < mirror.axis[1].whole && k0 + w < mirror.kept[0])
      value = T(mirror.axis[1].weight(y, c == 1)) *
              lines[((index_t(c) * nz + z) * ny + mirror.axis[1].kept(y)) * grid.gx + k0 + w];
    slices[e] = value;
  }
};

/// The frequencies ky that are kept, unfolded along z: [gz][3][width][kept ky]. Runs over their elements.
template <class T>
struct TakeColumns {
  int width;
  MirrorGrid<T> mirror;
  const Complex<T>* slices;
  Complex<T>* columns;

  UMOV_HD void operator()(index_t e) const {
    const int ky = int(e % mirror.kept[1]);
    const index_t r = e / mirror.kept[1];
    const int w = int(r % width), c = int(r / width % 3), z = int(r / width / 3);
    Complex<T> value(0, 0);
    if (z < mirror.axis[2].whole)
      value = T(mirror.axis[2].weight(z, c == 2)) *
              slices[((index_t(mirror.axis[2].kept(z)) * 3 + c) * width + w) * mirror.grid.gy + ky];
    columns[e] = value;
  }
};

/// Multiplies by the transformed tensor as MultiplyByTensor does, at the kept frequencies, and puts the
/// results of their images along z. Runs over width (kept ky) (kept kz) points.
template <class T>
struct MultiplyKept {
  int k0, width;
  MirrorGrid<T> mirror;
  const Complex<T>* tensor;
  Complex<T>* columns;

  UMOV_HD void operator()(index_t e) const {
    const GridView& grid = mirror.grid;
    const int y = int(e % mirror.kept[1]);
    const index_t r = e / mirror.kept[1];
    const int w = int(r % width), z = int(r / width), kx = k0 + w;
    if (kx >= mirror.kept[0]) return;
    const bool mx = kx >= grid.hx, my = y >= grid.hy, mz = z >= grid.hz;
    const int ox = mx ? grid.gx - kx : kx, oy = my ? grid.gy - y : y, oz = mz ? grid.gz - z : z;
    const index_t plane = index_t(grid.hz) * grid.hy;
    const Complex<T>* d = tensor + index_t(ox) * 6 * plane + index_t(oz) * grid.hy + oy;
    const T sxy = (mx != my) ? T(-1) : T(1), sxz = (mx != mz) ? T(-1) : T(1), syz = (my != mz) ? T(-1) : T(1);
    const Complex<T> xx = d[0], xy = sxy * d[plane], xz = sxz * d[2 * plane], yy = d[3 * plane],
                     yz = syz * d[4 * plane], zz = d[5 * plane];
    const index_t step = index_t(width) * mirror.kept[1];
    Complex<T>* v = columns + index_t(z) * 3 * step + index_t(w) * mirror.kept[1] + y;
    const Complex<T> a = v[0], b = v[step], c = v[2 * step];
    const Complex<T> out[3] = {xx * a + xy * b + xz * c, xy * a + yy * b + yz * c, xz * a + yz * b + zz * c};
    for (int i = 0; i < 3; ++i) v[i * step] = out[i];
    const int image = grid.gz - z;
    if (z == 0 || image < mirror.kept[2]) return;
    Complex<T>* m = v + index_t(image - z) * 3 * step;
    for (int i = 0; i < 3; ++i) {
      Complex<T> factor;
      mirror.source(2, i, image, factor);
      m[i * step] = factor * out[i];
    }
  }
};

/// The way back from columns to slices, with the frequencies ky of the images. Runs over 3 width gy nz
/// elements.
template <class T>
struct PutColumns {
  int width;
  MirrorGrid<T> mirror;
  const Complex<T>* columns;
  Complex<T>* slices;

  UMOV_HD void operator()(index_t e) const {
    const int y = int(e % mirror.grid.gy);
    const index_t r = e / mirror.grid.gy;
    const int w = int(r % width), c = int(r / width % 3), z = int(r / width / 3);
    Complex<T> factor;
    const int ky = mirror.source(1, c, y, factor);
    const index_t from = mirror.axis[2].first() + z;
    slices[e] = factor * columns[((from * 3 + c) * width + w) * mirror.kept[1] + ky];
  }
};

/// The way back from slices to lines, with the frequencies kx of the images. Runs over 3 width ny nz
/// elements.
template <class T>
struct PutUnfolded {
  int ny, nz, k0, width;
  MirrorGrid<T> mirror;
  const Complex<T>* slices;
  Complex<T>* lines;

  UMOV_HD void operator()(index_t e) const {
    index_t r = e;
    const int w = int(r % width), kx = k0 + w;
    r /= width;
    const int y = int(r % ny);
    r /= ny;
    const int z = int(r % nz), c = int(r / nz);
    if (kx >= mirror.kept[0]) return;
    const Complex<T> value =
        slices[((index_t(z) * 3 + c) * width + w) * mirror.grid.gy + mirror.axis[1].first() + y];
    Complex<T>* line = lines + ((index_t(c) * nz + z) * ny + y) * mirror.grid.gx;
    line[kx] = value;
    const int image = mirror.grid.gx - kx;
    if (kx == 0 || image < mirror.kept[0]) return;
    Complex<T> factor;
    mirror.source(0, c, image, factor);
    line[image] = factor * value;
  }
};

}  // namespace umov::dda
