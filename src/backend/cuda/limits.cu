// Limits as the driver tells them.
#include <algorithm>
#include <cstdlib>

#include "backend/cuda/limits.hpp"
#include "backend/cuda/occupancy.hpp"

namespace umov::backend::cuda {
namespace {

/// Compiled like all others: tells for which architecture the code is that runs.
__global__ void probe() {}

int attribute(cudaDeviceAttr what, int device) {
  int value = 0;
  UMOV_CUDA_CHECK(cudaDeviceGetAttribute(&value, what, device));
  return value;
}

Limits limits_of(int device) {
  cudaFuncAttributes code;
  UMOV_CUDA_CHECK(cudaFuncGetAttributes(&code, probe));
  Limits l;
  l.code = std::min(10 * attribute(cudaDevAttrComputeCapabilityMajor, device) +
                        attribute(cudaDevAttrComputeCapabilityMinor, device),
                    code.ptxVersion);
  l.shared_block = attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
  l.shared_processor = attribute(cudaDevAttrMaxSharedMemoryPerMultiprocessor, device);
  l.shared_reserved = attribute(cudaDevAttrReservedSharedMemoryPerBlock, device);
  l.cache = attribute(cudaDevAttrL2CacheSize, device);
  l.registers = std::min(attribute(cudaDevAttrMaxRegistersPerBlock, device),
                         attribute(cudaDevAttrMaxRegistersPerMultiprocessor, device));
  l.threads = attribute(cudaDevAttrMaxThreadsPerMultiProcessor, device);
  l.processors = attribute(cudaDevAttrMultiProcessorCount, device);
  l.clusters = l.code >= 90 && attribute(cudaDevAttrClusterLaunch, device) != 0;
  l.cooperative = attribute(cudaDevAttrCooperativeLaunch, device) != 0;
  return l;
}

}  // namespace

Limits current_limits() {
  int device = 0;
  UMOV_CUDA_CHECK(cudaGetDevice(&device));
  const char* const text = std::getenv("UMOV_CUDA_LIMITS");
  const Limits own = limits_of(device);
  return text && *text ? forced_down(own, text) : own;
}

Limits limits(int device) {
  int before = 0;
  UMOV_CUDA_CHECK(cudaGetDevice(&before));
  UMOV_CUDA_CHECK(cudaSetDevice(device));
  const Limits l = current_limits();
  UMOV_CUDA_CHECK(cudaSetDevice(before));
  return l;
}

}  // namespace umov::backend::cuda
