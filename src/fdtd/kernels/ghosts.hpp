// Ghost cells: what lies beyond a periodic, magnetic or electric wall.
#pragma once

#include "core/complex.hpp"
#include "core/types.hpp"

namespace umov::fdtd {

/// Fills ghosts of one component from the cells they stand for. Per axis: cell -1 or n maps to `low` or
/// `high` with a factor; factors multiply, so that edges and corners are right whatever the order. Axes that
/// are not filled map every place to itself.
template <class F>
struct FillGhosts {
  struct Axis {
    bool filled;
    int n, low, high;
    F low_factor, high_factor;
  };
  F* f;
  Axis axis[3];
  index_t base, pitch, plane;

  UMOV_HD index_t at(int i, int j, int k) const { return base + i + pitch * j + plane * k; }
  UMOV_HD void operator()(int i, int j, int k) const {
    int from[3] = {i, j, k};
    F factor(1);
    for (int a = 0; a < 3; ++a) {
      if (!axis[a].filled) continue;
      if (from[a] < 0) {
        from[a] = axis[a].low;
        factor = factor * axis[a].low_factor;
      } else if (from[a] >= axis[a].n) {
        from[a] = axis[a].high;
        factor = factor * axis[a].high_factor;
      }
    }
    f[at(i, j, k)] = factor * f[at(from[0], from[1], from[2])];
  }
};

}  // namespace umov::fdtd
