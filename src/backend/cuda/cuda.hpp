// The cuda backend: launches, reductions and cuFFT lines on one GPU; same members as Serial and Cpu.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "backend/array.hpp"
#include "backend/cuda/limits.hpp"
#include "backend/cuda/memory.hpp"
#include "backend/cuda/reduce.hpp"
#include "backend/cuda/scan.hpp"
#include "core/complex.hpp"
#include "core/types.hpp"

namespace umov::backend {

/// One GPU and one stream. Work is queued; only download, map_reduce and synchronize wait.
class Cuda {
 public:
  static constexpr const char* name = "cuda";
  /// Iterations of a linear solver between looks of the host: one look costs some 20 microseconds of idling.
  static constexpr int solver_check_every = 2;
  template <class T>
  using Array = CudaArray<T>;

  struct Options {
    int device = 0;
    bool blocking_sync = false;   ///< sleep while waiting, instead of spinning on one core
    bool simple_kernels = false;  ///< the generic kernels even where a tuned twin exists
    bool pooled = false;  ///< arrays from a pool that keeps its memory: for set-ups done again and again
  };

  /// GPU number `device` (below 0: the first) with pooled arrays. Throws BadInput where there is none.
  static Options pooled_on(int device) {
    int count = 0;
    UMOV_CUDA_CHECK(cudaGetDeviceCount(&count));
    if (device >= count)
      throw BadInput("`machine.device = " + std::to_string(device) + "`: there are " + std::to_string(count) +
                     " GPUs here, numbered from 0; see `umov devices`");
    Options options;
    options.device = device < 0 ? 0 : device;
    options.pooled = true;
    return options;
  }

  explicit Cuda(const Options& options) : options_(options) {
    select();
    limits_ = cuda::current_limits();
    UMOV_CUDA_CHECK(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    UMOV_CUDA_CHECK(cudaEventCreateWithFlags(
        &done_, cudaEventDisableTiming | (options.blocking_sync ? cudaEventBlockingSync : 0)));
    if (options.pooled) keep_pool();
    partial_ = CudaArray<double>(cuda::reduce_blocks * cuda::most_sums);
    arrived_ = CudaArray<unsigned>(1);
    most_ = CudaArray<unsigned long long>(1);
    fill_zero(arrived_.data(), 1);
    mailbox_ = PinnedArray<cuda::Mailbox>(1);
    mailbox_.data()->number = 0;
    synchronize();
  }
  ~Cuda() {
    cudaStreamSynchronize(stream_);
    cudaEventDestroy(done_);
    cudaStreamDestroy(stream_);
  }
  Cuda(const Cuda&) = delete;
  Cuda& operator=(const Cuda&) = delete;

  /// See Serial::Lines: cuFFT's advanced layout with 64-bit sizes, one plan for both directions.
  template <class T>
  class Lines {
   public:
    Lines(Cuda& device, int length, index_t stride, index_t count, index_t distance) {
      device.select();
      UMOV_CUDA_CHECK(cufftCreate(&plan_));
      long long n = length, embed = length;
      std::size_t work = 0;
      const cufftType type = sizeof(T) == 8 ? CUFFT_Z2Z : CUFFT_C2C;
      UMOV_CUDA_CHECK(cufftMakePlanMany64(plan_, 1, &n, &embed, stride, distance, &embed, stride, distance,
                                          type, count, &work));
      UMOV_CUDA_CHECK(cufftSetStream(plan_, device.stream()));
    }
    ~Lines() { cufftDestroy(plan_); }
    Lines(const Lines&) = delete;
    Lines& operator=(const Lines&) = delete;

    void run(Complex<T>* data, int sign) {
      const int direction = sign < 0 ? CUFFT_FORWARD : CUFFT_INVERSE;
      if constexpr (sizeof(T) == 8) {
        auto* p = reinterpret_cast<cufftDoubleComplex*>(data);
        UMOV_CUDA_CHECK(cufftExecZ2Z(plan_, p, p, direction));
      } else {
        auto* p = reinterpret_cast<cufftComplex*>(data);
        UMOV_CUDA_CHECK(cufftExecC2C(plan_, p, p, direction));
      }
    }

   private:
    cufftHandle plan_ = 0;
  };

  std::string device_name() const {
    cudaDeviceProp p;
    UMOV_CUDA_CHECK(cudaGetDeviceProperties(&p, options_.device));
    return p.name + (limits_.forced.empty() ? "" : " with UMOV_CUDA_LIMITS=" + limits_.forced);
  }
  /// What kernels are chosen by.
  const cuda::Limits& limits() const { return limits_; }
  const Options& options() const { return options_; }
  cudaStream_t stream() const { return stream_; }
  void select() const { UMOV_CUDA_CHECK(cudaSetDevice(options_.device)); }

  template <class T>
  Array<T> allocate(std::size_t n) {
    select();
    return Array<T>(n, options_.pooled ? stream_ : nullptr);
  }
  template <class T>
  void upload(T* device, const T* host, std::size_t n) const {
    if (n) UMOV_CUDA_CHECK(cudaMemcpyAsync(device, host, n * sizeof(T), cudaMemcpyHostToDevice, stream_));
    synchronize();
  }
  template <class T>
  void download(T* host, const T* device, std::size_t n) const {
    if (n) UMOV_CUDA_CHECK(cudaMemcpyAsync(host, device, n * sizeof(T), cudaMemcpyDeviceToHost, stream_));
    synchronize();
  }
  template <class T>
  void fill_zero(T* device, std::size_t n) const {
    if (n) UMOV_CUDA_CHECK(cudaMemsetAsync(device, 0, n * sizeof(T), stream_));
  }
  void synchronize() const {
    UMOV_CUDA_CHECK(cudaEventRecord(done_, stream_));
    UMOV_CUDA_CHECK(cudaEventSynchronize(done_));
  }

  /// f(i) for i in [0, n)
  template <class F>
  void for_each(index_t n, const F& f) const {
    if (n <= 0) return;
    select();
    cuda::run_each<<<blocks_for(n, 1 << 20), cuda::threads_per_block, 0, stream_>>>(n, f);
    UMOV_CUDA_CHECK(cudaGetLastError());
  }

  /// See Serial::for_each_box. Threads follow x in blocks as wide as the box, up to 64.
  template <class F>
  void for_each_box(const Int3& lo, const Int3& hi, const F& f) const {
    const int size[3] = {hi[0] - lo[0], hi[1] - lo[1], hi[2] - lo[2]};
    if (size[0] <= 0 || size[1] <= 0 || size[2] <= 0) return;
    select();
    unsigned width = 8;
    while (width < 64 && int(width) < size[0]) width *= 2;
    const dim3 threads(width, cuda::threads_per_block / width);
    const dim3 blocks((unsigned(size[0]) + width - 1) / width,
                      std::min((unsigned(size[1]) + threads.y - 1) / threads.y, 65535u),
                      std::min(unsigned(size[2]), 65535u));
    cuda::run_box<<<blocks, threads, 0, stream_>>>(lo[0], lo[1], lo[2], hi[0], hi[1], hi[2], f);
    UMOV_CUDA_CHECK(cudaGetLastError());
  }

  /// See Serial::map_max.
  template <class F>
  double map_max(index_t n, const F& f) const {
    if (n <= 0) return 0;
    select();
    fill_zero(most_.data(), 1);
    cuda::run_max<<<blocks_for(n, cuda::reduce_blocks), cuda::threads_per_block, 0, stream_>>>(n, f,
                                                                                               most_.data());
    UMOV_CUDA_CHECK(cudaGetLastError());
    unsigned long long host = 0;
    download(&host, most_.data(), 1);
    return from_ordered_bits(host);
  }

  /// Sum over i of what f(i, sums) adds: in double, in an order that n alone decides.
  template <int K, class A, class F>
  Sums<A, K> map_reduce(index_t n, const F& f) const {
    static_assert(K <= cuda::most_sums);
    if (n <= 0) return Sums<A, K>{};
    select();
    const Ticket t = ticket();
    cuda::run_reduce<K><<<blocks_for(n, cuda::reduce_blocks), cuda::threads_per_block, 0, stream_>>>(
        n, f, t.partial, t.arrived, cuda::PostToHost<K>{t.mailbox, t.number});
    UMOV_CUDA_CHECK(cudaGetLastError());
    return collect<K, A>(t);
  }

  /// See Serial::reduce_to.
  template <int K, class F>
  void reduce_to(index_t n, const F& f, double* sums) const {
    static_assert(K <= cuda::most_sums);
    select();
    cuda::run_reduce<K>
        <<<std::max(1u, blocks_for(n, cuda::reduce_blocks)), cuda::threads_per_block, 0, stream_>>>(
            n, f, partial_.data(), arrived_.data(), cuda::PostToDevice<K>{sums});
    UMOV_CUDA_CHECK(cudaGetLastError());
  }

  /// See Serial::exclusive_scan. Waits for the sum.
  index_t exclusive_scan(int* data, index_t n) const {
    if (n <= 0) return 0;
    const auto sum = map_reduce<1, double>(n, cuda::Total{data});
    cuda::exclusive_scan(data, n, stream_);
    return index_t(sum.v[0]);
  }

  /// See Serial::Sequence: the launches are captured into a graph, which later runs replay.
  class Sequence {
   public:
    Sequence() = default;
    Sequence(Sequence&& o) noexcept : graph_(std::exchange(o.graph_, nullptr)), stale_(o.stale_) {}
    Sequence& operator=(Sequence&& o) noexcept {
      std::swap(graph_, o.graph_);
      std::swap(stale_, o.stale_);
      return *this;
    }
    /// What the launches are given has changed: the next run captures them again. Where they are the same
    /// launches, the graph that is there takes over their arguments instead of being made again.
    void forget() { stale_ = true; }
    ~Sequence() {
      if (graph_) cudaGraphExecDestroy(graph_);
    }
    template <class F>
    void run(const Cuda& device, const F& body) {
      device.select();
      if (!graph_ || stale_) record(device, body);
      stale_ = false;
      UMOV_CUDA_CHECK(cudaGraphLaunch(graph_, device.stream()));
    }

   private:
    template <class F>
    void record(const Cuda& device, const F& body) {
      cudaGraph_t graph = nullptr;
      UMOV_CUDA_CHECK(cudaStreamBeginCapture(device.stream(), cudaStreamCaptureModeThreadLocal));
      try {
        body();
      } catch (...) {
        cudaStreamEndCapture(device.stream(), &graph);
        if (graph) cudaGraphDestroy(graph);
        throw;
      }
      UMOV_CUDA_CHECK(cudaStreamEndCapture(device.stream(), &graph));
      cudaError_t error = cudaSuccess;
      if (!take_over(graph)) error = cudaGraphInstantiate(&graph_, graph, 0);
      cudaGraphDestroy(graph);
      UMOV_CUDA_CHECK(error);
    }
    /// False, and without a graph, where the launches are others.
    bool take_over(cudaGraph_t graph) {
      if (!graph_) return false;
      cudaGraphExecUpdateResultInfo info;
      if (cudaGraphExecUpdate(graph_, graph, &info) == cudaSuccess) return true;
      cudaGetLastError();  // is no failure
      cudaGraphExecDestroy(std::exchange(graph_, nullptr));
      return false;
    }
    cudaGraphExec_t graph_ = nullptr;
    bool stale_ = false;
  };

  /// Memory of the pool in use now, and the most so far (0 without a pool).
  std::size_t pool_bytes() const { return pool_state(cudaMemPoolAttrUsedMemCurrent); }

  /// Memory that the pool holds and nobody uses now: free for arrays of it, though not for the driver.
  std::size_t pool_idle() const {
    return pool_state(cudaMemPoolAttrReservedMemCurrent) - pool_state(cudaMemPoolAttrUsedMemCurrent);
  }

  /// For kernels that end in cuda::finish_reduction themselves: what to hand them, and how to wait for the
  /// sums.
  struct Ticket {
    double* partial;
    unsigned* arrived;
    cuda::Mailbox* mailbox;
    unsigned long long number;
  };
  Ticket ticket() const { return {partial_.data(), arrived_.data(), mailbox_.data(), ++number_}; }
  template <int K, class A>
  Sums<A, K> collect(const Ticket& t) const {
    wait(t.number);
    Sums<A, K> s;
    for (int k = 0; k < K; ++k) s.v[k] = A(t.mailbox->sums[k]);
    return s;
  }

 private:
  static unsigned blocks_for(index_t n, index_t most) {
    const index_t blocks = (n + cuda::threads_per_block - 1) / cuda::threads_per_block;
    return unsigned(std::min(blocks, most));
  }

  /// The pool gives nothing back to the driver while it is used: mapping memory costs milliseconds.
  void keep_pool() const {
    cudaMemPool_t pool;
    std::uint64_t all = ~std::uint64_t(0);
    UMOV_CUDA_CHECK(cudaDeviceGetDefaultMemPool(&pool, options_.device));
    UMOV_CUDA_CHECK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &all));
  }
  std::size_t pool_state(cudaMemPoolAttr what) const {
    if (!options_.pooled) return 0;
    cudaMemPool_t pool;
    std::uint64_t bytes = 0;
    UMOV_CUDA_CHECK(cudaDeviceGetDefaultMemPool(&pool, options_.device));
    UMOV_CUDA_CHECK(cudaMemPoolGetAttribute(pool, what, &bytes));
    return std::size_t(bytes);
  }

  /// Reading the flag in page-locked memory returns microseconds sooner than the driver's own wait.
  void wait(unsigned long long number) const {
    if (options_.blocking_sync) return synchronize();
    for (long spins = 1; mailbox_.data()->number != number; ++spins) {
      if (spins % 65536) continue;
      const cudaError_t state = cudaStreamQuery(stream_);
      if (state == cudaErrorNotReady) continue;
      UMOV_CUDA_CHECK(state);
      if (mailbox_.data()->number != number) throw MachineFailure("a sum formed on the GPU never arrived");
    }
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
  }

  Options options_;
  cuda::Limits limits_;
  cudaStream_t stream_ = nullptr;
  cudaEvent_t done_ = nullptr;
  mutable CudaArray<double> partial_;
  mutable CudaArray<unsigned> arrived_;
  mutable CudaArray<unsigned long long> most_;  // not allocated anew: freeing waits for the whole GPU
  mutable PinnedArray<cuda::Mailbox> mailbox_;
  mutable unsigned long long number_ = 0;
};

}  // namespace umov::backend
