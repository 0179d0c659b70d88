// Sums of products in one rounding on GPUs, so that all kernels there, simple and tuned, have the same bits.
#pragma once

#include <cmath>
#include <type_traits>

#include "core/complex.hpp"
#include "core/types.hpp"

namespace umov::fdtd {

/// decay f + drive curl.
template <class T, class F>
UMOV_HD inline F updated(T decay, F f, T drive, F curl) {
#ifdef __CUDA_ARCH__
  if constexpr (std::is_same_v<T, F>) return std::fma(drive, curl, decay * f);
#endif
  return decay * f + drive * curl;
}

/// psi of an absorbing layer after a step: b psi + c D.
template <class T, class F>
UMOV_HD inline F layer_memory(T b, F psi, T c, F d) {
#ifdef __CUDA_ARCH__
  if constexpr (std::is_same_v<T, F>) return std::fma(b, psi, c * d);
#endif
  return b * psi + c * d;
}

/// A field with the share of a layer: f + drive (psi + stretch D).
template <class T, class F>
UMOV_HD inline F absorbed(F f, T drive, F psi, T stretch, F d) {
#ifdef __CUDA_ARCH__
  if constexpr (std::is_same_v<T, F>) return std::fma(drive, std::fma(stretch, d, psi), f);
#endif
  return f + drive * (psi + stretch * d);
}

}  // namespace umov::fdtd
