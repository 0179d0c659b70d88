// Tables of far fields and diffraction orders as curves that can be read.
#include "view/split_table.hpp"

#include <gtest/gtest.h>

namespace umov::view {
namespace {

const std::vector<Column> far_field{
    {"frequency", "c/unit"}, {"theta", "degree"}, {"phi", "degree"}, {"intensity", "1"}};

TEST(SplitTable, AFarFieldIsOverTheAngleThatVaries) {
  const auto one = split_table(far_field, {{1, 1, 1}, {90, 90, 90}, {0, 1, 2}, {5, 6, 7}});
  ASSERT_EQ(one.size(), 1u);
  EXPECT_EQ(one[0].which, "");
  ASSERT_EQ(one[0].columns.size(), 2u) << "theta is the same everywhere";
  EXPECT_EQ(one[0].columns[0].name, "phi");
  EXPECT_EQ(one[0].columns[1].name, "intensity");
  EXPECT_EQ(one[0].values, (Numbers{{0, 1, 2}, {5, 6, 7}}));
  const auto two = split_table(far_field, {{1, 1, 2, 2}, {90, 90, 90, 90}, {0, 1, 0, 1}, {5, 6, 7, 8}});
  ASSERT_EQ(two.size(), 2u);
  EXPECT_EQ(two[0].which, "frequency = 1");
  EXPECT_EQ(two[1].which, "frequency = 2");
  EXPECT_EQ(two[1].values, (Numbers{{0, 1}, {7, 8}}));
}

TEST(SplitTable, OrdersAreCurvesOverTheFrequency) {
  const std::vector<Column> orders{
      {"frequency", "c/unit"}, {"wavelength", "unit"}, {"m", "1"}, {"forward", "1"}};
  // order 1 propagates from the second frequency on
  const auto curves =
      split_table(orders, {{1, 2, 2, 3, 3}, {1, 0.5, 0.5, 0.3, 0.3}, {0, 0, 1, 0, 1}, {9, 8, 1, 7, 2}});
  ASSERT_EQ(curves.size(), 2u);
  EXPECT_EQ(curves[0].which, "m = 0");
  EXPECT_EQ(curves[0].values, (Numbers{{1, 2, 3}, {1, 0.5, 0.3}, {9, 8, 7}}));
  EXPECT_EQ(curves[1].which, "m = 1");
  EXPECT_EQ(curves[1].values, (Numbers{{2, 3}, {0.5, 0.3}, {1, 2}}));
  const auto one = split_table(orders, {{1, 1, 1}, {1, 1, 1}, {-1, 0, 1}, {2, 9, 3}});
  ASSERT_EQ(one.size(), 1u);
  EXPECT_EQ(one[0].columns[0].name, "m");
  EXPECT_EQ(one[0].values, (Numbers{{-1, 0, 1}, {2, 9, 3}}));
}

TEST(SplitTable, WhatIsNoSuchTableHasNoCurves) {
  EXPECT_TRUE(split_table(far_field, {{1, 2, 1}, {90, 90, 90}, {0, 1, 2}, {5, 6, 7}}).empty())
      << "a value comes back";
  EXPECT_TRUE(split_table(far_field, {{1, 1, 1}, {90, 90, 90}, {0, 0, 0}, {5, 6, 5}}).empty())
      << "nothing goes one way";
  EXPECT_TRUE(split_table(far_field, {{1, 1, 2, 2}, {90, 90, 90, 90}, {0, 1, 0, 2}, {5, 6, 5, 4}}).empty())
      << "other angles at the second";
}

}  // namespace
}  // namespace umov::view
