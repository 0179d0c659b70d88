// What the kernels of the product on a mirror fraction share: their view of the arrays, and the step between
// complex and cosine transforms in shared memory.
#pragma once

#include "dda/tuned/cuda/mirror_axes.hpp"
#include "dda/tuned/cuda/passes.hpp"

namespace umov::dda::tuned {

/// What all five know. Lines are [component][z][y][slots of x], slices [group][ky][z][component][lanes].
template <class T>
struct MirrorView {
  using C = Complex<T>;
  MirrorTensor<T> tensor;
  int ny, nz, slots, log_width, swizzle;
  int first_group;         ///< of a chunk of slices
  const C* turn[3];        ///< t_k, k = 0 ... L/2
  const int* point_of[3];  ///< where a frequency is after the passes
  const int* slot_of_x;    ///< without a plane: frequency of each slot along x, -1 for padding
  C *lines, *slices;

  UMOV_HD const MirrorAxis& axis(int a) const { return tensor.axis[a]; }
  UMOV_HD index_t rows() const { return index_t(ny) * nz; }
  UMOV_HD index_t slice_at(int group, int ky, int z, int c) const {
    return (((index_t(group) * axis(1).points() + ky) * nz + z) * 3 + c) << log_width;
  }
};

/// Frequencies k that the two functions below want to see: k <= L/2, or all without a plane.
__device__ __forceinline__ int pairs_of(const MirrorAxis& axis) {
  return axis.folded ? axis.points() / 2 + 1 : axis.points();
}

/// V at its points to slots k and L - k of one line: put(slot, value).
template <class T, class Layout, class Put>
__device__ __forceinline__ void put_slots(const MirrorAxis& axis, const Complex<T>* turn, const int* point_of,
                                          const Complex<T>* shared, const Layout& layout, int k, int line,
                                          bool odd, const Put& put) {
  Complex<T> v = shared[layout.at(point_of[k], line)];
  if (!axis.folded) return put(k, v);
  if (k == 0) return put(0, T(2) * v);
  const int other = axis.points() - k;
  Complex<T> w = shared[layout.at(point_of[other], line)];
  to_slots(v, w, constant(turn + k), odd);
  put(k, v);
  if (other != k) put(other, w);
}
/// The way back: get(slot).
template <class T, class Layout, class Get>
__device__ __forceinline__ void get_slots(const MirrorAxis& axis, const Complex<T>* turn, const int* point_of,
                                          Complex<T>* shared, const Layout& layout, int k, int line, bool odd,
                                          const Get& get) {
  Complex<T> v = get(k);
  if (axis.folded && k > 0) {
    const int other = axis.points() - k;
    Complex<T> w = other == k ? v : get(other);
    from_slots(v, w, constant(turn + k), odd);
    if (other != k) shared[layout.at(point_of[other], line)] = w;
  }
  shared[layout.at(point_of[k], line)] = v;
}

/// An element of a vector or an array, and whether its line is negative there.
struct SignedPlace {
  index_t at;  ///< -1 = none
  bool minus;
};

}  // namespace umov::dda::tuned
