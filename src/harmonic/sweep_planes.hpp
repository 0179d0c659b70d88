// A step of pseudo-time on processors in one sweep over the planes, so that fields come from memory once.
#pragma once

#include <omp.h>

#include "core/types.hpp"

namespace umov::harmonic {

/// The device of one thread within a sweep: rows are vector loops.
struct PlaneRows {
  template <class F>
  void for_each_box(const Int3& lo, const Int3& hi, const F& f) const {
    const F own = f;  // a copy whose members no store can change
    for (int k = lo[2]; k < hi[2]; ++k)
      for (int j = lo[1]; j < hi[1]; ++j) {
        const int end = hi[0];
#pragma GCC ivdep
        for (int i = lo[0]; i < end; ++i) own(i, j, k);
      }
  }
};

/// H of a plane needs E of it and of the plane below, both of the step before; E of a plane needs H of it and
/// of the plane above, both new. Going down, H and then E of each plane can follow one another in the cache:
/// 96 in place of 144 bytes per voxel from memory in single precision. Threads have slabs of planes; the last
/// H of each is taken first, before the next slab's E changes.
template <class Stepper, class T>
void sweep_planes(const Stepper& s, int threads, T amplitude) {
  const int n = s.planes();
  const auto slab = [&](int me, int all) {
    const PlaneRows rows;
    const int begin = int(index_t(n) * me / all), end = int(index_t(n) * (me + 1) / all);
    if (begin < end) s.step_h(rows, end - 1, end);
#pragma omp barrier
    for (int k = begin; k < end; ++k) {
      if (k < end - 1) s.step_h(rows, k, k + 1);
      s.step_e(rows, k, k + 1, amplitude);
    }
  };
#pragma omp parallel num_threads(threads) if (threads > 1)
  slab(omp_get_thread_num(), omp_get_num_threads());
}

}  // namespace umov::harmonic
