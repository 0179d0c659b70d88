// One row of a sweep: loops along x that vectorise, with a table look-up only where materials mix.
#pragma once

#include "core/types.hpp"
#include "fdtd/kernels/curl.hpp"

namespace umov::fdtd::rows {

/// Which terms of the curl exist: in two dimensions H has but one.
enum class Terms { both, first, second };

template <Terms terms, class T>
inline T curl_at(const CurlView<T>& v, index_t e) {
  if constexpr (terms == Terms::first) return v.a_hi[e] - v.a_lo[e];
  if constexpr (terms == Terms::second) return -(v.b_hi[e] - v.b_lo[e]);
  return v.at(e);
}

/// f' = decay f + drive (curl) over elements begin <= e < end; one material. `drive` carries the sign.
template <Terms terms, class T>
inline void update(T* __restrict f, const CurlView<T> v, T decay, T drive, index_t begin, index_t end) {
  if (decay == T(1)) {
#pragma GCC ivdep
    for (index_t e = begin; e < end; ++e) f[e] = f[e] + drive * curl_at<terms>(v, e);
    return;
  }
#pragma GCC ivdep
  for (index_t e = begin; e < end; ++e) f[e] = decay * f[e] + drive * curl_at<terms>(v, e);
}

/// The same with the coefficients of each cell's material.
template <Terms terms, class T, class Id>
inline void update_mixed(T* __restrict f, const CurlView<T> v, const Id* __restrict id,
                         const T* __restrict decay, const T* __restrict drive, T sign, index_t begin,
                         index_t end) {
#pragma GCC ivdep
  for (index_t e = begin; e < end; ++e)
    f[e] = decay[id[e]] * f[e] + (sign * drive[id[e]]) * curl_at<terms>(v, e);
}

/// Absorbing layers along x: every cell has its own b, c, stretch. psi, b, c, stretch start at `begin`'s
/// cell; `drive` likewise, already with its sign. `fixed` > 0 is the count, known to the compiler.
template <int fixed, class T, class Drive>
inline void absorb_cells(T* __restrict f, const T* hi, const T* lo, T* __restrict psi, const T* __restrict b,
                         const T* __restrict c, const T* __restrict stretch, Drive drive, int count) {
#pragma GCC ivdep
  for (int i = 0; i < (fixed > 0 ? fixed : count); ++i) {
    const T d = hi[i] - lo[i];
    const T p = b[i] * psi[i] + c[i] * d;
    psi[i] = p;
    f[i] = f[i] + drive(i) * (p + stretch[i] * d);
  }
}
/// Ten layers, the default, meet nine or ten cells: their loops are unrolled.
template <class T, class Drive>
inline void absorb_along(T* __restrict f, const T* hi, const T* lo, T* __restrict psi, const T* __restrict b,
                         const T* __restrict c, const T* __restrict stretch, Drive drive, int count) {
  if (count == 10) return absorb_cells<10>(f, hi, lo, psi, b, c, stretch, drive, count);
  if (count == 9) return absorb_cells<9>(f, hi, lo, psi, b, c, stretch, drive, count);
  absorb_cells<0>(f, hi, lo, psi, b, c, stretch, drive, count);
}

/// A row inside layers along y or z: b, c, stretch are those of the row.
template <class T, class Drive>
inline void absorb_across(T* __restrict f, const T* hi, const T* lo, T* __restrict psi, T b, T c, T stretch,
                          Drive drive, int count) {
#pragma GCC ivdep
  for (int i = 0; i < count; ++i) {
    const T d = hi[i] - lo[i];
    const T p = b * psi[i] + c * d;
    psi[i] = p;
    f[i] = f[i] + drive(i) * (p + stretch * d);
  }
}

/// Cells of another edge than the grid's: `stretch` of each cell, or of the row, and no memory.
template <class T, class Stretch, class Drive>
inline void stretched(T* __restrict f, const T* hi, const T* lo, Stretch stretch, Drive drive, int count) {
#pragma GCC ivdep
  for (int i = 0; i < count; ++i) f[i] = f[i] + drive(i) * (stretch(i) * (hi[i] - lo[i]));
}

}  // namespace umov::fdtd::rows
