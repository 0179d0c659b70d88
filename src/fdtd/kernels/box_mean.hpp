// Means of fields over boxes of cells: what a viewer is shown.
#pragma once

#include <cstdint>

#include "fdtd/kernels/samples.hpp"

namespace umov::fdtd {

/// Box (i, j, k) of size[0] x size[1] x size[2] boxes that part lo <= cell < hi; see FieldSample.
template <class F>
struct BoxMean {
  FieldPointers<F> fields;  ///< nullptr where a component does not count
  float* out;
  int lo[3], cells[3], size[3];
  index_t base, pitch, plane;
  bool squares;

  UMOV_HD int edge(int axis, int i) const {
    return lo[axis] + int(std::int64_t(cells[axis]) * i / size[axis]);
  }
  UMOV_HD double value(index_t e) const {
    double sum = 0;
    for (int c = 0; c < 6; ++c) {
      if (!fields.of[c]) continue;
      const Complex<double> v = widen(fields.of[c][e]);
      sum += squares ? norm2(v) : v.re;
    }
    return sum;
  }
  UMOV_HD void operator()(int i, int j, int k) const {
    const int x0 = edge(0, i), x1 = edge(0, i + 1), y0 = edge(1, j), y1 = edge(1, j + 1), z0 = edge(2, k),
              z1 = edge(2, k + 1);
    double sum = 0;
    for (int z = z0; z < z1; ++z)
      for (int y = y0; y < y1; ++y)
        for (int x = x0; x < x1; ++x) sum += value(base + x + pitch * y + plane * z);
    out[i + index_t(size[0]) * (j + index_t(size[1]) * k)] =
        float(sum / (double(x1 - x0) * (y1 - y0) * (z1 - z0)));
  }
};

}  // namespace umov::fdtd
