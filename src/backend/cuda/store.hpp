// Stores without a name in CUDA: tests put another file in this one's place (tests/gpu_kernels/on_host).
#pragma once

#include <cuda_runtime.h>

namespace umov::backend::cuda {

/// One 16-byte store: left to itself the compiler may take it apart again.
__device__ __forceinline__ void store(float* to, float4 v) {
  asm volatile("st.global.v4.f32 [%0], {%1, %2, %3, %4};" ::"l"(to), "f"(v.x), "f"(v.y), "f"(v.z), "f"(v.w)
               : "memory");
}

}  // namespace umov::backend::cuda
