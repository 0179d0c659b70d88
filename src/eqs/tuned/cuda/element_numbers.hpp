// The numbers of elements that the matrix-free product on a GPU streams, patch by patch.
#pragma once

#include "eqs/kernels/element_stiffness.hpp"
#include "eqs/tuned/cuda/patches.hpp"

namespace umov::eqs::gpu {

/// Which patches have which numbers. Number k of element t of patch p is at
/// (first[p] * 6 + k) * patch_elements + t.
template <class T>
struct NumbersView {
  const T* numbers;
  const int* first;  ///< nullptr: six numbers in every patch
  const int* patch;  ///< those of a kernel; nullptr: all of them
  int count;
  __device__ const T* of(int p) const { return numbers + index_t(first ? first[p] : p) * 6 * patch_elements; }
};

/// c V / 20 grad(lambda_i) . grad(lambda_j) of every element, as quadratic_stiffness wants it.
/// coefficient(e) gives c.
template <class T, class Coefficient>
struct FillGram {
  int elements;
  const int* tet;   // [element][4]
  const double* x;  // [node][3]
  Coefficient coefficient;
  T* gram;
  UMOV_HD void operator()(index_t at) const {
    const index_t p = at / patch_elements, t = at % patch_elements;
    double v[3][3], c[3][3];
    if (at < elements)
      for (int k = 0; k < 3; ++k)
        for (int d = 0; d < 3; ++d)
          v[k][d] = x[3 * index_t(tet[4 * at + k + 1]) + d] - x[3 * index_t(tet[4 * at]) + d];
    for (int k = 0; k < 3; ++k) {
      const double *a = v[(k + 1) % 3], *b = v[(k + 2) % 3];
      c[k][0] = a[1] * b[2] - a[2] * b[1];
      c[k][1] = a[2] * b[0] - a[0] * b[2];
      c[k][2] = a[0] * b[1] - a[1] * b[0];
    }
    double f = 0;  // the last patch is filled up with empty elements
    if (at < elements)
      f = coefficient(at) / (120 * (v[0][0] * c[0][0] + v[0][1] * c[0][1] + v[0][2] * c[0][2]));
    const int pair[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};
    for (int k = 0; k < 6; ++k) {
      const double *a = c[pair[k][0]], *b = c[pair[k][1]];
      gram[(p * 6 + k) * patch_elements + t] =
          at < elements ? T(f * (a[0] * b[0] + a[1] * b[1] + a[2] * b[2])) : T(0);
    }
  }
};

/// Element numbers of a patch with tensors at points in one of its elements are wide: 24 for all of them.
template <class Numbers>
struct MarkWide {
  Numbers of;
  int elements;
  int* units;  ///< per patch: 1, or 4 where it is wide
  UMOV_HD void operator()(index_t p) const {
    int wide = 0;
    const index_t end = (p + 1) * patch_elements;
    for (index_t e = p * patch_elements; e < end && e < elements; ++e) wide |= of.points(int(e));
    units[p] = wide ? point_numbers / 6 : 1;
  }
};
template <class T, class Numbers>
struct FillNumbers {
  static constexpr bool costly = true;
  Numbers of;
  int elements;
  const int* first;  ///< [patches + 1]
  T* numbers;
  UMOV_HD void operator()(index_t at) const {
    const index_t p = at / patch_elements, t = at % patch_elements;
    const bool wide = first[p + 1] - first[p] > 1;
    double n[point_numbers] = {};
    // the last patch is filled up with empty elements
    const bool points = at < elements && of(int(at), n);
    // the same coefficient at every point: a quarter of the volume each, not a twentieth
    if (wide && !points)
      for (int k = point_numbers - 1; k >= 0; --k) n[k] = 5 * n[k % 6];
    T* to = numbers + index_t(first[p]) * 6 * patch_elements + t;
    for (int k = 0; k < (wide ? point_numbers : 6); ++k) to[k * patch_elements] = T(n[k]);
  }
};

}  // namespace umov::eqs::gpu
