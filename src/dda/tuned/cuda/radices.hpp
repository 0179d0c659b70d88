// Radices known at run time, as constants for the compiler: which ones may run first, inside, last and around
// the tensor.
#pragma once

namespace umov::dda::tuned {

template <int R>
struct Radix {
  static constexpr int value = R;
};

/// Calls f with the one of the radices R that r is; with none where r is no other.
template <int... R, class F>
__device__ __forceinline__ void with_one_of(int r, const F& f) {
  (void)((r == R && (f(Radix<R>{}), true)) || ...);
}

template <class F>
__device__ __forceinline__ void with_first_radix(int r, const F& f) {
  with_one_of<2, 4, 6, 8, 10, 16, 1, 3, 5, 7>(r, f);
}
template <class F>
__device__ __forceinline__ void with_inner_radix(int r, const F& f) {
  with_one_of<2, 3, 4, 5, 6, 7, 8, 10, 16>(r, f);
}
template <class F>
__device__ __forceinline__ void with_last_radix(int r, const F& f) {
  with_one_of<1, 2, 3, 4, 5, 7, 8, 16>(r, f);
}

/// For the pass that holds three components of R points at once.
template <class F>
__device__ __forceinline__ void with_tensor_radix(int r, const F& f) {
  with_one_of<1, 2, 3, 4, 5, 7>(r, f);
}

}  // namespace umov::dda::tuned
