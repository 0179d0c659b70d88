// Prefix sums by CUB.
#include <cub/device/device_scan.cuh>

#include "backend/cuda/memory.hpp"
#include "backend/cuda/scan.hpp"

namespace umov::backend::cuda {

void exclusive_scan(int* data, index_t n, cudaStream_t stream) {
  std::size_t bytes = 0;
  UMOV_CUDA_CHECK(cub::DeviceScan::ExclusiveSum(nullptr, bytes, data, data, n, stream));
  CudaArray<char> work(bytes, stream);
  UMOV_CUDA_CHECK(cub::DeviceScan::ExclusiveSum(work.data(), bytes, data, data, n, stream));
}

}  // namespace umov::backend::cuda
