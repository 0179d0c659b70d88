// Prefix sums on a GPU; compiled once, since CUB's headers are long.
#pragma once

#include <cuda_runtime.h>

#include "backend/reduce.hpp"

namespace umov::backend::cuda {

/// data[i] becomes the sum of those before it. Queued.
void exclusive_scan(int* data, index_t n, cudaStream_t);

/// Sum of integers, for map_reduce: exact, also past 2^31.
struct Total {
  const int* data;
  template <class S>
  UMOV_HD void operator()(index_t i, S& s) const {
    s.v[0] += data[i];
  }
};

}  // namespace umov::backend::cuda
