// Kernels are launched, and machine instructions without a name in CUDA are given one, here: tests put
// another file in this one's place, which runs kernels on a processor (tests/support/cuda_on_host).
#pragma once

#include "backend/cuda/check.hpp"

namespace umov::backend::cuda {

template <class... Parameters, class... Arguments>
void launch(cudaStream_t stream, dim3 blocks, int threads, std::size_t bytes, void (*kernel)(Parameters...),
            const Arguments&... arguments) {
  kernel<<<blocks, threads, bytes, stream>>>(arguments...);
  UMOV_CUDA_CHECK(cudaGetLastError());
}

/// Waits for the `Threads` threads of a block that call it with the same number, from 1 to 15.
template <int Threads>
__device__ __forceinline__ void wait_for_threads(int number) {
  asm volatile("bar.sync %0, %1;" ::"r"(number), "n"(Threads) : "memory");
}

/// Asks for the line of memory at p to be brought to the L2 cache.
__device__ __forceinline__ void prefetch(const void* p) { asm volatile("prefetch.global.L2 [%0];" ::"l"(p)); }

}  // namespace umov::backend::cuda
