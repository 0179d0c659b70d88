// Means of fields over boxes of cells: what a viewer is shown.
#pragma once

#include "fdtd/kernels/samples.hpp"

namespace umov::fdtd {

/// Box (i, j, k) of size[0] x size[1] x size[2] boxes; see FieldSample.
template <class F>
struct BoxMean {
  const F* fields[6];  ///< those that count, the first `count`
  int count;
  float* out;
  const int*
      edges[3];  ///< of the boxes along each axis, size + 1: box i has the cells edges[i] <= x < edges[i + 1]
  int size[2];   ///< along x and y
  index_t base, pitch, plane;
  bool squares;

  UMOV_HD double row(const F* field, int from, int to) const {
    double sum = 0;
    if (squares)
      for (int x = from; x < to; ++x) sum += norm2(widen(field[x]));
    else
      for (int x = from; x < to; ++x) sum += widen(field[x]).re;
    return sum;
  }
  UMOV_HD void operator()(int i, int j, int k) const {
    const int x0 = edges[0][i], x1 = edges[0][i + 1], y0 = edges[1][j], y1 = edges[1][j + 1],
              z0 = edges[2][k], z1 = edges[2][k + 1];
    double sum = 0;
    for (int c = 0; c < count; ++c)
      for (int z = z0; z < z1; ++z)
        for (int y = y0; y < y1; ++y) sum += row(fields[c] + (base + pitch * y + plane * z), x0, x1);
    out[i + index_t(size[0]) * (j + index_t(size[1]) * k)] =
        float(sum / (double(x1 - x0) * (y1 - y0) * (z1 - z0)));
  }
};

}  // namespace umov::fdtd
