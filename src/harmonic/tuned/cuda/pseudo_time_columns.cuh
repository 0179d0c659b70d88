// The pass by columns on a GPU: launch, and how it reads and writes memory.
#pragma once

#include <algorithm>
#include <cstddef>

#include "backend/cuda/cuda.hpp"
#include "backend/cuda/occupancy.hpp"
#include "harmonic/pseudo_time_pass.hpp"

namespace umov::harmonic {

namespace cuda {

/// Fields go past the first cache, and 16 bytes are one store: left to itself the compiler may take it apart.
struct StreamedMemory {
  template <class V>
  __device__ static V load(const V* from) {
    static_assert(sizeof(V) == 16);
    const float4 v = __ldcg(reinterpret_cast<const float4*>(from));
    V out;
    memcpy(&out, &v, sizeof v);
    return out;
  }
  template <class V>
  __device__ static void store(V* to, const V& value) {
    static_assert(sizeof(V) == 16);
    float4 v;
    memcpy(&v, &value, sizeof v);
    asm volatile("st.global.v4.f32 [%0], {%1, %2, %3, %4};" ::"l"(to), "f"(v.x), "f"(v.y), "f"(v.z), "f"(v.w)
                 : "memory");
  }
};

/// Registers for two planes of E and one of H ahead: 128 of a thread, 512 threads on a multiprocessor.
template <class T, int Rows>
__global__ void __launch_bounds__(32 * Rows, 16 / Rows) run_columns(const __grid_constant__ ColumnStep<T> p) {
  using Thread = ColumnThread<T, Rows, StreamedMemory>;
  extern __shared__ __align__(16) unsigned char bytes[];
  Thread thread(p, *reinterpret_cast<typename Thread::Shared*>(bytes), int(blockIdx.x), int(threadIdx.x));
  thread.begin();
  __syncthreads();
  const int last = thread.last();
  for (int k = thread.first(); k < last; ++k) {
    thread.magnetic(k);
    __syncthreads();
    thread.electric(k);
  }
}

/// See ColumnPass.
template <class T, int Rows>
struct ColumnLaunch {
  static constexpr int rows = Rows, threads = 32 * Rows;
  static constexpr std::size_t bytes = sizeof(typename ColumnThread<T, Rows, StreamedMemory>::Shared);

  int resident(backend::Cuda& dev) const {
    dev.select();
    return dev.limits().processors *
           backend::cuda::resident(run_columns<T, Rows>, threads, bytes, dev.limits());
  }
  bool possible(backend::Cuda& dev) const {
    return !dev.options().simple_kernels && bytes <= dev.limits().shared_block && resident(dev) > 0;
  }
  /// With a tenth of what is free left for sums and sources.
  bool room(backend::Cuda& dev, double needed) const {
    std::size_t free = 0, total = 0;
    dev.select();
    UMOV_CUDA_CHECK(cudaMemGetInfo(&free, &total));
    return needed <= 0.9 * double(free) + double(dev.pool_idle());
  }
  void run(backend::Cuda& dev, const ColumnStep<T>& step, int blocks) const {
    dev.select();
    run_columns<T, Rows><<<unsigned(blocks), threads, bytes, dev.stream()>>>(step);
    UMOV_CUDA_CHECK(cudaGetLastError());
  }
};

}  // namespace cuda

/// Blocks of 16 rows, of which 14 are written, where shared memory has room for them (96 KiB), else of 8.
template <class T>
class PseudoTimePass<backend::Cuda, T> {
 public:
  bool begin(backend::Cuda& dev, const ColumnStep<T>& step, bool poison) {
    tall_ = in_tall_.begin(dev, step, poison);
    return tall_ || in_short_.begin(dev, step, poison);
  }
  void rest() { tall_ ? in_tall_.rest() : in_short_.rest(); }
  void run(StaggeredFields<T>& fields, ColumnStep<T>& step) {
    tall_ ? in_tall_.run(fields, step) : in_short_.run(fields, step);
  }
  double bytes() const { return tall_ ? in_tall_.bytes() : in_short_.bytes(); }

 private:
  bool tall_ = false;
  ColumnPass<backend::Cuda, T, cuda::ColumnLaunch<T, 16>> in_tall_;
  ColumnPass<backend::Cuda, T, cuda::ColumnLaunch<T, 8>> in_short_;
};

}  // namespace umov::harmonic
