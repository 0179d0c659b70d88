// Every CUDA and cuFFT call goes through these checks: a failure names the call and what it means.
#pragma once

#include <cuda_runtime.h>
#include <cufft.h>

#include <string>

#include "core/error.hpp"

namespace umov::backend::cuda {

[[noreturn]] inline void fail(cudaError_t error, const char* call, const char* file, int line) {
  if (error == cudaErrorNoKernelImageForDevice)
    throw MachineFailure(
        "this GPU is none that libumov_cuda.so was built for (no code for its compute capability); build it "
        "again on this machine with `make cuda`, choose another GPU with `machine.device`, or use "
        "`machine.backend = 'cpu'`");
  throw MachineFailure(std::string("the GPU failed in ") + call + " (" + cudaGetErrorString(error) + ") at " +
                       file + ":" + std::to_string(line));
}
inline void check(cudaError_t error, const char* call, const char* file, int line) {
  if (error != cudaSuccess) fail(error, call, file, line);
}
inline void check(cufftResult result, const char* call, const char* file, int line) {
  if (result == CUFFT_SUCCESS) return;
  const char* why =
      result == CUFFT_ALLOC_FAILED ? "not enough device memory for its work area" : "cuFFT error";
  throw MachineFailure(std::string("the GPU failed in ") + call + " (" + why + " " +
                       std::to_string(int(result)) + ") at " + file + ":" + std::to_string(line));
}

}  // namespace umov::backend::cuda

#define UMOV_CUDA_CHECK(call) ::umov::backend::cuda::check((call), #call, __FILE__, __LINE__)
