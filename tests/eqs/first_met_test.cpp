// What first_met.hpp finds in parallel is what one loop finds.
#include "eqs/ranks/first_met.hpp"

#include <gtest/gtest.h>
#include <omp.h>

#include <algorithm>
#include <array>
#include <random>
#include <vector>

namespace umov::eqs {
namespace {

/// Elements of four different things of `things`, neighbours with things in common.
std::vector<std::array<int, 4>> some_elements(std::size_t count, int things) {
  std::mt19937 random(7);
  std::vector<std::array<int, 4>> out(count);
  for (std::size_t e = 0; e < count; ++e) {
    const int around = int(std::size_t(things - 40) * e / count);
    for (auto& t : out[e]) do
        t = around + int(random() % 40);
      while (&t != out[e].data() && std::find(out[e].data(), &t, t) != &t);
  }
  return out;
}

class Threads {
 public:
  explicit Threads(int n) : before_(omp_get_max_threads()) { omp_set_num_threads(n); }
  ~Threads() { omp_set_num_threads(before_); }

 private:
  int before_;
};

TEST(EqsFirstMet, IsWhatOneLoopFindsWithAnyNumberOfThreads) {
  constexpr int things = 3000;
  const auto elements = some_elements(20000, things);
  const auto of = [&](std::size_t e) -> const auto& { return elements[e]; };
  std::vector<int> first(things, met_by_none), number(things, -1), thing;
  for (std::size_t e = 0; e < elements.size(); ++e)
    for (const int t : elements[e])
      if (number[std::size_t(t)] < 0) {
        first[std::size_t(t)] = int(e);
        number[std::size_t(t)] = int(thing.size());
        thing.push_back(t);
      }
  ASSERT_LT(thing.size(), std::size_t(things)) << "some things are met by none";
  for (const int threads : {1, 2, 3, 8}) {
    const Threads set(threads);
    EXPECT_EQ(first_to_meet(elements.size(), things, of), first) << threads;
    const MetOrder order = met_order(elements.size(), things, of);
    EXPECT_EQ(order.number, number) << threads;
    EXPECT_EQ(order.thing, thing) << threads;
  }
}

TEST(EqsFirstMet, OfNoElementsIsNothing) {
  const std::array<int, 4> none{};
  const MetOrder order = met_order(
      0, 5, [&](std::size_t) -> const auto& { return none; });
  EXPECT_EQ(order.number, std::vector<int>(5, -1));
  EXPECT_TRUE(order.thing.empty());
}

}  // namespace
}  // namespace umov::eqs
