// Radices known at run time, as constants for the compiler: which ones may run first, inside, last and around
// the tensor.
#pragma once

namespace umov::dda::tuned {

template <int R>
struct Radix {
  static constexpr int value = R;
};

template <class F>
__device__ __forceinline__ void with_first_radix(int r, const F& f) {
  switch (r) {
    case 2:
      return f(Radix<2>{});
    case 4:
      return f(Radix<4>{});
    case 6:
      return f(Radix<6>{});
    case 8:
      return f(Radix<8>{});
    case 10:
      return f(Radix<10>{});
    case 16:
      return f(Radix<16>{});
    case 1:
      return f(Radix<1>{});
    case 3:
      return f(Radix<3>{});
    case 5:
      return f(Radix<5>{});
    case 7:
      return f(Radix<7>{});
  }
}
template <class F>
__device__ __forceinline__ void with_inner_radix(int r, const F& f) {
  switch (r) {
    case 2:
      return f(Radix<2>{});
    case 3:
      return f(Radix<3>{});
    case 4:
      return f(Radix<4>{});
    case 5:
      return f(Radix<5>{});
    case 6:
      return f(Radix<6>{});
    case 7:
      return f(Radix<7>{});
    case 8:
      return f(Radix<8>{});
    case 10:
      return f(Radix<10>{});
    case 16:
      return f(Radix<16>{});
  }
}
template <class F>
__device__ __forceinline__ void with_last_radix(int r, const F& f) {
  switch (r) {
    case 1:
      return f(Radix<1>{});
    case 2:
      return f(Radix<2>{});
    case 3:
      return f(Radix<3>{});
    case 4:
      return f(Radix<4>{});
    case 5:
      return f(Radix<5>{});
    case 7:
      return f(Radix<7>{});
    case 8:
      return f(Radix<8>{});
    case 16:
      return f(Radix<16>{});
  }
}

/// For the pass that holds three components of R points at once.
template <class F>
__device__ __forceinline__ void with_tensor_radix(int r, const F& f) {
  switch (r) {
    case 1:
      return f(Radix<1>{});
    case 2:
      return f(Radix<2>{});
    case 3:
      return f(Radix<3>{});
    case 4:
      return f(Radix<4>{});
    case 5:
      return f(Radix<5>{});
    case 7:
      return f(Radix<7>{});
  }
}

}  // namespace umov::dda::tuned
