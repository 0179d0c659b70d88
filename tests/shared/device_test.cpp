// The concept of a device: the backends' are some, one with a member less is none.
#include "backend/device.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <vector>

#include "backend/cpu/cpu.hpp"
#include "backend/serial/serial.hpp"

namespace umov::backend {
namespace {

struct WithoutMaxima : Serial {
  void map_max() = delete;
};
struct OfSinglePrecisionSums : Serial {
  template <int K, class A, class F>
  Sums<float, K> map_reduce(index_t, const F&) const;
};
struct CopiedMemory : Serial {
  template <class T>
  std::vector<T> allocate(std::size_t n) {
    return std::vector<T>(n);
  }
};

TEST(Device, OfTheProcessorIsOne) {
  EXPECT_TRUE(Device<Serial>);
  EXPECT_TRUE(Device<Cpu>);
}

TEST(Device, WithAMemberMissingOrOfAnotherTypeIsNone) {
  EXPECT_FALSE(Device<WithoutMaxima>);
  EXPECT_FALSE(Device<OfSinglePrecisionSums>);
  EXPECT_FALSE(Device<CopiedMemory>) << "memory is that of the backend";
  EXPECT_FALSE(Device<int>);
}

/// p = r + b p: products that a compiler may fuse with the sum, and does not in every form of a loop.
template <class T>
struct Direction {
  Complex<T> b;
  const Complex<T>* r;
  Complex<T>* p;
  void operator()(index_t i) const { p[i] = r[i] + b * p[i]; }
};

template <class T>
std::vector<Complex<T>> directions(int threads) {
  const index_t n = 30011;  // a prime: wherever threads part it, something is left beside vectors
  Cpu cpu(threads);
  std::vector<Complex<T>> r(n), p(n);
  for (index_t i = 0; i < n; ++i) {
    r[i] = {T(std::sin(0.7 * double(i))), T(std::cos(1.3 * double(i)))};
    p[i] = {T(std::cos(0.3 * double(i))), T(std::sin(2.1 * double(i)))};
  }
  for (int k = 0; k < 20; ++k)
    cpu.for_each(n, Direction<T>{{T(0.3) + T(k) / 70, T(-0.8)}, r.data(), p.data()});
  return p;
}

TEST(Cpu, LoopsHaveTheSameBitsForAnyNumberOfThreads) {
  const auto check = [](auto real) {
    using T = decltype(real);
    const auto one = directions<T>(1);
    for (const int threads : {2, 3, 7}) {
      const auto many = directions<T>(threads);
      EXPECT_EQ(std::memcmp(one.data(), many.data(), one.size() * sizeof one[0]), 0) << threads << " threads";
    }
  };
  check(0.0F);
  check(0.0);
}

}  // namespace
}  // namespace umov::backend
