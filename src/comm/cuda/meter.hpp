// How long a GPU waits for messages whose launches are recorded and repeated: the host does not see them.
#pragma once

#include <utility>

#include "backend/cuda/memory.hpp"

namespace umov::comm {

#ifdef __CUDACC__
__device__ inline unsigned long long nanoseconds() {
  unsigned long long t;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t));
  return t;
}
#endif

/// Kernels of one stream add to it; the host reads it without waiting for them.
class Meter {
 public:
  /// For kernels.
  struct View {
    unsigned long long *total, *host;
#ifdef __CUDACC__
    __device__ void add(unsigned long long more) const {
      *total += more;
      *static_cast<volatile unsigned long long*>(host) = *total;
    }
#endif
  };

  Meter() : total_(1), known_(1) {
    *known_.data() = 0;
    UMOV_CUDA_CHECK(cudaMemset(total_.data(), 0, sizeof(unsigned long long)));
  }
  View view() { return {total_.data(), known_.data()}; }
  /// Seconds since the last call.
  double more() {
    const unsigned long long now = *static_cast<volatile unsigned long long*>(known_.data());
    return 1e-9 * double(now - std::exchange(seen_, now));
  }

 private:
  backend::CudaArray<unsigned long long> total_;
  backend::PinnedArray<unsigned long long> known_;
  unsigned long long seen_ = 0;
};

}  // namespace umov::comm
