// The concept of a device: the backends' are some, one with a member less is none.
#include "backend/device.hpp"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace umov::backend
