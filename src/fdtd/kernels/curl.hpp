// The two curl equations: one functor updates one component of either field.
#pragma once

#include "core/complex.hpp"
#include "core/types.hpp"
#include "fdtd/kernels/rounding.hpp"

namespace umov::fdtd {

/// Where the numbers of one component's curl lie: (curl)_e = (a_hi[e] - a_lo[e]) - (b_hi[e] - b_lo[e]).
/// The pointers carry the shifts, backward for E and forward for H; an absent term has hi = lo.
template <class F>
struct CurlView {
  const F *a_hi, *a_lo, *b_hi, *b_lo;
  UMOV_HD F at(index_t e) const { return (a_hi[e] - a_lo[e]) - (b_hi[e] - b_lo[e]); }
};

/// f' = decay f + sign drive (curl): sign +1 for E, -1 for H (Yee 1966). 4 loads and 1 store of a field per
/// cell, 7 flops, and the material's id where the component is not uniform.
template <class T, class F, class Medium>
struct CurlUpdate {
  F* f;
  CurlView<F> curl;
  Medium medium;
  T sign;
  index_t base, pitch, plane;

  UMOV_HD void operator()(int i, int j, int k) const {
    const index_t e = base + i + pitch * j + plane * k;
    f[e] = updated<T, F>(medium.decay(e), f[e], sign * medium.drive(e), curl.at(e));
  }
};

}  // namespace umov::fdtd
