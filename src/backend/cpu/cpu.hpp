// The cpu backend: OpenMP loops and reductions, FFTW transforms.
#pragma once

#include <omp.h>

#include <algorithm>
#include <cstring>
#include <string>

#include "backend/array.hpp"
#include "backend/cpu/fftw.hpp"
#include "backend/reduce.hpp"

namespace umov::backend {

/// OpenMP over host memory; same members as Serial.
class Cpu {
 public:
  static constexpr const char* name = "cpu";
  template <class T>
  using Array = HostArray<T>;
  /// Loops over fewer elements stay on one thread. Waking a team takes microseconds, and milliseconds when
  /// another program has the other cores: at the barrier threads then spin for one that does not run.
  static constexpr index_t worth_waking = 8192;
  static constexpr index_t loop_block = 1024;  ///< elements of a loop that one thread takes together
  /// Functors whose every element is long work say so by a member `costly`; they always go to all threads.
  template <class F>
  static constexpr bool is_costly = requires {
    requires F::costly;
  };

  /// threads = 0 takes what OpenMP offers (OMP_NUM_THREADS or all cores).
  explicit Cpu(int threads = 0) : threads_(threads > 0 ? threads : omp_get_max_threads()) {}
  int threads() const { return threads_; }

  /// See Serial::Lines. Lines go to the threads in groups; adjacent strided lines share cache lines.
  template <class T>
  class Lines {
    static constexpr int group = 8;

   public:
    Lines(Cpu& cpu, int length, index_t stride, index_t count, index_t distance)
        : threads_(cpu.threads()), length_(length), count_(count), distance_(distance) {
      HostArray<Complex<T>> sample(std::size_t((length - 1) * stride + (group - 1) * distance + 1));
      const std::lock_guard<std::mutex> hold(cpu::planner_lock());
      for (int direction = 0; direction < 2; ++direction)
        for (int many = 0; many < 2; ++many)
          plan_[direction][many] =
              cpu::Fftw<T>::make(length, many ? group : 1, sample.data(), int(stride), int(distance),
                                 direction ? FFTW_BACKWARD : FFTW_FORWARD, FFTW_ESTIMATE | FFTW_UNALIGNED);
    }
    ~Lines() {
      const std::lock_guard<std::mutex> hold(cpu::planner_lock());
      for (auto& direction : plan_)
        for (auto& plan : direction) cpu::Fftw<T>::destroy(plan);
    }
    Lines(const Lines&) = delete;
    Lines& operator=(const Lines&) = delete;

    void run(Complex<T>* data, int sign) {
      auto& plan = plan_[sign > 0];
      const index_t groups = count_ / group;
#pragma omp parallel for num_threads(threads_) schedule(static) if (count_ * length_ >= worth_waking)
      for (index_t g = 0; g < groups; ++g) {
        Complex<T>* p = data + g * group * distance_;
        cpu::Fftw<T>::run(plan[1], p, p);
      }
      for (index_t l = groups * group; l < count_; ++l)
        cpu::Fftw<T>::run(plan[0], data + l * distance_, data + l * distance_);
    }

   private:
    int threads_;
    index_t length_, count_, distance_;
    typename cpu::Fftw<T>::plan plan_[2][2];
  };

  std::string device_name() const { return std::to_string(threads_) + " thread(s)"; }

  template <class T>
  Array<T> allocate(std::size_t n) {
    return Array<T>(n);
  }
  template <class T>
  void upload(T* device, const T* host, std::size_t n) const {
    std::copy_n(host, n, device);
  }
  template <class T>
  void download(T* host, const T* device, std::size_t n) const {
    std::copy_n(device, n, host);
  }
  template <class T>
  void fill_zero(T* device, std::size_t n) const {
    const index_t bytes = index_t(n * sizeof(T)), step = 1 << 20;
#pragma omp parallel for num_threads(threads_) schedule(static) if (bytes > step)
    for (index_t b = 0; b < bytes; b += step)
      std::memset(reinterpret_cast<char*>(device) + b, 0, std::size_t(std::min(step, bytes - b)));
  }
  void synchronize() const {}

  /// In fixed blocks: what is left of a loop beside its vectors may be rounded otherwise (fused or not), and
  /// where that is must not depend on the number of threads.
  template <class F>
  void for_each(index_t n, const F& f) const {
    if constexpr (is_costly<F>) {
#pragma omp parallel for num_threads(threads_) schedule(static)
      for (index_t i = 0; i < n; ++i) f(i);
    } else {
      const index_t blocks = (n + loop_block - 1) / loop_block;
#pragma omp parallel for num_threads(threads_) schedule(static) if (n >= worth_waking)
      for (index_t b = 0; b < blocks; ++b) {
        const index_t end = std::min(n, (b + 1) * loop_block);
        for (index_t i = b * loop_block; i < end; ++i) f(i);
      }
    }
  }

  /// See Serial::for_each_box. Rows along x go to the threads in stretches, and each is one vector loop.
  template <class F>
  void for_each_box(const Int3& lo, const Int3& hi, const F& f) const {
    const index_t height = hi[1] - lo[1], rows = height * (hi[2] - lo[2]), width = hi[0] - lo[0];
    if (height <= 0 || rows <= 0 || width <= 0) return;
    const auto run_rows = [&](index_t first, index_t last) {
      const F own = f;  // a copy whose members no store can change
      for (index_t r = first; r < last; ++r) {
        const int k = lo[2] + int(r / height), j = lo[1] + int(r % height), end = hi[0];
#pragma GCC ivdep
        for (int i = lo[0]; i < end; ++i) own(i, j, k);
      }
    };
    // a cell of a sweep is a few instructions, so more of them than of for_each before threads wake
    if (threads_ == 1 || rows == 1 || rows * width < 4 * worth_waking) return run_rows(0, rows);
#pragma omp parallel num_threads(threads_)
    {
      const index_t me = omp_get_thread_num(), all = omp_get_num_threads();
      run_rows(rows * me / all, rows * (me + 1) / all);
    }
  }

  template <class F>
  double map_max(index_t n, const F& f) const {
    std::uint64_t most = 0;
#pragma omp parallel for num_threads(threads_) schedule(static) reduction(max : most) if (n >= worth_waking)
    for (index_t i = 0; i < n; ++i) most = std::max(most, ordered_bits(f(i)));
    return from_ordered_bits(most);
  }

  template <int K, class A, class F>
  Sums<A, K> map_reduce(index_t n, const F& f) const {
    const index_t blocks = (n + reduce_block - 1) / reduce_block;
    std::vector<Sums<A, K>> partial(blocks);
#pragma omp parallel for num_threads(threads_) schedule(static) if (n >= worth_waking)
    for (index_t b = 0; b < blocks; ++b) {
      Sums<A, K> s{};
      for (index_t i = b * reduce_block; i < std::min(n, (b + 1) * reduce_block); ++i) f(i, s);
      partial[b] = s;
    }
    return pairwise(partial);
  }

  /// See Serial::reduce_to.
  template <int K, class F>
  void reduce_to(index_t n, const F& f, double* sums) const {
    const auto s = map_reduce<K, double>(n, f);
    for (int k = 0; k < K; ++k) sums[k] = s.v[k];
  }

  /// See Serial::exclusive_scan. Memory bound and short beside what it is used for: one thread.
  index_t exclusive_scan(int* data, index_t n) const {
    index_t sum = 0;
    for (index_t i = 0; i < n; ++i) {
      const int v = data[i];
      data[i] = int(sum);
      sum += v;
    }
    return sum;
  }

  /// See Serial::Sequence.
  class Sequence {
   public:
    template <class F>
    void run(const Cpu&, const F& body) {
      body();
    }
  };

 private:
  int threads_;
};

}  // namespace umov::backend
