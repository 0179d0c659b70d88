// How the tuned product lays out lines, slices and tensor: frequencies kx and gx - kx travel together.
#pragma once

#include <algorithm>

#include "dda/kernels/product.hpp"
#include "dda/scheme/tensor_builder.hpp"

namespace umov::dda::tuned {

/// The lines hold frequencies kx in slots. Slots come in groups of 2h: i = gh ... gh + h - 1, then their
/// mirror images gx - i (gx/2 in the place of the image of 0). So a block that takes one group reads whole
/// 128-byte segments and needs the interaction tensor of h frequencies for 2h.
struct SlotLayout {
  int gx, h, groups;
  UMOV_HD int slots() const { return 2 * h * groups; }
  UMOV_HD int direct() const { return (gx + 1) / 2; }
  /// Frequency in a slot, -1 for padding.
  UMOV_HD int frequency(int slot) const {
    const int lane = slot % (2 * h), i = slot / (2 * h) * h + lane % h;
    if (i >= direct()) return -1;
    if (lane < h) return i;
    if (i == 0) return gx % 2 == 0 ? gx / 2 : -1;
    return gx - i;
  }
};

inline SlotLayout slot_layout(int gx, int width) {
  SlotLayout s{gx, width / 2, 0};
  s.groups = (s.direct() + s.h - 1) / s.h;
  return s;
}

/// The transformed tensor of one octant in tiles [group][component][hy][hz][h], then, for even gx, the plane
/// kx = gx/2 as [component][hy][hz].
struct TileLayout {
  SlotLayout slots;
  GridView grid;
  int components;  ///< 6, or 1 while one component is built
  UMOV_HD index_t plane() const { return index_t(grid.hy) * grid.hz; }
  UMOV_HD index_t tile() const { return components * plane() * slots.h; }
  UMOV_HD index_t edge() const { return slots.groups * tile(); }
  UMOV_HD index_t size() const { return edge() + (slots.gx % 2 == 0 ? components * plane() : 0); }
  UMOV_HD index_t at(int c, int x, int y, int z) const {
    const index_t yz = (index_t(c) * grid.hy + y) * grid.hz + z;
    if (x >= slots.direct()) return edge() + yz;
    return x / slots.h * tile() + yz * slots.h + x % slots.h;
  }
};

/// FillOctant into tiles. Runs over hy hz hx lags, x fastest.
template <class T, class Term>
struct FillTiles {
  Term interaction;
  int nx, ny, nz;
  TileLayout layout;
  int first;
  T scale;
  Complex<T>* tensor;
  UMOV_HD void operator()(index_t e) const {
    const GridView& grid = layout.grid;
    const int x = int(e % grid.hx), z = int(e / grid.hx % grid.hz), y = int(e / grid.hx / grid.hz);
    Complex<T> g[6] = {};
    if (x < nx && y < ny && z < nz && (x | y | z) != 0) interaction(x, y, z, g);
    for (int c = 0; c < layout.components; ++c) tensor[layout.at(c, x, y, z)] = scale * g[first + c];
  }
};

/// Lines of the tiles along one axis: element p of line l of component c.
struct TileLines {
  TileLayout layout;
  int axis, component;
  UMOV_HD int length() const {
    return axis == 0 ? layout.grid.gx : axis == 1 ? layout.grid.gy : layout.grid.gz;
  }
  UMOV_HD int stored() const {
    return axis == 0 ? layout.grid.hx : axis == 1 ? layout.grid.hy : layout.grid.hz;
  }
  UMOV_HD index_t count() const {
    const GridView& g = layout.grid;
    return axis == 0 ? index_t(g.hy) * g.hz : axis == 1 ? index_t(g.hz) * g.hx : index_t(g.hy) * g.hx;
  }
  UMOV_HD index_t at(index_t l, int p) const {
    const GridView& g = layout.grid;
    if (axis == 0) return layout.at(component, p, int(l / g.hz), int(l % g.hz));
    if (axis == 1) return layout.at(component, int(l % g.hx), p, int(l / g.hx));
    return layout.at(component, int(l % g.hx), int(l / g.hx), p);
  }
};

/// ExtendByParity for tiles; buffer [length][count].
template <class T>
struct ExtendTiles {
  TileLines lines;
  index_t from, count;
  bool odd;
  const Complex<T>* tensor;
  Complex<T>* buffer;
  UMOV_HD void operator()(index_t e) const {
    const int p = int(e / count);
    const bool mirrored = p >= lines.stored();
    const Complex<T> v = tensor[lines.at(from + e % count, mirrored ? lines.length() - p : p)];
    buffer[e] = (mirrored && odd) ? -v : v;
  }
};

/// KeepOctant for tiles. Runs over stored count.
template <class T>
struct KeepTiles {
  TileLines lines;
  index_t from, count;
  const Complex<T>* buffer;
  Complex<T>* tensor;
  UMOV_HD void operator()(index_t e) const { tensor[lines.at(from + e % count, int(e / count))] = buffer[e]; }
};

}  // namespace umov::dda::tuned
