// Device and pinned host memory, owned.
#pragma once

#include <cstddef>
#include <utility>

#include "backend/cuda/check.hpp"

namespace umov::backend {

namespace cuda {

inline std::string mebibytes(std::size_t bytes) {
  return std::to_string((bytes + (1 << 20) - 1) >> 20) + " MiB";
}

/// Device memory, from the pool of `stream` if there is one; refuses with the sizes, so that a too large
/// problem reads as one.
inline void* allocate_device(std::size_t bytes, cudaStream_t stream = nullptr) {
  void* p = nullptr;
  const cudaError_t error = stream ? cudaMallocAsync(&p, bytes, stream) : cudaMalloc(&p, bytes);
  if (error == cudaErrorMemoryAllocation) {
    cudaGetLastError();
    std::size_t free = 0, total = 0;
    UMOV_CUDA_CHECK(cudaMemGetInfo(&free, &total));
    throw MachineFailure("not enough memory on the GPU (" + mebibytes(bytes) + " more needed, " +
                         mebibytes(free) + " of " + mebibytes(total) +
                         " free); use a coarser grid or mesh, single precision where it is offered, or "
                         "`machine.backend = 'cpu'`");
  }
  UMOV_CUDA_CHECK(error);
  return p;
}

}  // namespace cuda

/// Owning array of trivially copyable elements in device memory, not initialised. One from a pool is given
/// back in the order of the work on its stream, which must outlive it.
template <class T>
class CudaArray {
 public:
  CudaArray() = default;
  explicit CudaArray(std::size_t n, cudaStream_t pool = nullptr) : size_(n), pool_(pool) {
    if (n) data_ = static_cast<T*>(cuda::allocate_device(n * sizeof(T), pool));
  }
  CudaArray(CudaArray&& o) noexcept { swap(o); }
  CudaArray& operator=(CudaArray&& o) noexcept {
    swap(o);
    return *this;
  }
  ~CudaArray() {
    if (!data_) return;
    if (pool_)
      cudaFreeAsync(data_, pool_);
    else
      cudaFree(data_);
  }

  T* data() { return data_; }
  const T* data() const { return data_; }
  std::size_t size() const { return size_; }
  std::size_t bytes() const { return size_ * sizeof(T); }

 private:
  void swap(CudaArray& o) {
    std::swap(data_, o.data_);
    std::swap(size_, o.size_);
    std::swap(pool_, o.pool_);
  }
  T* data_ = nullptr;
  std::size_t size_ = 0;
  cudaStream_t pool_ = nullptr;
};

/// Owning array in page-locked host memory that the device can also address.
template <class T>
class PinnedArray {
 public:
  PinnedArray() = default;
  explicit PinnedArray(std::size_t n) : size_(n) {
    if (!n) return;
    const cudaError_t error =
        cudaHostAlloc(reinterpret_cast<void**>(&data_), n * sizeof(T), cudaHostAllocMapped);
    if (error == cudaErrorMemoryAllocation) {
      cudaGetLastError();
      throw MachineFailure("not enough page-locked host memory (" + cuda::mebibytes(n * sizeof(T)) +
                           " needed); use a coarser grid or mesh, or single precision");
    }
    UMOV_CUDA_CHECK(error);
  }
  PinnedArray(PinnedArray&& o) noexcept { swap(o); }
  PinnedArray& operator=(PinnedArray&& o) noexcept {
    swap(o);
    return *this;
  }
  ~PinnedArray() { cudaFreeHost(data_); }

  T* data() { return data_; }
  const T* data() const { return data_; }
  std::size_t size() const { return size_; }
  std::size_t bytes() const { return size_ * sizeof(T); }

 private:
  void swap(PinnedArray& o) {
    std::swap(data_, o.data_);
    std::swap(size_, o.size_);
  }
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace umov::backend
