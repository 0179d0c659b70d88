// The named kernels that build the transformed interaction tensor on the device.
#pragma once

#include "dda/kernels/product.hpp"

namespace umov::dda {

/// Components of the symmetric tensor in storage order, and the axes along which each is odd.
enum TensorComponent { XX, XY, XZ, YY, YZ, ZZ };
UMOV_HD inline bool odd_along(int component, int axis) {
  switch (component) {
    case XY:
      return axis != 2;
    case XZ:
      return axis != 1;
    case YZ:
      return axis != 0;
    default:
      return false;
  }
}

/// Interaction term for every lag of one octant, components [first, first + count), scaled, as
/// [hx][count][hz][hy]; zero for lags the particle does not have. Runs over hx hz hy lags.
template <class T, class Interaction>
struct FillOctant {
  static constexpr bool costly = true;
  Interaction interaction;
  int nx, ny, nz;
  GridView grid;
  int first, count;
  T scale;
  Complex<T>* tensor;

  UMOV_HD void operator()(index_t e) const {
    const int y = int(e % grid.hy), z = int(e / grid.hy % grid.hz), x = int(e / grid.hy / grid.hz);
    Complex<T> g[6] = {};
    if (x < nx && y < ny && z < nz && (x | y | z) != 0) interaction(x, y, z, g);
    const index_t plane = index_t(grid.hz) * grid.hy;
    Complex<T>* out = tensor + index_t(x) * count * plane + index_t(z) * grid.hy + y;
    for (int c = 0; c < count; ++c) out[c * plane] = scale * g[first + c];
  }
};

/// One family of lines of the octant: element p of line l is at base(l) + p * stride.
struct OctantLines {
  index_t inner, inner_stride, outer_stride;  // l = outer * inner + inner index
  index_t stride;
  int stored, length;  // h and g along the axis
  UMOV_HD index_t base(index_t l) const { return l / inner * outer_stride + l % inner * inner_stride; }
};

/// Extends `count` lines by parity from h to g points into a buffer [g][count]. Runs over lines.
template <class T>
struct ExtendByParity {
  static constexpr bool costly = true;
  OctantLines lines;
  index_t from, count;
  bool odd;
  const Complex<T>* octant;
  Complex<T>* buffer;
  UMOV_HD void operator()(index_t l) const {
    const Complex<T>* line = octant + lines.base(from + l);
    Complex<T>* out = buffer + l;
    for (int p = 0; p < lines.stored; ++p) out[p * count] = line[p * lines.stride];
    for (int p = lines.stored; p < lines.length; ++p) {
      const Complex<T> v = line[(lines.length - p) * lines.stride];
      out[p * count] = odd ? -v : v;
    }
  }
};

/// Keeps the first h points of each transformed line. Runs over lines.
template <class T>
struct KeepOctant {
  static constexpr bool costly = true;
  OctantLines lines;
  index_t from, count;
  const Complex<T>* buffer;
  Complex<T>* octant;
  UMOV_HD void operator()(index_t l) const {
    Complex<T>* line = octant + lines.base(from + l);
    for (int p = 0; p < lines.stored; ++p) line[p * lines.stride] = buffer[p * count + l];
  }
};

}  // namespace umov::dda
