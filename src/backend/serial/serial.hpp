// The serial backend: plain loops, the referee of every kernel test.
#pragma once

#include <algorithm>
#include <cstring>
#include <string>

#include "backend/array.hpp"
#include "backend/reduce.hpp"
#include "backend/serial/fft.hpp"
#include "core/types.hpp"

namespace umov::backend {

/// What a backend offers to the rooms above it. The other backends have the same members.
class Serial {
 public:
  static constexpr const char* name = "serial";
  template <class T>
  using Array = HostArray<T>;

  /// Transforms of many lines: line l starts at l * distance, its elements are `stride` apart.
  template <class T>
  class Lines {
   public:
    Lines(Serial&, int length, index_t stride, index_t count, index_t distance)
        : fft_(length), stride_(stride), count_(count), distance_(distance) {}
    void run(Complex<T>* data, int sign) {
      for (index_t l = 0; l < count_; ++l) fft_.run(data + l * distance_, stride_, sign);
    }

   private:
    serial::Fft<T> fft_;
    index_t stride_, count_, distance_;
  };

  std::string device_name() const { return "serial reference, one core"; }

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
    if (n) std::memset(static_cast<void*>(device), 0, n * sizeof(T));
  }
  void synchronize() const {}

  /// f(i) for i in [0, n)
  template <class F>
  void for_each(index_t n, const F& f) const {
    for (index_t i = 0; i < n; ++i) f(i);
  }

  /// f(i, j, k) for lo <= (i, j, k) < hi; calls must not depend on each other.
  template <class F>
  void for_each_box(const Int3& lo, const Int3& hi, const F& f) const {
    for (int k = lo[2]; k < hi[2]; ++k)
      for (int j = lo[1]; j < hi[1]; ++j)
        for (int i = lo[0]; i < hi[0]; ++i) f(i, j, k);
  }

  /// Largest f(i) >= 0 of i in [0, n); NaN if one is NaN, 0 for none.
  template <class F>
  double map_max(index_t n, const F& f) const {
    std::uint64_t most = 0;
    for (index_t i = 0; i < n; ++i) most = std::max(most, ordered_bits(f(i)));
    return from_ordered_bits(most);
  }

  /// Sum over i of what f(i, sums) adds; the order of additions is fixed.
  template <int K, class A, class F>
  Sums<A, K> map_reduce(index_t n, const F& f) const {
    const index_t blocks = (n + reduce_block - 1) / reduce_block;
    std::vector<Sums<A, K>> partial(blocks, Sums<A, K>{});
    for (index_t b = 0; b < blocks; ++b)
      for (index_t i = b * reduce_block; i < std::min(n, (b + 1) * reduce_block); ++i) f(i, partial[b]);
    return pairwise(partial);
  }

  /// The sums of map_reduce in double, left in memory of the device (K numbers) for kernels to read: nothing
  /// waits for them.
  template <int K, class F>
  void reduce_to(index_t n, const F& f, double* sums) const {
    const auto s = map_reduce<K, double>(n, f);
    for (int k = 0; k < K; ++k) sums[k] = s.v[k];
  }

  /// data[i] becomes the sum of those before it; returns the sum of all.
  index_t exclusive_scan(int* data, index_t n) const {
    index_t sum = 0;
    for (index_t i = 0; i < n; ++i) {
      const int v = data[i];
      data[i] = int(sum);
      sum += v;
    }
    return sum;
  }

  /// A sequence of launches on fixed addresses that is repeated: a device that can records it the first time.
  class Sequence {
   public:
    template <class F>
    void run(const Serial&, const F& body) {
      body();
    }
  };
};

}  // namespace umov::backend
