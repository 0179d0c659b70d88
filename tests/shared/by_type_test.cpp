// Values found by their type.
#include "core/by_type.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace umov {
namespace {

struct First {
  int value = 3;
};
struct Second {
  int value = 5;
};

TEST(ByType, ATypeHasItsDefaultUntilItIsChanged) {
  ByType values;
  EXPECT_EQ(std::as_const(values).of<First>().value, 3);
  values.of<First>().value = 4;
  EXPECT_EQ(std::as_const(values).of<First>().value, 4);
  EXPECT_EQ(values.of<Second>().value, 5);
  EXPECT_EQ(ByType().of<First>().value, 3);
}

TEST(ByType, ACopyHasValuesOfItsOwn) {
  ByType values;
  values.of<std::vector<std::string>>() = {"a"};
  ByType copy = values;
  copy.of<std::vector<std::string>>().push_back("b");
  EXPECT_EQ(values.of<std::vector<std::string>>().size(), 1u);
  EXPECT_EQ(copy.of<std::vector<std::string>>().size(), 2u);
}

}  // namespace
}  // namespace umov
