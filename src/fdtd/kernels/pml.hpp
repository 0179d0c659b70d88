// The share of an absorbing layer in one component, added after the main sweep.
#pragma once

#include "core/complex.hpp"
#include "core/types.hpp"
#include "fdtd/kernels/rounding.hpp"
#include "fdtd/state.hpp"

namespace umov::fdtd {

/// psi = b psi + c D, f += sign drive (psi + (1/kappa - 1) D), with D = hi - lo the derivative along the axis
/// of the wall (Roden and Gedney 2000, eqs 13 to 17). Without psi a stretch alone: cells of another edge.
template <class T, class F, class Medium>
struct PmlCorrection {
  F* f;
  const F *hi, *lo;
  SlabView<T, F> slab;
  Medium medium;
  T sign;
  index_t base, pitch, plane;

  UMOV_HD void operator()(int i, int j, int k) const {
    const index_t e = base + i + pitch * j + plane * k, q = slab.offset + i + slab.pitch * j + slab.plane * k;
    const int s = (slab.axis == 0 ? i : slab.axis == 1 ? j : k) - slab.first;
    const F d = hi[e] - lo[e];
    F psi(0);
    if (slab.psi) slab.psi[q] = psi = layer_memory<T, F>(slab.b[s], slab.psi[q], slab.c[s], d);
    f[e] = absorbed<T, F>(f[e], sign * medium.drive(e), psi, slab.stretch[s], d);
  }
};

}  // namespace umov::fdtd
