// A processor in the place of a GPU: memory and loops are those of the serial backend, kernels run thread by
// thread.
#pragma once

#include <optional>

#include "backend/cuda/launch.hpp"
#include "backend/cuda/limits.hpp"
#include "backend/serial/serial.hpp"

namespace umov::backend {

/// Not a number before somebody writes it.
template <class T>
class CudaArray : public HostArray<T> {
 public:
  CudaArray() = default;
  explicit CudaArray(std::size_t n) : HostArray<T>(n) {
    if (n) std::memset(static_cast<void*>(this->data()), 0xff, n * sizeof(T));
  }
};
template <class T>
using PinnedArray = CudaArray<T>;

namespace cuda {
inline constexpr int reduce_blocks = 1056;

/// Every thread adds its own.
template <int K, int Threads>
void finish_reduction(const Sums<double, K>& s, double* sums, const unsigned*, const void*, std::uint64_t) {
  for (int k = 0; k < K; ++k) sums[k] += s.v[k];
}
}  // namespace cuda

class Cuda : public Serial {
 public:
  static constexpr const char* name = "cuda";
  template <class T>
  using Array = CudaArray<T>;
  template <class T>
  Array<T> allocate(std::size_t n) {
    return Array<T>(n);
  }
  struct Ticket {
    double* partial;
    const unsigned* arrived;
    const void* mailbox;
    std::uint64_t number;
  };

  explicit Cuda(const cuda::Limits& limits) : limits_(limits) {}
  const cuda::Limits& limits() const { return limits_; }
  cudaStream_t stream() const { return nullptr; }
  struct Options {
    int device = -1;  ///< messages are those of host memory
  };
  Options options() const { return {}; }
  void select() const {}
  Ticket ticket() {
    std::fill_n(sums_, 8, 0.0);
    return {sums_, nullptr, nullptr, 0};
  }
  template <int K, class A>
  Sums<A, K> collect(const Ticket& t) const {
    Sums<A, K> s;
    for (int k = 0; k < K; ++k) s.v[k] = A(t.partial[k]);
    return s;
  }

 private:
  cuda::Limits limits_;
  double sums_[8]{};
};

}  // namespace umov::backend
