// The named kernels of the product on several ranks: lines of a rank's planes z, slices of its planes kx.
#pragma once

#include "dda/kernels/product.hpp"

namespace umov::dda {

/// Rows (y, z) of a slab that are taken together where x is the slow axis: of neighbouring elements eight lie
/// side by side on either side.
inline constexpr int row_tile = 8;
UMOV_HD inline index_t tiled_rows(index_t rows) { return (rows + row_tile - 1) / row_tile * row_tile; }

/// Places S x on the box and pads with zeros along x up to gx, as [gx][c][z][y]: what goes to a rank lies
/// together. Runs over 3 gx tiled_rows(nz ny) elements.
template <class T>
struct ScatterToPlanes {
  LatticeView lattice;
  int gx;
  const Complex<T>* x;     // [3][dipoles]
  const Complex<T>* root;  // [material][3]
  Complex<T>* lines;
  bool conjugate;

  UMOV_HD void operator()(index_t e) const {
    const index_t rows = index_t(lattice.ny) * lattice.nz;
    const int r = int(e % row_tile), ix = int(e / row_tile % gx);
    const index_t tile = e / row_tile / gx, tiles = tiled_rows(rows) / row_tile;
    const int c = int(tile / tiles);
    const index_t row = (tile - c * tiles) * row_tile + r;
    if (row >= rows) return;
    Complex<T> value(0, 0);
    if (ix < lattice.nx) {
      const index_t s = ix + lattice.nx * row;
      if (lattice.has(s)) {
        const index_t i = lattice.dipole(s);
        value = x[c * lattice.dipoles + i];
        if (conjugate) value = conj(value);
        value = root[3 * lattice.material(i) + c] * value;
      }
    }
    lines[(index_t(ix) * 3 + c) * rows + row] = value;
  }
};

/// y = x - S (lines), with the sums of GatherFromLines. Runs over nx tiled_rows(nz ny) sites.
template <class T>
struct GatherFromPlanes {
  LatticeView lattice;
  const Complex<T>* x;
  const Complex<T>* root;
  const Complex<T>* lines;
  Complex<T>* y;
  bool conjugate;

  template <class Sums>
  UMOV_HD void operator()(index_t e, Sums& sums) const {
    const index_t rows = index_t(lattice.ny) * lattice.nz;
    const int r = int(e % row_tile), ix = int(e / row_tile % lattice.nx);
    const index_t row = e / row_tile / lattice.nx * row_tile + r, s = ix + lattice.nx * row;
    if (row >= rows || !lattice.has(s)) return;
    const index_t i = lattice.dipole(s);
    const int m = 3 * lattice.material(i);
    for (int c = 0; c < 3; ++c) {
      const Complex<T> a = x[c * lattice.dipoles + i];
      Complex<T> g = root[m + c] * lines[(index_t(ix) * 3 + c) * rows + row];
      if (conjugate) g = conj(g);
      const Complex<T> b = a - g;
      y[c * lattice.dipoles + i] = b;
      krylov::add_product(sums, a, b);
    }
  }
};

/// Where a rank keeps what the others have sent of its planes kx: [rank][plane][c][z of the rank][y].
struct PlanesOfRanks {
  int ny, nz, planes;  ///< of the whole; planes kx of this rank
  const int* first;    ///< [nz] first z of the rank that has z
  const int* count;    ///< [nz] planes z of that rank
  UMOV_HD index_t at(int plane, int c, int z, int y) const {
    return ((index_t(3) * planes * first[z] + index_t(plane * 3 + c) * count[z]) + (z - first[z])) * ny + y;
  }
};

/// Copies `count` planes from `place` on into slices [gz][3][width][gy]; zero outside the box and beyond
/// them. Runs over 3 width gy gz elements.
template <class T>
struct TakePlanes {
  PlanesOfRanks from;
  int place, count, width;
  GridView grid;
  const Complex<T>* planes;
  Complex<T>* slices;

  UMOV_HD void operator()(index_t e) const {
    index_t r = e;
    const int y = int(r % grid.gy);
    r /= grid.gy;
    const int w = int(r % width);
    r /= width;
    const int c = int(r % 3), z = int(r / 3);
    slices[e] =
        y < from.ny && z < from.nz && w < count ? planes[from.at(place + w, c, z, y)] : Complex<T>(0, 0);
  }
};

/// The way back: only the part inside the box is kept. Runs over 3 count ny nz elements.
template <class T>
struct PutPlanes {
  PlanesOfRanks to;
  int place, count, width;
  GridView grid;
  const Complex<T>* slices;
  Complex<T>* planes;

  UMOV_HD void operator()(index_t e) const {
    index_t r = e;
    const int y = int(r % to.ny);
    r /= to.ny;
    const int w = int(r % count);
    r /= count;
    const int c = int(r % 3), z = int(r / 3);
    planes[to.at(place + w, c, z, y)] = slices[((index_t(z) * 3 + c) * width + w) * grid.gy + y];
  }
};

/// MultiplyByTensor for the first `count` planes of the slices. Runs over count gy gz points.
template <class T>
struct MultiplyPlanes {
  MultiplyByTensor<T> multiply;
  int count;
  UMOV_HD void operator()(index_t e) const {
    const int gy = multiply.grid.gy;
    const int y = int(e % gy), w = int(e / gy % count), z = int(e / gy / count);
    multiply((index_t(z) * multiply.width + w) * gy + y);
  }
};

}  // namespace umov::dda
