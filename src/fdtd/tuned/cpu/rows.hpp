// One row of a sweep: loops along x that vectorise, with a table look-up only where materials mix.
#pragma once

#include <type_traits>

#include "core/types.hpp"
#include "fdtd/kernels/curl.hpp"

/// Loops are functions of their own: what surrounds them must not decide whether they become vectors.
#define UMOV_ROW [[gnu::noinline]]

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
UMOV_ROW void update(T* __restrict f, const CurlView<T> v, T decay, T drive, index_t begin, index_t end) {
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
UMOV_ROW void update_mixed(T* __restrict f, const CurlView<T> v, const Id* __restrict id,
                           const T* __restrict decay, const T* __restrict drive, T sign, index_t begin,
                           index_t end) {
#pragma GCC ivdep
  for (index_t e = begin; e < end; ++e)
    f[e] = decay[id[e]] * f[e] + (sign * drive[id[e]]) * curl_at<terms>(v, e);
}

/// Cells of a row within absorbing layers along x, each with its own b, c and stretch: `update` and the
/// layer's share in one go. psi, b, c and stretch start at the first cell; decay(i) and drive(i) are of cell
/// begin + i, drive with its sign. `first`: the derivative along x is the first term of the curl. The loops
/// are of lengths that the compiler knows, since there are but ten or twenty cells.
template <Terms terms, bool first, class T, class Decay, class Drive>
UMOV_ROW void update_along(T* __restrict f, const CurlView<T> v, T* __restrict psi, const T* __restrict b,
                           const T* __restrict c, const T* __restrict stretch, Decay decay, Drive drive,
                           index_t begin, int count) {
  const T* const hi = (first ? v.a_hi : v.b_hi) + begin;
  const T* const lo = (first ? v.a_lo : v.b_lo) + begin;
  const auto cells = [&](int from, auto length) {
#pragma GCC ivdep
    for (int i = from; i < from + length.value; ++i) {
      const T d = hi[i] - lo[i];
      const T p = b[i] * psi[i] + c[i] * d;
      const T more = p + stretch[i] * d;
      psi[i] = p;
      f[begin + i] =
          decay(i) * f[begin + i] + drive(i) * (curl_at<terms>(v, begin + i) + (first ? more : -more));
    }
  };
  int i = 0;
  for (; i + 8 <= count; i += 8) cells(i, std::integral_constant<int, 8>());
  if (i + 4 <= count) cells(i, std::integral_constant<int, 4>()), i += 4;
  for (; i < count; ++i) cells(i, std::integral_constant<int, 1>());
}

/// A row inside layers along y or z: b, c, stretch are those of the row.
template <class T, class Drive>
UMOV_ROW void absorb_across(T* __restrict f, const T* hi, const T* lo, T* __restrict psi, T b, T c, T stretch,
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
UMOV_ROW void stretched(T* __restrict f, const T* hi, const T* lo, Stretch stretch, Drive drive, int count) {
#pragma GCC ivdep
  for (int i = 0; i < count; ++i) f[i] = f[i] + drive(i) * (stretch(i) * (hi[i] - lo[i]));
}

}  // namespace umov::fdtd::rows

#undef UMOV_ROW
