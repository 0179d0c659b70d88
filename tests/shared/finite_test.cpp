// Which results may hold nan, and which may not.
#include "results/finite.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace umov::results {
namespace {

constexpr double inf = std::numeric_limits<double>::infinity();

TEST(Finite, NamesEveryArrayThatHoldsNanOrInfinity) {
  Result r;
  r.add("a", "1", "a number", 1.0);
  r.add("b", "1", "a number", std::nan(""));
  r.add("c", "1", "numbers", std::vector<double>{1, inf});
  r.add("d", "1", "amplitudes", std::vector<cplx>{{1, 2}, {0, -inf}});
  r.add("e", "1", "floats", std::vector<float>{0, std::nanf("")});
  EXPECT_EQ(not_finite(r), (std::vector<std::string>{"b", "c", "d", "e"}));
}

TEST(Finite, LeavesOutWhatSaysWhereItHasNoValue) {
  Result r;
  r.add("lines/l/potential", "V", "potential; nan outside the mesh", std::vector<double>{1, std::nan("")});
  r.add("flux/f/error", "1", "relative change", inf);
  EXPECT_TRUE(not_finite(r).empty());
  EXPECT_EQ(describe_not_finite({}), "");
}

TEST(Finite, IsToldInOneSentence) {
  EXPECT_EQ(describe_not_finite({"x"}).rfind("x hold nan", 0), 0u);
  EXPECT_NE(describe_not_finite({"x"}).find("range of their type"), std::string::npos);
  EXPECT_EQ(describe_not_finite({"x"}, "the solver broke down"),
            "x hold nan or infinite values (the run did not converge: the solver broke down)");
  EXPECT_EQ(describe_not_finite({"a", "b", "c", "d", "e", "f"}).rfind("a, b, c, d and 2 more hold nan", 0),
            0u);
}

}  // namespace
}  // namespace umov::results
