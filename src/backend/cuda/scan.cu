// Prefix sums by CUB.
#include <cub/device/device_scan.cuh>
#include <limits>

#include "backend/cuda/memory.hpp"
#include "backend/cuda/scan.hpp"

namespace umov::backend::cuda {

void exclusive_scan(int* data, index_t n, cudaStream_t stream) {
  // sums are of type int, and CUB before CUDA 12.6 counts in int too
  if (n > std::numeric_limits<int>::max())
    throw MachineFailure("a list of " + std::to_string(n) +
                         " numbers is too long for the GPU (at most 2147483647); use a coarser mesh");
  std::size_t bytes = 0;
  UMOV_CUDA_CHECK(cub::DeviceScan::ExclusiveSum(nullptr, bytes, data, data, int(n), stream));
  CudaArray<char> work(bytes, stream);
  UMOV_CUDA_CHECK(cub::DeviceScan::ExclusiveSum(work.data(), bytes, data, data, int(n), stream));
}

}  // namespace umov::backend::cuda
