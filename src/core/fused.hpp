// Multiply-adds that are rounded alike wherever the compiler puts them.
#pragma once

#include <cmath>

#include "core/types.hpp"

namespace umov {

/// a b + c: rounded once where the machine has such an instruction, else the product is rounded, too. Written
/// as a b + c, a compiler chooses for itself, and otherwise for what a loop has beside its vectors.
template <class T>
UMOV_HD inline T fused(T a, T b, T c) {
#if defined(__FMA__) || defined(__ARM_FEATURE_FMA) || defined(__CUDA_ARCH__)
  return std::fma(a, b, c);
#else
  return a * b + c;
#endif
}

}  // namespace umov
