// Needs of a kernel, held against the limits of the GPU it would run on.
#pragma once

#include <algorithm>

#include "backend/cuda/check.hpp"
#include "backend/cuda/limits.hpp"

namespace umov::backend::cuda {

template <class Kernel>
KernelNeeds needs_of(Kernel* kernel) {
  cudaFuncAttributes a;
  UMOV_CUDA_CHECK(cudaFuncGetAttributes(&a, kernel));
  return {a.numRegs, a.sharedSizeBytes};
}

/// Whether a block of this kernel can run.
template <class Kernel>
bool fits(Kernel* kernel, int threads, std::size_t bytes, const Limits& l) {
  return block_fits(needs_of(kernel), threads, bytes, l);
}

/// Above 40 KiB a kernel must ask for its dynamic shared memory (static arrays count in the 48 KiB it has
/// unasked).
template <class Kernel>
void allow_shared(Kernel* kernel, std::size_t bytes) {
  if (bytes > 40 * 1024)
    UMOV_CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, int(bytes)));
}

/// Blocks of a kernel on one multiprocessor: as the driver counts them, or fewer where limits are forced.
template <class Kernel>
int resident(Kernel* kernel, int threads, std::size_t bytes, const Limits& l) {
  if (bytes > l.shared_block) return 0;
  allow_shared(kernel, bytes);
  int blocks = 0;
  UMOV_CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads, bytes));
  return l.forced.empty() ? blocks : std::min(blocks, resident_blocks(needs_of(kernel), threads, bytes, l));
}

}  // namespace umov::backend::cuda
